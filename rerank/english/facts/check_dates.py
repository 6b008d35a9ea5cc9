"""The rule for dates: another month or weekday, and a day or year of another date."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.facts.dates import Date
from rerank.english.facts.extract import Facts
from rerank.facts.violation import Violation

__all__ = ["changed_dates"]


def changed_dates(source: Facts, text: Facts) -> Iterator[Violation]:
    """Months, weekdays and seasons that the source does not name, and dates put together from parts of several."""
    given, said = source.dates, text.dates
    for date in said.dates:
        told = _change(date, source)
        if told:
            yield Violation("date", date.text, told)
    for day, name in said.weekdays.items():
        if given.weekdays and day not in given.weekdays:
            yield Violation("date", name, f"the source names {next(iter(given.weekdays.values()))}")
        elif day not in given.weekdays:
            yield Violation("date", name, f"the source does not name {name}")
    for season, name in said.seasons.items():
        if given.seasons and season not in given.seasons:
            yield Violation("date", name, f"the source names the {next(iter(given.seasons.values()))}")


def _change(date: Date, source: Facts) -> str:
    same = [one for one in source.dates.dates if one.month == date.month]
    if not same:
        return "" if source.dates.numeric else f"the source does not name {date.text}"
    days = frozenset[int]().union(*(one.days for one in same))
    years = frozenset[int]().union(*(one.years for one in same))
    if days and not date.days <= days:
        return f"another day of {date.text}"
    if years and not date.years <= years:
        return f"another year of {date.text}"
    return ""
