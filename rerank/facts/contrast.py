"""Contrasts: «не X, а Y», «не столько X, сколько Y», «Y, а не X», and the rule for them.

Both sides stay, or neither; «X» alone is the reverse, «не X» misses the point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rerank.facts.guard_words import LISTS, Facts, Word
from rerank.guard import Violation

_ENDS = frozenset({".", ";", "!", "?", ":"})
_PAIRS = {"столько": "сколько"}
_REACH = 12
_DENYING = LISTS.words("contrast denials")
_TURN = frozenset({"а", "но", "—", "–", "вместо", ".", ":", ";", "только", "лишь"})
_HALF = 0.5
_NOT_BUT = frozenset({"также", "потом", "затем", "то", "если", "значит", "вот"})


@dataclass(slots=True, frozen=True)
class Contrast:
    """What is denied and what is said instead, by the keys of their words; `text` is the denied phrase."""

    denied: tuple[frozenset[str], ...]
    stated: tuple[frozenset[str], ...]
    text: str


def find_contrasts(words: Sequence[Word]) -> list[Contrast]:
    """The contrasts of a text, from left to right."""
    return [contrast for i, word in enumerate(words) if word.low == "не" for contrast in _at(words, i)]


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


def changed_contrast(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Contrasts that lost a side or exchanged sides."""
    for contrast in () if "бы" in source.lows else source.of(find_contrasts):
        message = _lost(contrast, candidate)
        if message:
            yield Violation("negation", contrast.text, message)


def _lost(contrast: Contrast, candidate: Facts) -> str:
    if contrast in candidate.of(find_contrasts) or not contrast.stated or not _said(contrast.denied, candidate):
        return ""
    if any(_flipped(contrast, other) for other in candidate.of(find_contrasts)):
        return f"the source denies «{contrast.text}», the candidate what stands against it"
    if _said(contrast.stated, candidate, share=0.01):
        both = not candidate.lows & _DENYING
        return f"the source says not «{contrast.text}», the candidate says both" if both else ""
    lows = {word.low for word in candidate.words[:-1]}
    if not lows & _DENYING:
        return f"the source says not «{contrast.text}», the candidate says it"
    return "" if lows & _TURN else f"the candidate leaves out what is true instead of «{contrast.text}»"


def _flipped(contrast: Contrast, other: Contrast) -> bool:
    return _overlap(contrast.denied, other.stated) and _overlap(contrast.stated, other.denied)


def _overlap(left: Sequence[frozenset[str]], right: Sequence[frozenset[str]]) -> bool:
    return any(keys & others for keys in left for others in right)


def _said(phrase: Sequence[frozenset[str]], text: Facts, share: float = _HALF) -> bool:
    kept = [bool(keys & text.keys.keys()) for keys in phrase]
    return any(kept) and (kept[0] or share < _HALF) and sum(kept) / len(kept) >= share
