"""What a text changes about the facts of its source, as the metric `learned` counts it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rerank.evaluator.registry import Task
from rerank.guard import Guard, Violation
from rerank.opposites import opposed
from rewrite.judging.types import Judged, Row

__all__ = ["GUARDED", "INTACT", "doubted", "findings"]

GUARDED = ("en", "ru")
"""Languages with a fact guard."""

INTACT = 0.3
"""How likely a text is right though its guard finds a changed fact: its share of false alarms among the texts by people
that it stops (34 of 100 Russian ones, docs/facts.md)."""

_OF_SUMMARIES = frozenset({"number", "date", "entity"})
_OF_REWRITES = frozenset({*_OF_SUMMARIES, "unit", "latin", "quotation", "negation"})
"""Of the Russian guard's kinds not *modality* and *quantity*: what a generator may not do, a person often does well."""


def findings(row: Row, language: str, task: Task) -> tuple[Violation, ...]:
    """What the text of a row in one of the languages of `GUARDED` changes about its source, opposites among it.

    Of a summary only values and names: what a long source denies and asserts in places that lie apart says little.
    """
    found = _guard(language).check(row.source, row.text)
    if task == "summaries":
        return tuple(one for one in found if one.kind in _OF_SUMMARIES)
    return (*(one for one in found if one.kind in _OF_REWRITES), *opposed(row.source, row.text))


def doubted(judged: Judged, found: tuple[Violation, ...]) -> Judged:
    """With the component `facts`, 1 where nothing was found and otherwise `INTACT`, which the score is multiplied by.

    That is the chance that neither the evaluator nor the guard has found a fault that is one, if they err independently
    of each other.
    """
    intact = INTACT if found else 1.0
    return Judged(judged.score * intact, {**judged.components, "facts": intact}, judged.by, found)


@lru_cache(maxsize=2)
def _guard(language: str) -> Guard[Any]:
    # Dictionaries take longer to load than most metrics need.
    if language == "en":
        from rerank.english.facts import EnglishFactGuard

        return EnglishFactGuard()
    from rerank.analysis import Analyzer
    from rerank.facts import FactGuard

    return FactGuard(Analyzer())
