"""The rule for units: a number that its source gives in one unit stays in it."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.facts.numbers import Number, numbers_of
from rerank.english.facts.words import LISTS, Text
from rerank.guard import Facts, Violation

_MEASURES = LISTS.classes("measures")
_SIGNS = frozenset({"$", "€", "£", "¥"})
_JOINTS = frozenset(["-", "--", "to", "or", "and", ",", "by", "x"])
"""Between two numbers that share the unit of the second: *5 to 10 %*."""
_BETWEEN = LISTS.words("before measures") | {"-", "--", "."}


def changed_units(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Numbers of a text that the source gives in a unit, and the text in another or in none."""
    given = [(number, _unit(number, source)) for number in source.of(numbers_of)]
    for number in text.of(numbers_of):
        units = {unit for other, unit in given if number.values & other.values}
        if number.soft or not units or "" in units:
            continue
        unit = _unit(number, text)
        # Ages go without it: *aged 40*, *Smith, 40,*; *10 out of 100* is a share.
        if unit in units or (not unit and ("year" in units or text.words.low(number.stop) == "out")):
            continue
        named = " or ".join(sorted(units))
        yield Violation("unit", number.text, f"the source gives {number.text} in the unit {named}")


def _unit(number: Number, facts: Facts[Text]) -> str:
    """The unit of a number, also where the next number of a range or row brings it; empty where there is none."""
    text, numbers = facts.words, facts.of(numbers_of)
    for following in numbers[numbers.index(number) :]:
        unit = _own_unit(following, text)
        if unit or text.low(following.stop) not in _JOINTS:
            return unit
        if not any(other.start == following.stop + 1 for other in numbers):
            return ""
    return ""


def _own_unit(number: Number, text: Text) -> str:
    before = text.low(number.start - 1)
    if before in _SIGNS:
        return _MEASURES[before]
    if number.is_year and text.low(number.stop) not in _MEASURES:
        return ""
    at = number.stop
    while text.low(at) in _BETWEEN:
        at += 1
    is_percent = text.low(at) == "per" and text.low(at + 1) == "cent"
    return "percent" if is_percent else _MEASURES.get(text.low(at), "")
