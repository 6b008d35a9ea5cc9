"""The facts of one text, each kind found when a rule asks for it first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from rerank.english.facts.dates import Dates, dates_of
from rerank.english.facts.denials import Denials, denials_of
from rerank.english.facts.names import Names
from rerank.english.facts.numbers import Number, Value, implied_values, list_counts, numbers_of
from rerank.english.facts.places import Item
from rerank.english.facts.words import Text, text_of

__all__ = ["Facts"]

_NEXT_YEAR = {"following": 1, "next": 1, "a": 1, "one": 1, "previous": -1}
_YEARS = range(500, 2101)


def _behind(number: Number) -> range:
    return range(number.stop, number.stop + 5)


class Facts:
    """What the rules compare of a text."""

    def __init__(self, text: str) -> None:
        self.text: Text = text_of(text)
        self.low = self.text.low

    @cached_property
    def numbers(self) -> list[Number]:
        return numbers_of(self.text)

    @cached_property
    def values(self) -> frozenset[Value]:
        """Every value that the text gives, also by words that are no numbers, and the year next to one."""
        values = frozenset[Value]().union(*(number.values for number in self.numbers), implied_values(self.text))
        lows = [word.low for word in self.text.words]
        steps = {_NEXT_YEAR[word] for word, after in pairwise(lows) if after == "year" and word in _NEXT_YEAR}
        return values | {value + step for value in values if value in _YEARS for step in steps}

    @cached_property
    def _by_size(self) -> list[Value]:
        return sorted(self.values)

    def values_between(self, least: Value, most: Value) -> list[Value]:
        """The values from `least` to `most`."""
        return self._by_size[bisect_left(self._by_size, least) : bisect_right(self._by_size, most)]

    @cached_property
    def decades(self) -> frozenset[Value]:
        return frozenset(Fraction(value // 10 * 10) for value in self.values if value in _YEARS)

    @cached_property
    def centuries(self) -> frozenset[Value]:
        years = [int(value) for value in self.values if value in _YEARS]
        return frozenset(Fraction(one) for year in years for one in (year // 100, year // 100 + 1))

    @cached_property
    def hundreds(self) -> frozenset[Value]:
        """The first years of the centuries that are named: of *12th century* 1100."""
        centuries = [
            number for number in self.numbers if any(self.low(at).startswith("centur") for at in _behind(number))
        ]
        return frozenset((value - 1) * 100 for number in centuries for value in number.values if 0 < value < 30)

    @cached_property
    def list_counts(self) -> set[int]:
        return list_counts(self.text)

    @cached_property
    def dates(self) -> Dates:
        return dates_of(self.text)

    @cached_property
    def names(self) -> Names:
        return Names(self.text)

    @cached_property
    def number_items(self) -> list[Item]:
        return [
            Item(one.values, one.start, one.stop, one.text, "" if one.is_year else self.low(one.stop))
            for one in self.numbers
            if not one.soft
        ]

    @cached_property
    def denials(self) -> Denials:
        return denials_of(self.text)
