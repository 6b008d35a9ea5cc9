"""The rule for numbers and units: what the candidate counts, the source counts too."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rerank.facts.dates import find_dates, same_year
from rerank.facts.guard_words import LISTS, Facts
from rerank.facts.numbers import UNITS, Number, Unit, find_numbers
from rerank.guard import Violation

_FIRST = frozenset({"первый", "впервые", "сначала", "первоначально", "изначально", "первоначальный",
                    "изначальный", "первенство", "во-первых", "сперва"})  # fmt: skip
_LEADING = ("лидир", "победител", "чемпион", "перв")
_IDIOMS = frozenset({"очередь", "взгляд", "рука", "время", "план", "лицо", "помощь", "воздух"})
_VAGUE = LISTS.words("vague")
_AT_MOST = ("достиг", "максимальн", "предельн")
_SIDE = frozenset({"сторона"})


def _equal(left: float, right: float) -> bool:
    return math.isclose(left, right, rel_tol=1e-6)


def same_value(candidate: Number, source: Number) -> bool:
    if candidate.code or source.code:
        return candidate.code == source.code
    if candidate.decade or source.decade:
        return candidate.decade == source.decade and same_year(candidate.value, source.value)
    if _equal(candidate.value, source.value):
        return True
    lasting = not (candidate.ordinal or source.ordinal or candidate.year or source.year)
    if lasting and candidate.unit and source.unit and candidate.unit[0] == source.unit[0]:
        return _equal(candidate.value * candidate.unit[1], source.value * source.unit[1])
    return _percentage(candidate, source) or _percentage(source, candidate)


def _percentage(left: Number, right: Number) -> bool:
    percent = left.unit is not None and left.unit[0] == "percent"
    return percent and 0 < right.value < 1 and math.isclose(left.value / 100, right.value, abs_tol=0.004)


def changed_numbers(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Numbers (and their units, bounds and what they count) that the source does not give."""
    yield from _vague_units(source, candidate)
    in_dates = {i for date in candidate.derived(find_dates) for i in range(*date.span)}
    for number in candidate.of(find_numbers):
        if number.start in in_dates:
            continue
        if number.spelled and number.value == 1:
            yield from _one(source, candidate, number)
            continue
        same = [other for other in source.of(find_numbers) if same_value(number, other)]
        if not same and candidate.words[number.start].lemma == "оба":
            continue  # «обе стороны» takes up two things that were named, it counts nothing new
        if not same and not _single_unit(number, source):
            yield _missing(number)
        if not same:
            continue
        yield from _unit(number, same, source)
        yield from _bound(number, same, source, candidate)
        yield from _counted(number, same, source)


