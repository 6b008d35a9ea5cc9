"""Numbers of a text in the form that its source has them: *five million* for *5 million*, *19 век* for *XIX век*.

An evaluator compares words, so a number that is written otherwise looks to it like another number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rewrite.judging.types import Row

if TYPE_CHECKING:
    from rerank.facts.words import Lexicon

__all__ = ["as_in_source"]

_LEAST = 2
"""*One* and *первый* are often no numbers."""


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
