"""Limits: words that bound or weaken a statement (`rerank.facts.limit_words`), and what each speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rerank.facts.limit_words import LIMITS, NO_LIMIT
from rerank.facts.words import Word

__all__ = ["Limit", "Phrases", "find_limits"]

_ENDS = frozenset({".", ";", "!", "?", ":", "…", "(", ")"})
_BEFORE, _AFTER = 6, 8
_NEXT = 5


class Phrases:
    """Phrases of folded words, `слово*` standing for all that begin so; finds the longest at a place."""

    def __init__(self, text: str) -> None:
        phrases = sorted((tuple(phrase.split()) for phrase in text.split("|") if phrase), key=len, reverse=True)
        #: A word → the phrases that it may begin, longest first.
        self._begun = lru_cache(maxsize=50_000)(lambda low: [p for p in phrases if _is(low, p[0])])

    def length(self, words: Sequence[Word], i: int) -> int:
        """How many words the longest phrase at `i` has, 0 if there is none."""
        begun = self._begun(words[i].low)
        return next((len(parts) for parts in begun if _matches(words, i, parts)), 0) if begun else 0

    def starts(self, words: Sequence[Word]) -> set[str]:
        """The first letters of each phrase found in the text: the same for all forms of a word."""
        return {words[i].low[:5] for i in range(len(words)) if self.length(words, i)}


def _is(low: str, part: str) -> bool:
    return low.startswith(part[:-1]) if part.endswith("*") else low == part


def _matches(words: Sequence[Word], i: int, parts: Sequence[str]) -> bool:
    if len(parts) == 1:
        return True
    return i + len(parts) <= len(words) and all(_is(w.low, part) for w, part in zip(words[i:], parts, strict=False))


@dataclass(slots=True, frozen=True)
class Limit:
    """A limit of class `name` at tokens `start`…`stop`; `keys` name what it speaks of, nearest word first.

    The first `ahead` of the keys are those of words after it.
    """

    name: str
    start: int
    stop: int
    text: str
    keys: tuple[frozenset[str], ...]
    ahead: int


_CUES = {name: Phrases(f"{entry.cues}|{entry.added}") for name, entry in LIMITS.items()}
_ANY = Phrases("|".join(f"{entry.cues}|{entry.added}" for entry in LIMITS.values()))
_NO_LIMIT = Phrases(NO_LIMIT)


def find_limits(words: Sequence[Word]) -> list[Limit]:
    """The limits of a text, from left to right."""
    found: list[Limit] = []
    for i in range(len(words)):
        if not _ANY.length(words, i) or _NO_LIMIT.length(words, i) or (i and _NO_LIMIT.length(words, i - 1) > 1):
            continue
        name, length = max(((n, p.length(words, i)) for n, p in _CUES.items()), key=lambda pair: pair[1])
        scope = list(_SCOPES[LIMITS[name].scope](words, i, i + length))
        text = " ".join(w.text for w in words[i : i + length])
        ahead = sum(j > i for j in scope)
        found.append(Limit(name, i, i + length, text, tuple(words[j].keys for j in scope), ahead))
    return found


def _next(words: Sequence[Word], _: int, start: int) -> Iterator[int]:
    """The words right after, up to a mark or the first noun: «почти все жители», «только после консультации»."""
    for j in range(start, min(start + _NEXT, len(words))):
        if words[j].kind == "mark" and words[j].text not in {"«", '"'}:
            return
        if words[j].keys:
            yield j
        if words[j].top in {"NOUN", "VERB", "INFN"} or words[j].numeric:
            return


def _clause(words: Sequence[Word], start: int, stop: int) -> Iterator[int]:
    """Words with a meaning of their own around, up to the end of the clause; commas around the limit are no end."""
    yield from _run(words, range(stop, min(stop + _AFTER, len(words))))
    yield from _run(words, range(start - 1, max(-1, start - 1 - _BEFORE), -1))


def _run(words: Sequence[Word], places: Iterable[int]) -> Iterator[int]:
    seen = False
    for j in places:
        if words[j].text in _ENDS or (seen and words[j].text in {",", "—", "–"}):
            return
        if words[j].keys:
            seen = True
            yield j


def _following(words: Sequence[Word], _: int, start: int) -> Iterator[int]:
    """What comes after in the same clause: «даже если симптомы исчезли на третий день»."""
    return _run(words, range(start, min(start + _AFTER, len(words))))


_SCOPES = {"next": _next, "after": _following, "clause": _clause}