def _vague_units(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«несколько лет» for «несколько дней»: units that no number comes with."""
    units = {UNITS[w.lemma] for w in source.words if w.lemma in UNITS}
    for before, word in zip(candidate.words, candidate.words[1:], strict=False):
        if before.low in _VAGUE and word.lemma in UNITS and len(word.low) > 2 and units:
            unit = UNITS[word.lemma]
            if unit not in units and any(unit[0] == other[0] for other in units | _durations(units)):
                yield Violation("unit", f"{before.text} {word.text}", f"«{word.text}» is not the source's unit")


def _durations(units: set[Unit]) -> set[Unit]:
    """All units of time if `units` has one: days and years are counted apart, yet they may be exchanged."""
    times = {"time", "months"}
    return {unit for unit in UNITS.values() if unit[0] in times} if any(u[0] in times for u in units) else set()


def _single_unit(number: Number, source: Facts) -> bool:
    """«сто лет» for «больше века»: the source has one unit, with no number, as long as these many."""
    unit = number.unit
    sizes = [UNITS[w.lemma] for w in source.words if w.lemma in UNITS and len(w.low) > 2]
    return (
        unit is not None
        and number.value > 1
        and not number.ordinal
        and any(d == unit[0] and _equal(size, unit[1] * number.value) for d, size in sizes)
    )


def _missing(number: Number) -> Violation:
    if number.year:
        return Violation("date", number.text, f"the year {number.text} is not in the source")
    return Violation("number", number.text, f"the number {number.text} is not in the source")


def _one(source: Facts, candidate: Facts, number: Number) -> Iterator[Violation]:
    if number.ordinal:
        idiom = number.head in _IDIOMS
        capital = candidate.words[number.start].capital
        ones = [n for n in source.of(find_numbers) if n.value == 1 and n.ordinal]
        given = any(n.spelled or capital or _numbered(n) or _regnal(n, source, number, candidate) for n in ones)
        given = given or any(w.lemma in _FIRST or w.low.startswith(_LEADING) for w in source.words)
        if not idiom and not given:
            yield Violation("quantity", number.text, f"«{number.text}» (first) is not in the source")
        return
    following = candidate.words[number.stop] if number.stop < len(candidate.words) else None
    if following is None or following.low == "из" or number.head in _SIDE:
        return
    same = [n for n in source.of(find_numbers) if n.value == 1]
    if same:
        yield from _unit(number, same, source)
        return
    counted = [
        n for n in source.of(find_numbers) if n.head == number.head and n.unit == number.unit and (n.head or n.unit)
    ]
    if counted and not any(n.ordinal for n in counted):
        yield Violation("number", number.text, f"the source counts {counted[0].text}, not {number.text}")


def _regnal(roman: Number, source: Facts, number: Number, candidate: Facts) -> bool:
    """«Карл первый» for «Карл I»: the same word stands before both."""
    if not roman.start or not number.start:
        return False
    return bool(source.words[roman.start - 1].names & candidate.words[number.start - 1].names)


def _numbered(number: Number) -> bool:
    return number.ordinal and number.text[0].isdigit()


def _unit(number: Number, same: list[Number], source: Facts) -> Iterator[Violation]:
    if number.unit is None:
        measured = all(other.unit and not other.year and not other.ordinal for other in same)
        if measured and number.head and not number.ordinal:
            yield Violation(
                "unit", f"{number.text} {number.head}", f"{number.text} is {same[0].unit_name} in the source"
            )
        return
    if any(other.unit == number.unit or _percentage(number, other) for other in same):
        return
    if any(number.unit[0] == other.unit[0] and not _equal(number.value, other.value) for other in same if other.unit):
        return
    if any(other.unit is None and not other.head for other in same) and (
        number.unit[0] in {"months", "time"}
        or any(word.low == number.unit_name or word.lemma == number.unit_name for word in source.words)
    ):
        return
    other = same[0].unit_name or same[0].head or "no unit"
    yield Violation("unit", f"{number.text} {number.unit_name}", f"{number.text} has {other} in the source")


def _bound(number: Number, same: list[Number], source: Facts, candidate: Facts) -> Iterator[Violation]:
    bounds = {other.bound for other in same}
    at_most = number.bound == "under" and any(word.low.startswith(_AT_MOST) for word in source.words)
    if number.bound not in bounds and not at_most:
        kind = "date" if number.year else "number"
        given = ", ".join(sorted(bound or "exactly" for bound in bounds))
        said = number.bound or "exactly"
        yield Violation(kind, number.text, f"the source says {given} {number.text}, the candidate {said}")
    if not number.era and all(other.era for other in same) and not any(n.era for n in candidate.of(find_numbers)):
        yield Violation("date", number.text, f"{number.text} is before our era in the source")


def _counted(number: Number, same: list[Number], source: Facts) -> Iterator[Violation]:
    """Values exchanged: the candidate counts with one number what the source counts with another."""
    if not number.head or any(not (other.head or other.unit) or other.head == number.head for other in same):
        return
    others = [n for n in source.of(find_numbers) if n.head == number.head and not n.ordinal]
    if others and not number.ordinal:
        yield Violation("number", number.text, f"the source gives {others[0].text} {number.head}, not {number.text}")
