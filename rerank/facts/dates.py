"""Calendar dates and other words of time, and the rule for them: a day, month and year keep their combination."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rerank.facts.guard_words import LISTS, Facts, Word
from rerank.facts.numbers import Number, find_numbers
from rerank.guard import Violation

_MONTHS = {name: int(number) for name, number in LISTS.classes("months").items()}
_DAY_JOINTS = frozenset({"-", "—", "–", "и", "по", "до", ",", "на", "или"})
_TIMES = LISTS.classes("times")
_ROOTS = LISTS.groups("time roots")


@dataclass(frozen=True, slots=True)
class Date:
    """Day, month and year, each `None` where the text does not say; `span` are its tokens."""

    day: int | None
    month: int
    year: int | None
    span: tuple[int, int]
    text: str

    def agrees(self, other: Date) -> bool:
        """Whether everything this date says is said by `other`, or left open there only for the year."""
        return (
            self.month == other.month
            and self.day in (None, other.day)
            and (self.year is None or other.year is None or same_year(self.year, other.year))
        )


def same_year(left: float, right: float) -> bool:
    """Whether two years or decades are one, either of them with or without its century."""
    return left == right or (min(left, right) < 100 and left % 100 == right % 100)


def find_dates(facts: Facts) -> list[Date]:
    """All dates with a month; years alone are numbers."""
    words, numbers = facts.words, facts.of(find_numbers)
    by_stop = {number.stop: number for number in numbers}
    by_start = {number.start: number for number in numbers}
    dates: list[Date] = []
    for i, word in enumerate(words):
        if word.kind == "number" and (numeric := re.fullmatch(r"(\d\d?)\.(\d\d?)\.(\d{4}|\d\d)", word.text)):
            day, month, year = (int(part) for part in numeric.groups())
            dates.append(Date(day, month, year, (i, i + 1), word.text))
        elif word.kind == "word" and (month := _month(word)):
            dates.extend(_around(words, i, month, by_stop, by_start))
    return dates


def _month(word: Word) -> int:
    return _MONTHS.get(word.lemma) or next((_MONTHS[x] for x in sorted(word.lemmas) if x in _MONTHS and len(x) > 3), 0)


def _around(
    words: Sequence[Word], i: int, month: int, by_stop: dict[int, Number], by_start: dict[int, Number]
) -> list[Date]:
    after = by_start.get(i + 1)
    year = (
        int(after.value) if after is not None and after.value >= 100 and not after.unit_name.startswith("мес") else None
    )
    stop = after.stop if year is not None and after is not None else i + 1
    days: list[Number] = []
    at = i
    while (number := by_stop.get(at)) is not None and _is_day(number):
        days.append(number)
        at = number.start - 1 if number.start and words[number.start - 1].low in _DAY_JOINTS else -1
    if not days:
        return [Date(None, month, year, (i, stop), _text(words, i, stop))]
    return [Date(int(n.value), month, year, (n.start, stop), _text(words, n.start, stop)) for n in days]


def _is_day(number: Number) -> bool:
    return 1 <= number.value <= 31 and number.value == int(number.value) and not number.decade


def _text(words: Sequence[Word], start: int, stop: int) -> str:
    return " ".join(word.text for word in words[start:stop])


def _mentions_time(words: Sequence[Word], group: str) -> bool:
    """Whether some word shares the root of a word of time («зимовка» supports «зимой»)."""
    roots = _ROOTS.get(group, [group])
    return any(root in word.low for word in words if word.kind == "word" for root in roots)


def time_words(words: Sequence[Word]) -> dict[str, str]:
    """Weekdays, seasons, parts of the day and words such as «вчера»: group → the form used."""
    forms: dict[str, str] = {}
    for word in words:
        if word.kind == "word":
            group = _TIMES.get(word.low) or _TIMES.get(word.lemma)
            if group and not word.numeric and not (word.top == "ADVB" and word.low not in _TIMES):
                forms.setdefault(group, word.text)
    return forms


def changed_dates(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Dates whose day, month and year the source does not give together, and other new words of time."""
    for date in candidate.derived(find_dates):
        if not any(date.agrees(other) for other in source.derived(find_dates)) or not _year_given(date, source):
            yield Violation("date", date.text, f"the date {date.text} is not in the source")
    for group, text in candidate.of(time_words).items():
        if group not in source.of(time_words) and not _mentions_time(source.words, group):
            yield Violation("date", text, f"«{text}» is not in the source")


def _year_given(date: Date, source: Facts) -> bool:
    return date.year is None or any(
        (other.year is not None and date.agrees(other))
        or any(math.isclose(n.value, date.year, rel_tol=1e-6) for n in source.of(find_numbers))
        for other in source.derived(find_dates)
    )
