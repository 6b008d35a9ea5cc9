"""The rule for units: a number that its source gives in one unit stays in it."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.facts.guard_words import FUNCTION, LISTS, Text
from rerank.english.facts.numbers import Number, numbers_of
from rerank.guard import Facts, Violation

_MEASURES = LISTS.classes("measures")
_SIGNS = frozenset({"$", "€", "£", "¥"})
_JOINTS = frozenset(["-", "--", "to", "or", "and", ",", "by", "x"])
"""Between two numbers that share the unit of the second: *5 to 10 %*."""
_BETWEEN = LISTS.words("before measures") | {"-", "--", "."}
_KINDS = LISTS.classes("of measures")
_BEHIND = {"2": "square", "3": "cubic", "point": "point of", "points": "point of"}
_SHORT = 3
"""Letters of an abbreviation at most: what is no known unit may be one, as *300 m*."""


def changed_units(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Numbers of a text that the source gives in a unit, and the text in another or in none."""
    given = [(number, _unit(number, source)) for number in source.of(numbers_of)]
    for number in text.of(numbers_of):
        units = {unit for other, unit in given if number.values & other.values}
        if number.soft or not units or "" in units:
            continue
        unit = _unit(number, text)
        if unit in units or (not unit and _goes_without(number, text.words, units)):
            continue
        named = " or ".join(sorted(units))
        yield Violation("unit", number.text, f"the source gives {number.text} in the unit {named}")


def _unit(number: Number, facts: Facts[Text]) -> str:
    """The unit of a number, also where the next number of a range or row brings it; empty where there is none."""
    text, numbers = facts.words, facts.of(numbers_of)
    for following in numbers[numbers.index(number) :]:
        unit = _own_unit(following, text)
        if unit or following.is_year or text.low(following.stop) not in _JOINTS:
            return unit
        if not any(other.start == following.stop + 1 for other in numbers):
            return ""
    return ""


def _own_unit(number: Number, text: Text) -> str:
    """The unit that stands before a number as a sign, or behind it; empty where none does, as of a year."""
    before = text.low(number.start - 1)
    if before in _SIGNS:
        return _MEASURES[before]
    if number.is_year and text.low(number.stop) not in _MEASURES:
        return ""
    at, kind = number.stop, ""
    while text.low(at) in _BETWEEN or text.low(at) in _KINDS:
        kind = _KINDS.get(text.low(at), kind)
        at += 1
    unit = "percent" if text.low(at) == "per" and text.low(at + 1) == "cent" else _MEASURES.get(text.low(at), "")
    if unit:
        # *km ²* is cut in two, and its mark read as a small 2.
        behind = text[at + 1] if at + 1 < len(text) else None
        kind = _BEHIND.get(behind.low, kind) if behind is not None and behind.kind == "word" else kind
    return f"{kind} {unit}".strip() if unit else ""


def _goes_without(number: Number, text: Text, units: set[str]) -> bool:
    """Whether a number may stand there without its unit.

    Ages do (*aged 40*, *Smith, 40,*), shares (*10 out of 100*), what follows a unit (*5 ft 6*, *Day 3*), *24/7*, and
    what may be an abbreviation that is no known unit.
    """
    after = text.low(number.stop)
    is_short = after.isalpha() and len(after) <= _SHORT and after not in FUNCTION
    before = text.low(number.start - 1)
    return "year" in units or after in ("out", "/") or is_short or before == "/" or before in _MEASURES
