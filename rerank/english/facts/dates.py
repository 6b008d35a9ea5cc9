"""Months with their days and years, weekdays and seasons of a text, and the rule for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rerank.english.facts.guard_words import Text, Word
from rerank.guard import Facts, Violation

_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {
    **{name: n for n, name in enumerate(_MONTHS, 1)},
    **{name[:3]: n for n, name in enumerate(_MONTHS, 1)},
    "sept": 9,
}
WEEKDAYS = {day: n for n, day in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())}
_SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
_ALSO_WORDS = frozenset("may march mar jan dec jun sun".split())
"""Months that are words or first names too: dates only beside a number or behind a preposition."""
_BEFORE = frozenset(
    "in of on by since until till from late early mid during and to between through - every last".split()
)
_BETWEEN_DAYS = frozenset("- -- , and to or & through".split())
_BEFORE_SEASON = frozenset("in the of during last next early late that each every mid".split())
_DAYS = range(1, 32)
_YEARS = range(100, 2101)
_NUMERIC = re.compile(r"[-/.]")


@dataclass(frozen=True, slots=True)
class Date:
    """A month with the days and the years that stand beside it."""

    month: int
    days: frozenset[int]
    years: frozenset[int]
    text: str


@dataclass(slots=True)
class Dates:
    """The dates of a text; `numeric` where it has some such as 14/12/1944."""

    dates: list[Date] = field(default_factory=list)
    weekdays: dict[int, str] = field(default_factory=dict)
    seasons: dict[int, str] = field(default_factory=dict)
    numeric: bool = False

    @property
    def months(self) -> set[int]:
        return {date.month for date in self.dates}


def dates_of(text: Text) -> Dates:
    """All dates of a text."""
    dates = Dates()
    for at, word in enumerate(text):
        if word.kind == "number":
            dates.numeric |= _is_numeric(text, at)
        elif word.low in MONTHS and _is_month(text, at, word):
            dates.dates.append(_date(text, at))
        elif word.low in WEEKDAYS or word.low.removesuffix("s") in WEEKDAYS:
            dates.weekdays[WEEKDAYS[word.low.removesuffix("s")]] = word.text
        elif word.low in _SEASONS and text.low(at - 1) in _BEFORE_SEASON:
            dates.seasons[_SEASONS[word.low]] = word.text
    return dates


def _is_numeric(text: Text, at: int) -> bool:
    """Whether two dates' worth of marks stand behind: 14/12/1944, 1944-12-14."""
    return all(_NUMERIC.fullmatch(text.low(at + n)) for n in (1, 3)) and text.low(at + 4).isdigit()


def _is_month(text: Text, at: int, word: Word) -> bool:
    if word.cap and word.low not in _ALSO_WORDS and len(word.low) > 3:
        return True
    beside = [text.low(at - 1), text.low(at + 1)]
    if text.low(at + 1) == ".":
        beside.append(text.low(at + 2))
    numbers = any(_day(text, place) or _year(text, place) for place in (at - 1, at + 1, at + 2))
    if word.low in _ALSO_WORDS and not word.cap:
        return False
    return numbers or (word.cap and (len(word.low) > 3 or word.low == "may") and beside[0] in _BEFORE)


def _date(text: Text, at: int) -> Date:
    days, years = set(_before(text, at)), set()
    after = at + 1
    while text.low(after) in (".", ",", "of"):
        after += 1
    if _day(text, after) and text.low(after + 1) not in MONTHS:
        days.add(_day(text, after))
        after += 1
        while text.low(after) in _BETWEEN_DAYS and _day(text, after + 1) and text.low(after + 2) not in MONTHS:
            days.add(_day(text, after + 1))
            after += 2
        while text.low(after) in (".", ",", "of", "in"):
            after += 1
    while _year(text, after):
        years.add(_year(text, after))
        after += 2 if text.low(after + 1) in ("-", "--", "/", "and") else 1
    return Date(MONTHS[text.low(at)], frozenset(days), frozenset(years), text[at].text)


def _before(text: Text, at: int) -> Iterator[int]:
    """The days before a month: *14 December*, *the 3rd of May*, *14 and 17 June*."""
    place = at - 1
    while text.low(place) in ("of", "the"):
        place -= 1
    while _day(text, place):
        yield _day(text, place)
        place -= 1
        if text.low(place) not in _BETWEEN_DAYS:
            return
        place -= 1


def _day(text: Text, at: int) -> int:
    """The day of the month that a number may be; 0 for others."""
    low = text.low(at)
    return int(low) if len(low) <= 2 and low.isdecimal() and int(low) in _DAYS else 0


def _year(text: Text, at: int) -> int:
    low = text.low(at)
    return int(low) if 2 < len(low) <= 4 and low.isdecimal() and int(low) in _YEARS else 0


def changed_dates(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Months, weekdays and seasons that the source does not name, and dates put together from parts of several."""
    given, said = source.of(dates_of), text.of(dates_of)
    for date in said.dates:
        change = _change(date, given)
        if change:
            yield Violation("date", date.text, change)
    for day, name in said.weekdays.items():
        if given.weekdays and day not in given.weekdays:
            yield Violation("date", name, f"the source names {next(iter(given.weekdays.values()))}")
        elif day not in given.weekdays:
            yield Violation("date", name, f"the source does not name {name}")
    for season, name in said.seasons.items():
        if given.seasons and season not in given.seasons:
            yield Violation("date", name, f"the source names the {next(iter(given.seasons.values()))}")


def _change(date: Date, given: Dates) -> str:
    same = [other for other in given.dates if other.month == date.month]
    if not same:
        return "" if given.numeric else f"the source does not name {date.text}"
    days = frozenset[int]().union(*(other.days for other in same))
    years = frozenset[int]().union(*(other.years for other in same))
    if days and not date.days <= days:
        return f"another day of {date.text}"
    if years and not date.years <= years:
        return f"another year of {date.text}"
    return ""
