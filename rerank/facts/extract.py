"""All facts of one text, by the same rules for sources and candidates."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from rerank.facts.dates import Date, find_dates, time_words
from rerank.facts.modality import Modalities, find_modalities
from rerank.facts.names import NameIndex, name_tokens
from rerank.facts.numbers import Number, find_numbers
from rerank.facts.polarity import Denials, find_denials
from rerank.facts.quantity import Quantities, find_quantities
from rerank.facts.quotes import Quotes
from rerank.facts.words import Word

__all__ = ["Facts"]


class Facts:
    """The facts of a text, each group found when first asked for."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words

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
    def keys(self) -> Counter[str]:
        """How often each predicate or noun occurs, denied or not."""
        return Counter(key for word in self.words for key in word.keys)

    @cached_property
    def lows(self) -> frozenset[str]:
        return frozenset(word.low for word in self.words)
