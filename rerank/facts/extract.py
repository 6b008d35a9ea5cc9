"""All facts of one text, by the same rules for sources and candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from rerank.facts.contrast import Contrast, find_contrasts
from rerank.facts.dates import Date, find_dates, time_words
from rerank.facts.limits import Limit, find_limits
from rerank.facts.modality import Modalities, find_modalities
from rerank.facts.names import NameIndex, name_tokens
from rerank.facts.numbers import Number, find_numbers
from rerank.facts.polarity import Denials, find_denials
from rerank.facts.quantity import Quantities, find_quantities
from rerank.facts.quotes import Quotes
from rerank.facts.words import Word

__all__ = ["Facts"]

_Found = TypeVar("_Found")


class Facts:
    """The facts of a text, each group found when first asked for."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        self._found: dict[Callable[[list[Word]], Any], Any] = {}

    def found(self, finder: Callable[[list[Word]], _Found]) -> _Found:
        """What `finder` finds in the words; it is asked once."""
        if finder not in self._found:
            self._found[finder] = finder(self.words)
        answer: _Found = self._found[finder]
        return answer

    @cached_property
    def numbers(self) -> list[Number]:
        return find_numbers(self.words)

    @cached_property
    def dates(self) -> list[Date]:
        return find_dates(self.words, self.numbers)

    @cached_property
    def times(self) -> dict[str, str]:
        return time_words(self.words)

    @cached_property
    def names(self) -> list[Word]:
        """Name-like tokens."""
        return [self.words[i] for i in name_tokens(self.words)]

    @cached_property
    def name_index(self) -> NameIndex:
        return NameIndex(self.words)

    @cached_property
    def quotes(self) -> Quotes:
        return Quotes(self.words)

    @cached_property
    def denials(self) -> Denials:
        return find_denials(self.words)

    @cached_property
    def modalities(self) -> Modalities:
        return find_modalities(self.words)

    @cached_property
    def quantities(self) -> Quantities:
        return find_quantities(self.words)

    @cached_property
    def limits(self) -> list[Limit]:
        return find_limits(self.words)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        return find_contrasts(self.words)

    @cached_property
    def keys(self) -> Counter[str]:
        """How often each predicate or noun occurs, denied or not."""
        return Counter(key for word in self.words for key in word.keys)

    @cached_property
    def lows(self) -> frozenset[str]:
        return frozenset(word.low for word in self.words)
