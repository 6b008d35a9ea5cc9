"""A sentence as a splitter sees it: its words with their parse, and how text is put together from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from rerank.english import EnglishAnalyzer, EnglishToken
from rerank.english.trees import TreeModel

# A mark that stands apart from the word before it: the style of tokenised corpora.
_APART = re.compile(r"\S (?:[.,;:?!]|'s|n't)(?= |$)")
OPENING = frozenset("([{“‘«") | {"``"}
CLOSING = frozenset(")]}”’»")
PERSONAL = frozenset("he she it they we i you".split())
MODALS = frozenset("will would can could may might must should".split())
BE = frozenset({"is", "was", "are", "were", "'s"})
_QUANTIFIERS = frozenset(
    "no every each any few most only nobody none nothing everyone everybody anyone anybody neither either".split()
)
RELATIVES = frozenset({"who", "which", "that"})
QUOTES = frozenset({'"', "''", "``", "“", "”"})
_BEFORE = frozenset(".,;:?!%)]}”’»") | {"'s", "n't", "’s", "n’t"}
_ENDS = frozenset(".?!…\"'”’»") | {"''", "..", "..."}


@dataclass(frozen=True)
class Words:
    """The words of one sentence and the text they stand in."""

    text: str
    words: Sequence[EnglishToken]

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, number: int) -> EnglishToken:
        return self.words[number]

    def lower_at(self, number: int) -> str:
        """The word with a number in small letters; empty where there is none."""
        return self.words[number].lower if 0 <= number < len(self.words) else ""

    def first(self, count: int) -> Words:
        """The first `count` words alone; what hangs on a later one is a root then."""
        if count >= len(self.words):
            return self
        kept = [copy(word) for word in self.words[:count]]
        for word in kept:
            word.head = word.head if word.head < count else -1
        return Words(self.text, kept)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each word the numbers of those that hang on it, in order."""
        found: list[list[int]] = [[] for _ in self.words]
        for number, word in enumerate(self.words):
            if word.head >= 0:
                found[word.head].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def root(self) -> int:
        """The number of the word that the sentence hangs on; −1 for none."""
        return next((number for number, word in enumerate(self.words) if word.rel == "root"), -1)

    @cached_property
    def apart(self) -> bool:
        """Whether marks are set apart from words by spaces, as in tokenised corpora."""
        return _APART.search(self.text) is not None

    @cached_property
    def end(self) -> int:
        """The number of the first of the marks that end the sentence; the number of words where none does."""
        end = len(self.words)
        while end and (self.words[end - 1].text in _ENDS):
            end -= 1
        return end

    def in_brackets(self, number: int) -> bool:
        """Whether a word stands between brackets."""
        before = [word.text for word in self.words[:number]]
        return sum(text in OPENING for text in before) > sum(text in CLOSING for text in before)

    def subtree(self, number: int) -> list[int]:
        """Numbers of a word and all that hangs on it, in order."""
        found, left = set(), [number]
        while left:
            one = left.pop()
            if one not in found:
                found.add(one)
                left.extend(self.children[one])
        return sorted(found)

    def join(self, numbers: Sequence[int]) -> str:
        """The text of some words in the given order, spaced as in the source where they stand side by side there."""
        parts: list[str] = []
        for place, number in enumerate(numbers):
            if place:
                parts.append(self._gap(numbers[place - 1], number))
            parts.append(self.words[number].text)
        return "".join(parts)

    def _gap(self, before: int, after: int) -> str:
        if after == before + 1:
            return re.sub(r"\s+", " ", self.text[self.words[before].stop : self.words[after].start])
        if not self.apart and (self.words[after].text in _BEFORE or self.words[before].text in OPENING):
            return ""
        return " "


def sentence_analyzer(*, cache_size: int = 4_000) -> EnglishAnalyzer:
    """The bundled models that `read_words` reads with."""
    return EnglishAnalyzer(trees=TreeModel(), cache_size=cache_size)


def read_words(texts: Sequence[str], analyzer: EnglishAnalyzer) -> list[Words]:
    """Each text as one sentence, by an analyzer with trees."""
    return [Words(one.text, cast("list[EnglishToken]", one.tokens)) for one in analyzer.analyze(texts)]


def above(words: Words, number: int) -> list[int]:
    """The clauses that a clause is a part of."""
    found: list[int] = []
    while words[number].rel in ("ccomp", "xcomp", "csubj", "advcl", "acl", "conj") and words[number].head >= 0:
        number = words[number].head
        found.append(number)
    return found


def is_quantified(words: Words, noun: int) -> bool:
    """Whether a noun stands for none, all or some of its kind: *every man*, *most people*, *nobody*."""
    near = {words[n].lower for n in (noun, *words.children[noun])}
    return bool(near & _QUANTIFIERS)
