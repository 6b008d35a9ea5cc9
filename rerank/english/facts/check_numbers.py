"""The rule for numbers: a value that the source does not give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rerank.english.facts.extract import Facts
from rerank.english.facts.numbers import Number, Value
from rerank.english.facts.numerals import PLURALS
from rerank.english.facts.places import exchanged
from rerank.facts.violation import Violation

__all__ = ["changed_numbers"]

_ABOUT = frozenset("about around approximately approx roughly some circa c ca ~ near estimated close".split())
_LESS, _MORE = frozenset("less fewer under below nearly almost".split()), frozenset("more over above".split())
_COUNTING = frozenset("two first second".split())
_CODE = re.compile(r"(?!\w{1,2}[23]$)\D+\d\w*")
_LINKS = frozenset([",", "-", "--", "to", "and", "or", "of"])
_WITHIN = Value(18, 100)
_LONGEST_LIST = 12
_NOT_COUNTED = frozenset("squar sq year month day time and or of in to the a".split())


def changed_numbers(source: Facts, text: Facts) -> Iterator[Violation]:
    """Numbers of a text that its source does not give, counts something else with, or turns from *over* to *under*."""
    for number in text.numbers:
        told = _change(number, source, text)
        if told:
            yield Violation("number", number.text, told)
    for word in text.text.words:
        if word.kind == "word" and _CODE.fullmatch(word.low) and not source.names.supports(word.low, word.upper):
            yield Violation("number", word.text, f"the source does not give {word.text}")
    for one, other in pairwise(text.numbers):
        if _is_doubled(one, other, text) and not any(_is_doubled(*pair, source) for pair in pairwise(source.numbers)):
            yield Violation("number", other.text, f"{other.text} stands twice")
    for item, there in exchanged(source.text, source.number_items, text.text, text.number_items):
        yield Violation("number", item.text, f"the source has {there.text} there")
    vague = [word for word in source.text.words if word.low in PLURALS]
    for word in text.text.words:
        if vague and word.low in PLURALS and word.low not in {one.low for one in vague}:
            yield Violation("number", word.text, f"the source says {vague[0].text}")


def _change(number: Number, source: Facts, text: Facts) -> str:
    """What is wrong with a number; empty if nothing."""
    if number.soft and text.low(number.start) not in _COUNTING:
        return ""
    counts = _counts_of(number, source, text)
    if not number.soft and not _is_given(number, source, text):
        return f"the source does not give {number.text}"
    if counts:
        return f"the source says {counts[0].text} of what the candidate says {number.text} of"
    return f"the source bounds {number.text} from the other side" if _is_turned(number, source, text) else ""


def _is_doubled(one: Number, other: Number, text: Facts) -> bool:
    between = [text.low(at) for at in range(one.stop, other.start)]
    return one.values == other.values and len(between) == 1 and between[0] in _LINKS


def _is_given(number: Number, source: Facts, text: Facts) -> bool:
    if number.values & source.values:
        return True
    if number.decade and any(value in source.decades for value in number.values):
        return True
    if number.decade and any(value in source.hundreds for value in number.values):
        return True
    if number.month and any(value in source.dates.months for value in number.values):
        return True
    if text.low(number.stop).startswith("centur") and number.values & source.centuries:
        return True
    value = min(number.values)
    if value <= _LONGEST_LIST and not number.is_rank and value in source.list_counts:
        return True
    return _is_rounded(number, source, text)


def _is_rounded(number: Number, source: Facts, text: Facts) -> bool:
    """Whether a number is said to be about one of the source, or to be exceeded by it or not reached."""
    if number.is_year:
        return False
    before, bound = {text.low(at) for at in range(number.start - 3, number.start)}, _bound(number, text)
    if not (bound or before & _ABOUT):
        return False
    return any(
        (given - value) * bound >= 0 and _digits(value) < _digits(given)
        for value in number.values
        for given in source.values_between(value / (1 + _WITHIN), value / (1 - _WITHIN))
    )


def _digits(value: Value) -> int:
    """How many digits of a number tell: of 12,000 two."""
    digits = str(value.numerator) if value.denominator == 1 else str(float(value)).replace(".", "")
    return len(digits.strip("0"))


def _counts_of(number: Number, source: Facts, text: Facts) -> list[Number]:
    """The numbers that the source counts the same with, where this one is none of them."""
    if len(number.counted) < 3 or number.counted in _NOT_COUNTED:
        return []
    if text.low(number.start - 1) == "of" or _is_rounded(number, source, text):
        # *15 of 20 passes*: the passes are 15 as well.
        return []
    if any(one.values & number.values and source.low(one.stop) == "of" for one in source.numbers):
        return []
    alike = [one for one in source.numbers if one.is_rank == number.is_rank and not one.is_year]
    others = [one for one in alike if one.counted == number.counted]
    if any(one.values & number.values for one in others):
        return []
    return [one for one in others if one.text.lower() != "first"]


def _is_turned(number: Number, source: Facts, text: Facts) -> bool:
    own = _bound(number, text)
    if not own:
        return False
    given = {_bound(one, source) for one in source.numbers if one.values & number.values}
    return given == {-own}


def _bound(number: Number, text: Facts) -> int:
    """1 of a number that is exceeded, −1 of one that is not reached, else 0."""
    before = [text.low(at) for at in range(number.start - 2, number.start)]
    if before[-1] in ("least", "most"):
        return (before == ["at", "least"]) - (before == ["at", "most"])
    word = before[0] if before[-1] == "than" else before[-1]
    return (word in _MORE) - (word in _LESS)
