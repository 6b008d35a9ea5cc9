"""Limits: words that bound or weaken a statement, and the rule that they stay with what they speak of.

*почти*, *как правило*, *лишь*; *may*, *only*, *up to*, *unless*. The word lists of a language have a list `limit NAME`
for each class of them, and `no limit` for what only looks like one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, Protocol, TypeVar

from rerank.guard import Facts, Violation
from rerank.wordlists import WordLists

_ENDS = frozenset({".", ";", "!", "?", ":", "…", "(", ")"})
_BEFORE, _AFTER = 6, 8
_PREFIX = "limit "
_NUMBER = "#"
_CURRENCIES = frozenset("$£€¥")
_LONGEST_IDIOM = 4
# How much of a clause must be said for the clause to be said.
_SHARE = 0.5


class Token(Protocol):
    """What a word, number or mark of any language tells."""

    text: str
    kind: str
    low: str
    numeric: bool


W = TypeVar("W", bound=Token)


class LimitClass(NamedTuple):
    """Words of one meaning.

    `cues` may not be lost while what they speak of stays; any of `kin` may take their place. `added` are words that may
    not come in either, unless a word of the class was there. `kind` is the kind of the violation. `scope` says what
    they speak of: the `word` right after them, or any of those up to a noun (`next`), any of what follows in the clause
    (`after`), the `clause`, the clause and most of all what follows (`onward`), or the whole `text`.
    """

    kind: str
    scope: str
    cues: str = ""
    kin: str = ""
    added: str = ""


def _limit_class(rows: Iterable[str]) -> LimitClass:
    fields: dict[str, list[str]] = {}
    for row in rows:
        field, _, value = row.partition(": ")
        fields.setdefault(field, []).append(value)
    return LimitClass(**{field: "|".join(values) for field, values in fields.items()})


class Phrases:
    """Phrases of folded words, `слово*` standing for all that begin so and `#` at the end for a number.

    Finds the longest at a place.
    """

    def __init__(self, text: str) -> None:
        phrases = sorted((tuple(phrase.split()) for phrase in text.split("|") if phrase), key=len, reverse=True)
        #: A word → the phrases that it may begin, longest first.
        self._begun = lru_cache(maxsize=50_000)(lambda low: [p for p in phrases if _begins(low, p[0])])

    def length(self, words: Sequence[Token], i: int) -> int:
        """How many words the longest phrase at `i` has, the number behind it not among them; 0 if there is none."""
        begun = self._begun(words[i].low)
        longest = next((parts for parts in begun if _matches(words, i, parts)), ()) if begun else ()
        return len(longest) - (longest[-1:] == (_NUMBER,))

    def starts(self, words: Sequence[Token]) -> set[str]:
        """The first letters of each phrase found in the text: the same for all forms of a word."""
        return {words[i].low[:5] for i in range(len(words)) if self.length(words, i)}


def _begins(low: str, part: str) -> bool:
    return low.startswith(part[:-1]) if part.endswith("*") else low == part


def _matches(words: Sequence[Token], i: int, parts: Sequence[str]) -> bool:
    if len(parts) == 1:
        return True
    return i + len(parts) <= len(words) and all(
        _is_number(words, at) if part == _NUMBER else _begins(words[at].low, part) for at, part in enumerate(parts, i)
    )


def _is_number(words: Sequence[Token], at: int) -> bool:
    """Whether a number stands there, its currency before it or not."""
    has_sign = words[at].text in _CURRENCIES and at + 1 < len(words)
    return words[at + has_sign].numeric


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


class LimitRule(ABC, Generic[W]):
    """Yields limits that a candidate leaves out while it still says what they limit, and limits that are new.

    A language says what names a word (`keys`), which words a limit speaks of (`next`), and what is none (`is_none`).
    """

    lost = "the source says «{}», the candidate does not"
    new = "«{}» is not in the source"

    def __init__(self, lists: WordLists) -> None:
        self.classes = {
            name.removeprefix(_PREFIX): _limit_class(lists.rows(name))
            for name in lists.names
            if name.startswith(_PREFIX)
        }
        self._limiting = {name: Phrases(f"{entry.cues}|{entry.added}") for name, entry in self.classes.items()}
        self._any = Phrases("|".join(f"{entry.cues}|{entry.added}" for entry in self.classes.values()))
        self._cues = {name: Phrases(entry.cues) for name, entry in self.classes.items()}
        self._added = {name: Phrases(entry.added) for name, entry in self.classes.items()}
        self.kept = {name: Phrases("|".join(entry[2:])) for name, entry in self.classes.items()}
        self._idioms = Phrases("|".join(lists.rows("no limit")))

    @abstractmethod
    def keys(self, word: W) -> frozenset[str]:
        """What names a word across its forms; empty of one that says nothing by itself."""

    @abstractmethod
    def next(self, words: Sequence[W], start: int) -> Iterator[int]:
        """The words from `start` on that a limit right before them speaks of."""

    def is_none(self, words: Sequence[W], i: int, length: int) -> bool:
        """Whether what looks like a limit is a part of an idiom."""
        shifts = range(min(i + 1, _LONGEST_IDIOM))
        return any(self._idioms.length(words, i - shift) >= shift + length for shift in shifts)

    def find(self, words: Sequence[W]) -> list[Limit]:
        """The limits of a text, from left to right."""
        limits: list[Limit] = []
        for i in range(len(words)):
            if not self._any.length(words, i):
                continue
            name, length = max(((n, p.length(words, i)) for n, p in self._limiting.items()), key=lambda pair: pair[1])
            if self.is_none(words, i, length):
                continue
            scope = list(self._scope(self.classes[name].scope, words, i, i + length))
            text = " ".join(word.text for word in words[i : i + length])
            keys = tuple(self.keys(words[j]) for j in scope)
            limits.append(Limit(name, i, i + length, text, keys, sum(j > i for j in scope)))
        return limits

    def _scope(self, scope: str, words: Sequence[W], start: int, stop: int) -> Iterator[int]:
        if scope in {"word", "next"}:
            yield from self.next(words, stop)
        if scope in {"after", "clause", "onward"}:
            yield from self._run(words, range(stop, min(stop + _AFTER, len(words))))
        if scope in {"clause", "onward"}:
            yield from self._run(words, range(start - 1, max(-1, start - 1 - _BEFORE), -1))

    def _run(self, words: Sequence[W], places: Iterable[int]) -> Iterator[int]:
        """Words with a meaning of their own up to the end of the clause; commas around the limit are no end."""
        seen = False
        for j in places:
            if words[j].text in _ENDS or (seen and words[j].text in {",", "—", "–"}):
                return
            if self.keys(words[j]):
                seen = True
                yield j

    def _keys_of(self, words: Sequence[W]) -> frozenset[str]:
        return frozenset[str]().union(*map(self.keys, words))

    def __call__(self, source: Facts[Sequence[W]], text: Facts[Sequence[W]]) -> Iterator[Violation]:
        for limit in source.of(self.find):
            cue = self._cues[limit.name].length(source.words, limit.start)
            if cue and not self.fresh(limit.name, text, source) and self.said(limit, source, text):
                yield Violation(self.classes[limit.name].kind, limit.text, self.lost.format(limit.text))
        for limit in text.of(self.find):
            added = self._added[limit.name].length(text.words, limit.start)
            if added and self.is_new(limit, text, source):
                yield Violation(self.classes[limit.name].kind, limit.text, self.new.format(limit.text))

    def is_new(self, limit: Limit, text: Facts[Sequence[W]], other: Facts[Sequence[W]]) -> bool:
        """Whether `other` has no word of the class of a limit of `text`, though it says what that speaks of."""
        return not self.kept[limit.name].starts(other.words) and self.said(limit, text, other)

    def fresh(self, name: str, text: Facts[Sequence[W]], other: Facts[Sequence[W]]) -> bool:
        """Whether `text` has a word of this class that is no mere kin in `other` too."""
        if self._cues[name].starts(text.words):
            return True
        limits = other.of(self.find)
        outside = [word for i, word in enumerate(other.words) if not any(x.start <= i < x.stop for x in limits)]
        return bool(self.kept[name].starts(text.words) - self.kept[name].starts(outside))

    def said(self, limit: Limit, text: Facts[Sequence[W]], other: Facts[Sequence[W]]) -> bool:
        """Whether `other` says what the limit of `text` speaks of: the words right after it, or much of its clause."""
        other_keys = other.of(self._keys_of)
        kept = [bool(keys & other_keys) for keys in limit.keys]
        scope = self.classes[limit.name].scope
        if scope == "text":
            return True
        if scope == "after":
            return any(kept)
        if scope in {"word", "next"}:
            return bool(kept) and (kept[0] or (scope == "next" and kept[-1]))
        ahead = any(kept[: limit.ahead]) or not limit.ahead or scope != "onward"
        return ahead and sum(kept) > 1 and sum(kept) / len(kept) >= _SHARE
