"""Limits: words that bound or weaken a statement, and the rule that they stay with what they speak of.

«почти», «как правило», «лишь», «даже если», «вряд ли»: the lists `limit …` of `ru.txt`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rerank.facts.words import LISTS, Facts, Word
from rerank.guard import Violation

_ENDS = frozenset({".", ";", "!", "?", ":", "…", "(", ")"})
_BEFORE, _AFTER = 6, 8
_NEXT = 5
_ALL = "все|всех|всем|всеми|весь|вся|всю|всей|кажд*|любо*|любы*|ежедневно|ежегодно|всегда"
_TIMES = LISTS.words("limiting times")
# Classes that speak of what comes after them first of all: «главным образом, в долине».
_FORWARD = frozenset({"usual", "partly"})
# How much of a clause must be said for the clause to be said.
_SHARE = 0.5
_NAMES = ("nearly", "usual", "partly", "only", "even", "always", "doubt", "hearsay", "opposite", "except")


class LimitClass(NamedTuple):
    """Words of one meaning.

    `cues` may not be lost while what they speak of stays; any of `kin` may take their place. `scope` says what they
    speak of: the words right after them (`next`), any of what follows in the clause (`after`), or the clause
    (`clause`). `added` are words that may not come in either, unless a word of the class was there. `kind` is the kind
    of the violation.
    """

    kind: str
    scope: str
    cues: str = ""
    kin: str = ""
    added: str = ""


def _limit_class(name: str) -> LimitClass:
    fields: dict[str, list[str]] = {}
    for row in LISTS.rows(f"limit {name}"):
        field, _, value = row.partition(": ")
        fields.setdefault(field, []).append(value)
    return LimitClass(**{field: "|".join(values) for field, values in fields.items()})


LIMITS = {name: _limit_class(name) for name in _NAMES}


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


_LIMITING = {name: Phrases(f"{entry.cues}|{entry.added}") for name, entry in LIMITS.items()}
_ANY = Phrases("|".join(f"{entry.cues}|{entry.added}" for entry in LIMITS.values()))
_NO_LIMIT = Phrases("|".join(LISTS.rows("no limit")))
_CUES = {name: Phrases(entry.cues) for name, entry in LIMITS.items()}
_KEPT = {name: Phrases(f"{entry.cues}|{entry.added}|{entry.kin}") for name, entry in LIMITS.items()}
_EVERYTHING = Phrases(_ALL)


def find_limits(words: Sequence[Word]) -> list[Limit]:
    """The limits of a text, from left to right."""
    found: list[Limit] = []
    for i in range(len(words)):
        if not _ANY.length(words, i) or _NO_LIMIT.length(words, i) or (i and _NO_LIMIT.length(words, i - 1) > 1):
            continue
        name, length = max(((n, p.length(words, i)) for n, p in _LIMITING.items()), key=lambda pair: pair[1])
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


def changed_limits(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Limits that the candidate leaves out while it still says what they limit, and limits that are new."""
    for limit in source.of(find_limits):
        cue = _CUES[limit.name].length(source.words, limit.start)
        if cue and not _fresh(limit.name, candidate, source) and _said(limit, source, candidate):
            message = f"the source says «{limit.text}», the candidate does not"
            yield Violation(LIMITS[limit.name].kind, limit.text, message)
    for limit in candidate.of(find_limits):
        added = LIMITS[limit.name].added
        if added and not _KEPT[limit.name].starts(source.words) and _said(limit, candidate, source):
            yield Violation(LIMITS[limit.name].kind, limit.text, f"«{limit.text}» is not in the source")


def _fresh(name: str, text: Facts, other: Facts) -> bool:
    """Whether `text` has a word of this class that is no mere kin in `other` too."""
    if _CUES[name].starts(text.words):
        return True
    outside = [w for i, w in enumerate(other.words) if not any(x.start <= i < x.stop for x in other.of(find_limits))]
    kept = _KEPT[name].starts(outside)
    return bool(_KEPT[name].starts(text.words) - kept)


def _said(limit: Limit, own: Facts, other: Facts) -> bool:
    """Whether `other` says what the limit of `own` speaks of: the words right after it, or much of its clause."""
    if limit.name == "except" and not _all_of_same(own, other):
        return False
    if limit.name == "only" and _of_time(limit, own):
        return False
    kept = [bool(keys & other.keys.keys()) for keys in limit.keys]
    scope = LIMITS[limit.name].scope
    if scope == "after":
        return any(kept)
    if scope == "next":
        return bool(kept) and (kept[0] or (kept[-1] and limit.name != "nearly"))
    ahead = any(kept[: limit.ahead]) or not limit.ahead or limit.name not in _FORWARD
    return ahead and sum(kept) > 1 and sum(kept) / len(kept) >= _SHARE


def _all_of_same(own: Facts, other: Facts) -> bool:
    """Whether both texts speak of all: an exception to nothing may be left out."""
    return bool(_EVERYTHING.starts(own.words) and _EVERYTHING.starts(other.words))


def _of_time(limit: Limit, text: Facts) -> bool:
    """«лишь потом», «только в 1998 году», «всего лишь пять»: that it was so early or so few is left out, not denied."""
    for word in text.words[limit.stop : limit.stop + 4]:
        if word.numeric or word.kind == "number" or word.lemma in _TIMES:
            return True
        if word.top in {"NOUN", "VERB", "INFN"}:
            return False
    return False
