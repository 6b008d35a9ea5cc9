"""The framework of fact guards: find the facts of two texts, compare them, name what has changed.

A guard is a function that reads a text, and rules. A rule gets the facts of source and candidate, asks each for what
a finder finds there, compares, and yields violations. Finders, rules and word lists belong to a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

#: Kinds of facts that are guarded.
KINDS = ("number", "date", "unit", "entity", "latin", "quotation", "negation", "modality", "quantity")

_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")

Words = TypeVar("Words", covariant=True)
Answer = TypeVar("Answer")
AnyFacts = TypeVar("AnyFacts", bound="Facts[Any]")


@dataclass(frozen=True, slots=True)
class Violation:
    """What a candidate does wrong: the kind of it, the words concerned, and the reason in words.

    Kinds of facts that it changes are those of `KINDS`, and `opposite` (`rerank.opposites`), kinds of faults in its
    form the rules of `rerank.wellformed`.
    """

    kind: str
    text: str
    message: str


class Facts(Generic[Words]):
    """The facts of one text, each kind found when a rule asks for it first."""

    def __init__(self, text: str, words: Words) -> None:
        self.text = text
        self.words = words
        self._answers: dict[Callable[[Any], Any], Any] = {}

    def of(self, finder: Callable[[Words], Answer]) -> Answer:
        """What `finder` finds in the words; it is asked once."""
        return self._ask(finder, self.words)

    def derived(self: AnyFacts, finder: Callable[[AnyFacts], Answer]) -> Answer:
        """What `finder` makes of other facts; it is asked once."""
        return self._ask(finder, self)

    def _ask(self, finder: Callable[[Any], Answer], given: object) -> Answer:
        if finder not in self._answers:
            self._answers[finder] = finder(given)
        answer: Answer = self._answers[finder]
        return answer


class Guard(Generic[AnyFacts]):
    """Finds what candidates change about their source; copies pass. `cache_size` bounds the sources remembered."""

    def __init__(
        self,
        read: Callable[[str], AnyFacts],
        rules: Iterable[Callable[[AnyFacts, AnyFacts], Iterator[Violation]]],
        *,
        cache_size: int,
    ) -> None:
        self._read = read
        self._rules = tuple(rules)
        self._facts = lru_cache(maxsize=cache_size)(read)

    def check(self, source: str, candidate: str) -> list[Violation]:
        """What `candidate` changes about `source`; empty if nothing."""
        if candidate == source:
            return []
        before, after = self._facts(source), self._read(candidate)
        return list(dict.fromkeys(violation for rule in self._rules for violation in rule(before, after)))

    def check_all(self, source: str, candidates: Sequence[str]) -> list[list[Violation]]:
        """`check` of every candidate of one source, in order; equal candidates are looked at once."""
        answers = {text: self.check(source, text) for text in dict.fromkeys(candidates)}
        return [answers[text] for text in candidates]


def roman(text: str) -> int:
    """The value of a Roman numeral in capitals; 0 for anything else."""
    if not _ROMAN.fullmatch(text):
        return 0
    values = [_LETTERS[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
