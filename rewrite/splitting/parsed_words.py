"""A sentence as a splitter sees it: its words with their parse, and how text is put together from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import cast

from rerank.english import EnglishAnalyzer, EnglishToken
from rerank.english.trees import TreeModel
from rerank.tree import Tree

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


class Words(Tree):
    """The words of one sentence and the text they stand in."""

    tokens: Sequence[EnglishToken]

    def __init__(self, text: str, tokens: Sequence[EnglishToken]) -> None:
        super().__init__(tokens)
        self.text = text

    def __getitem__(self, number: int) -> EnglishToken:
        return self.tokens[number]

    def first(self, count: int) -> Words:
        """The first `count` words alone; what hangs on a later one is a root then."""
        if count >= len(self.tokens):
            return self
        kept = [copy(word) for word in self.tokens[:count]]
        for word in kept:
            word.head = word.head if word.head < count else -1
        return Words(self.text, kept)

    @cached_property
    def root(self) -> int:
        """The number of the word that the sentence hangs on; −1 for none."""
        return self.rels.index("root") if "root" in self.rels else -1

    @cached_property
    def apart(self) -> bool:
        """Whether marks are set apart from words by spaces, as in tokenised corpora."""
        return _APART.search(self.text) is not None

    @cached_property
    def end(self) -> int:
        """The number of the first of the marks that end the sentence; the number of words where none does."""
        end = len(self.tokens)
        while end and (self.tokens[end - 1].text in _ENDS):
            end -= 1
        return end

    def in_brackets(self, number: int) -> bool:
        """Whether a word stands between brackets."""
        before = [word.text for word in self.tokens[:number]]
        return sum(text in OPENING for text in before) > sum(text in CLOSING for text in before)

    def join(self, numbers: Sequence[int]) -> str:
        """The text of some words in the given order, spaced as in the source where they stand side by side there."""
        parts: list[str] = []
        for place, number in enumerate(numbers):
            if place:
                parts.append(self._gap(numbers[place - 1], number))
            parts.append(self.tokens[number].text)
        return "".join(parts)

    def _gap(self, before: int, after: int) -> str:
        if after == before + 1:
            return re.sub(r"\s+", " ", self.text[self.tokens[before].stop : self.tokens[after].start])
        if not self.apart and (self.tokens[after].text in _BEFORE or self.tokens[before].text in OPENING):
            return ""
        return " "


def sentence_analyzer(*, cache_size: int = 4_000) -> EnglishAnalyzer:
    """The bundled models that `read_words` reads with."""
    return EnglishAnalyzer(trees=TreeModel(), cache_size=cache_size)


def read_words(texts: Sequence[str], analyzer: EnglishAnalyzer) -> list[Words]:
    """Each text as one sentence, by an analyzer with trees."""
    return [Words(analysis.text, cast("list[EnglishToken]", analysis.tokens)) for analysis in analyzer.analyze(texts)]


def above(words: Words, number: int) -> list[int]:
    """The clauses that a clause is a part of."""
    clauses: list[int] = []
    while words[number].rel in ("ccomp", "xcomp", "csubj", "advcl", "acl", "conj") and words[number].head >= 0:
        number = words[number].head
        clauses.append(number)
    return clauses


def is_quantified(words: Words, noun: int) -> bool:
    """Whether a noun stands for none, all or some of its kind: *every man*, *most people*, *nobody*."""
    near = {words[n].lower for n in (noun, *words.children[noun])}
    return bool(near & _QUANTIFIERS)
