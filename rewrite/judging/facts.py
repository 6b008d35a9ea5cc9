"""What a text changes about the facts of its source, as the metric `learned` counts it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from rerank.evaluator.registry import Task
from rerank.masked.words import guess_language
from rerank.opposites.check import opposed
from rewrite.judging.types import Judged, Row

if TYPE_CHECKING:
    from rerank.facts import Violation

__all__ = ["INTACT", "doubted", "findings", "is_guarded"]

INTACT = 0.3
"""How likely a text is right though its guard finds a changed fact: its share of false alarms among the texts by people
that it stops (34 of 100 Russian ones, docs/facts.md)."""

_OF_SUMMARIES = frozenset({"number", "date", "entity"})


class _Guard(Protocol):
    def check(self, source: str, candidate: str) -> list[Violation]: ...


def is_guarded(row: Row, language: str) -> bool:
    """Whether there is a fact guard for the language of a row, that of its source where `language` is empty."""
    return (language or guess_language(row.source)) in ("en", "ru")


def findings(row: Row, language: str, task: Task) -> tuple[Violation, ...]:
    """What the text of a guarded row changes about its source, opposites among it.

    Of a summary only values and names: what a long source denies and asserts in places that lie apart says little.
    """
    found = _guard(language or guess_language(row.source)).check(row.source, row.text)
    if task == "summaries":
        return tuple(one for one in found if one.kind in _OF_SUMMARIES)
    return (*found, *opposed(row.source, row.text))


def doubted(judged: Judged, found: tuple[Violation, ...]) -> Judged:
    """With the component `facts`, 1 where nothing was found and otherwise `INTACT`, which the score is multiplied by.

    That is the chance that neither the evaluator nor the guard has found a fault that is one, if they err independently
    of each other.
    """
    intact = INTACT if found else 1.0
    return Judged(judged.score * intact, {**judged.components, "facts": intact}, judged.by, found)


@lru_cache(maxsize=2)
def _guard(language: str) -> _Guard:
    # Dictionaries take longer to load than most metrics need.
    if language == "en":
        from rerank.english.facts import EnglishFactGuard

        return EnglishFactGuard()
    from rerank.analysis import Analyzer
    from rerank.facts import FactGuard

    return FactGuard(Analyzer())
