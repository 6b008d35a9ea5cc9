"""Calendar dates and other words of time: a day, month and year keep their combination."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rerank.facts.numbers import Number
from rerank.facts.words import Word

__all__ = ["Date", "find_dates", "mentions_time", "time_words"]

_NAMES = (
    "январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь",
)  # fmt: skip
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_MONTHS.update({re.sub("[ьй]$", "", name) + "ский": number for number, name in enumerate(_NAMES, 1)})
_MONTHS.update({"январский": 1, "майский": 5, "августовский": 8, "мартовский": 3, "июньский": 6, "июльский": 7,
                "сентябрьский": 9, "октябрьский": 10, "ноябрьский": 11, "декабрьский": 12, "февральский": 2,
                "апрельский": 4})  # fmt: skip
_DAY_JOINTS = frozenset({"-", "—", "–", "и", "по", "до", ",", "на", "или"})
_TIMES = {
    name: group.split()[0]
    for group in (
        "понедельник", "вторник", "четверг", "пятница", "суббота", "воскресенье",
        "вчера вчерашний", "завтра завтрашний", "позавчера", "послезавтра",
        "утро утром утренний", "вечер вечером вечерний", "ночь ночью ночной", "полдень", "полночь",
        "зима зимой зимний", "весна весной весенний", "лето летом летний", "осень осенью осенний",
    )
    for name in group.split()
}  # fmt: skip


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
            and (self.year is None or other.year is None or _same_year(self.year, other.year))
        )


def _same_year(left: int, right: int) -> bool:
    return left == right or (min(left, right) < 100 and left % 100 == right % 100)


def find_dates(words: Sequence[Word], numbers: Sequence[Number]) -> list[Date]:
    """All dates with a month; years alone are numbers."""
    by_stop = {number.stop: number for number in numbers}
    by_start = {number.start: number for number in numbers}
    found: list[Date] = []
    for i, word in enumerate(words):
        if word.kind == "number" and (numeric := re.fullmatch(r"(\d\d?)\.(\d\d?)\.(\d{4}|\d\d)", word.text)):
            day, month, year = (int(part) for part in numeric.groups())
            found.append(Date(day, month, year, (i, i + 1), word.text))
        elif word.kind == "word" and (month := _month(word)):
            found.extend(_around(words, i, month, by_stop, by_start))
    return found


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


_ROOTS = {
    "утро": "утр", "вечер": "вечер", "ночь": "ноч", "зима": "зим", "весна": "весн весен", "лето": "лет",
    "осень": "осен", "полдень": "полд", "полночь": "полноч", "вчера": "вчера",
}  # fmt: skip


def mentions_time(words: Sequence[Word], group: str) -> bool:
    """Whether some word shares the root of a word of time («зимовка» supports «зимой»)."""
    roots = _ROOTS.get(group, group).split()
    return any(root in word.low for word in words if word.kind == "word" for root in roots)


def time_words(words: Sequence[Word]) -> dict[str, str]:
    """Weekdays, seasons, parts of the day and words such as «вчера»: group → the form used."""
    found: dict[str, str] = {}
    for word in words:
        if word.kind == "word":
            group = _TIMES.get(word.low) or _TIMES.get(word.lemma)
            if group and not word.numeric and not (word.top == "ADVB" and word.low not in _TIMES):
                found.setdefault(group, word.text)
    return found
