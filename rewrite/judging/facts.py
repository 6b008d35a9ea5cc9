"""What a text changes about the facts of its source, as the metric `learned` counts it, and numbers in one form.

An evaluator compares words, so a number that is written otherwise looks to it like another number: *five million* for
*5 million*, *19 век* for *XIX век*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rerank.evaluator.registry import Task
from rerank.guard import Guard, Violation
from rerank.opposites import opposed
from rewrite.judging.types import Judged, Row

if TYPE_CHECKING:
    from rerank.facts.words import Lexicon

__all__ = ["GUARDED", "INTACT", "as_in_source", "doubted", "findings"]

GUARDED = ("en", "ru")
"""Languages with a fact guard."""

INTACT = 0.3
"""How likely a text is right though its guard finds a changed fact: its share of false alarms among the texts by people
that it stops (34 of 100 Russian ones, docs/facts.md)."""

_OF_SUMMARIES = frozenset({"number", "date", "entity"})
_OF_REWRITES = frozenset({*_OF_SUMMARIES, "unit", "latin", "quotation", "negation"})
"""Of the Russian guard's kinds not *modality* and *quantity*: what a generator may not do, a person often does well."""

_LEAST = 2
"""*One* and *первый* are often no numbers."""


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


class _Number(NamedTuple):
    text: str
    value: float


def as_in_source(row: Row, language: str) -> str:
    """The text of a row in English or Russian with each number in the source's form, where it gives the same one."""
    forms: dict[float, str] = {}
    for number in _numbers(row.source, language):
        forms.setdefault(number.value, number.text)
    text = row.text
    for number in _numbers(row.text, language):
        found = _pattern(number.text).search(text)
        form = forms.get(number.value)
        if form and found and form != number.text:
            text = text[: found.start()] + _with_capital_of(form, found[0]) + text[found.end() :]
    return text


def _pattern(words: str) -> re.Pattern[str]:
    spaced = r"\s+".join(map(re.escape, words.split()))
    return re.compile(rf"(?<!\w){spaced}(?!\w)")


def _with_capital_of(form: str, other: str) -> str:
    return form[:1].upper() + form[1:] if other[:1].isupper() and not other.isupper() else form


def _numbers(text: str, language: str) -> Iterator[_Number]:
    found = _english(text) if language == "en" else _russian(text)
    return (number for number in found if number.value >= _LEAST)


def _english(text: str) -> Iterator[_Number]:
    from rerank.english.facts.numbers import numbers_of
    from rerank.english.facts.words import text_of

    for number in numbers_of(text_of(text)):
        # Of *18th* the end is no part of its text.
        if len(number.values) == 1 and not (number.soft or number.is_rank):
            (value,) = number.values
            yield _Number(number.text, float(value))


def _russian(text: str) -> Iterator[_Number]:
    from rerank.facts.numbers import find_numbers
    from rerank.facts.words import compound_numeral

    words = _lexicon().words(text)
    for number in find_numbers(words):
        first = words[number.start]
        # *Двухэтажный*, *20-летний* and *вдвоём* are more than their numbers.
        more = compound_numeral(first.low) is not None or "-" in first.low or "ADVB" in first.pos
        if not (number.code or number.decade or more):
            yield _Number(number.text, number.value)


@lru_cache(maxsize=1)
def _lexicon() -> Lexicon:
    from rerank.facts.words import Lexicon

    return Lexicon()
