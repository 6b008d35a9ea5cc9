"""Contrasts: «не X, а Y», «не столько X, сколько Y», «Y, а не X»."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rerank.facts.words import Word

__all__ = ["Contrast", "find_contrasts"]

_ENDS = frozenset({".", ";", "!", "?", ":"})
_PAIRS = {"столько": "сколько"}
_REACH = 12
_NOT_BUT = frozenset({"также", "потом", "затем", "то", "если", "значит", "вот"})


@dataclass(slots=True, frozen=True)
class Contrast:
    """What is denied and what is said instead, by the keys of their words; `text` is the denied phrase."""

    denied: tuple[frozenset[str], ...]
    stated: tuple[frozenset[str], ...]
    text: str


def find_contrasts(words: Sequence[Word]) -> list[Contrast]:
    """The contrasts of a text, from left to right."""
    return [found for i, word in enumerate(words) if word.low == "не" for found in _at(words, i)]


def _at(words: Sequence[Word], i: int) -> Iterator[Contrast]:
    if i + 1 >= len(words) or words[i + 1].low in {"только", "просто"}:
        return
    if i > 1 and words[i - 1].low == "а" and words[i - 2].text == ",":
        yield _contrast(words, range(i + 1, _end(words, i + 1)), range(_start(words, i - 3), i - 2))
        return
    joint = _PAIRS.get(words[i + 1].low, "а")
    first = i + 1 + (joint != "а")
    for j in range(first, min(first + _REACH, len(words) - 2)):
        if words[j].text in _ENDS:
            return
        if words[j].text == "," and words[j + 1].low == joint and words[j + 2].low not in _NOT_BUT:
            if joint != "а" or _alike(words[first], words[j + 2]):
                yield _contrast(words, range(first, j), range(j + 2, _end(words, j + 2)))
            return


def _alike(left: Word, right: Word) -> bool:
    """Whether two words begin phrases of one sort, so that «а» says what is true instead, not what else is."""
    nominal = frozenset({"NOUN", "ADJF", "NPRO", "PRTF", "NUMR"})
    if right.low in {"лишь", "только", "исключительно", "прежде"}:
        return True
    return str(left.top) == str(right.top) or (left.top in nominal and right.top in nominal)


def _end(words: Sequence[Word], start: int) -> int:
    stop = start
    while stop < len(words) and stop - start < _REACH and words[stop].text not in _ENDS | {",", "—", "("}:
        stop += 1
    return stop


def _start(words: Sequence[Word], last: int) -> int:
    start = last
    while start > 0 and last - start < 3 and words[start - 1].text not in _ENDS | {",", "—", ")"}:
        start -= 1
    return max(start, 0)


def _contrast(words: Sequence[Word], denied: range, stated: range) -> Contrast:
    return Contrast(
        tuple(words[j].keys for j in denied if words[j].keys),
        tuple(words[j].keys for j in stated if words[j].keys),
        " ".join(words[j].text for j in denied),
    )
