"""Numbers of a text: their values, and what they count."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from rerank.english.facts.dates import MONTHS
from rerank.english.facts.guard_words import LISTS, LONGEST_NUMBER, Text, Word
from rerank.guard import Facts, roman

Value = Fraction


def _table(name: str) -> dict[str, int]:
    return {word: int(value) for word, value in LISTS.classes(name).items()}


UNITS, TENS, SCALES, ORDINALS, IMPLIED = map(_table, ("units", "tens", "scales", "ordinals", "implied"))
FRACTIONS = {word: Fraction(share) for word, share in LISTS.classes("fractions").items()}
_DASHES = frozenset(["-", "--", "/"])
_SHORT_SCALES = {"m": 10**6, "k": 1_000, "mil": 10**6, "b": 10**9}
_EXACT_SCALES = {word: value for word, value in SCALES.items() if word not in _SHORT_SCALES}
_NUMERALS = UNITS.keys() | TENS.keys() | ORDINALS.keys()
_PERCENT = frozenset({"%", "percent", "per", "cent"})
_OF_YEARS = range(10, 21)
_TO_RANGE = frozenset(["-", "--", "to", "or"])
_BEFORE_YEAR = frozenset(["'", "in", "since", "by", "from", "until"])
_TO_COUNTED = _PERCENT | {"-", "of"}
_SOFT = frozenset("zero one two first second half quarter quarters thirds halves".split())
"""What a text may say that counts or lists nothing: *this one*, *the two*, *first*."""
_PARTS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}
_SOFT_RANKS = frozenset({("1", "st"), ("2", "nd")})
_MOST_ITEM_WORDS = 6
_NEXT_YEAR = {"following": 1, "next": 1, "a": 1, "one": 1, "previous": -1}
_YEARS = range(500, 2101)


@dataclass(frozen=True, slots=True)
class Number:
    """What a text gives as a number: its readings, and the places of its words.

    `soft` are words that often mean no number (*one of them*). `counted` is the stem of the word behind it.
    """

    values: frozenset[Value]
    start: int
    stop: int
    text: str
    soft: bool
    decade: bool
    month: bool
    counted: str
    is_year: bool
    is_rank: bool


_LARGEST = 10**30
"""No number in words goes on beyond it."""


def numbers_of(text: Text) -> list[Number]:
    """All numbers of a text in order, in digits and in words."""
    numbers, at = [], 0
    while at < len(text):
        read = _digits(text, at) if text[at].kind == "number" else _in_words(text, at)
        if read is None:
            at += 1
            continue
        values, stop = read
        numbers.append(_number(text, values, at, stop))
        at = stop
    return numbers


def _number(text: Text, values: frozenset[Value], at: int, stop: int) -> Number:
    word, is_alone = text[at], stop == at + 1
    is_soft = is_alone and (word.low in _SOFT or (word.low, word.tail) in _SOFT_RANKS)
    is_date = _is_year(word) or text.low(at - 1) in MONTHS or text.low(stop) in MONTHS
    return Number(
        values,
        at,
        stop,
        text=" ".join(part.text for part in text[at:stop]),
        soft=is_soft or _is_label(text, at, stop),
        decade=word.tail.endswith("s") or (text.low(stop) == "s" and word.low.endswith("0")),
        month=_is_in_date(text, at),
        counted="" if is_date else _counted(text, stop),
        is_year=_is_year(word),
        is_rank=_is_rank(text[stop - 1]),
    )


def _is_label(text: Text, at: int, stop: int) -> bool:
    """Whether a number only numbers the text (*1 . He left*), or is the hundred of a share (*10 out of 100*)."""
    if (at == 0 and text.low(stop) == ".") or (text.low(stop) == ")" and text.low(at - 1) != "("):
        return True
    return text.low(at) == "100" and [text.low(at - 2), text.low(at - 1)] in (["out", "of"], ["of", "every"])


def _is_year(word: Word) -> bool:
    return word.kind == "number" and len(word.low) == 4 and word.low.isdigit()


def _is_rank(word: Word) -> bool:
    return word.low in ORDINALS or word.tail in ("st", "nd", "rd", "th")


def _is_in_date(text: Text, at: int) -> bool:
    """Whether a number stands before or behind a slash or hyphen and another, as months in figures do: 9/18/2005."""
    return any(text.low(at + step) in ("/", "-", ".") and text.low(at + 2 * step).isdigit() for step in (1, -1))


def _counted(text: Text, at: int) -> str:
    """The stem of the word that a number stands before, behind *percent of the* where that is there."""
    skipped = _TO_COUNTED if text.low(at) in _PERCENT else {"-"}
    while text.low(at) in skipped:
        at += 1
    word = text[at] if at < len(text) else None
    return word.stem if word is not None and word.kind == "word" else ""


def _digits(text: Text, at: int) -> tuple[frozenset[Value], int]:
    word = text[at]
    value = Fraction(word.low.replace(",", ""))
    values = {value}
    if len(word.low.partition(".")[2]) == 3:
        values.add(value * 1_000)
    if value < 100 and value.denominator == 1:
        values.update(_short_years(text, at, value))
    scale, stop = _scale(text, at + 1)
    if scale == 1 and text.low(stop) in _SHORT_SCALES:
        values.add(value * _SHORT_SCALES[text.low(stop)])
    if scale == 1 and text.low(stop) in _TO_RANGE and text.low(stop + 1)[:1].isdigit():
        # *2 to 3 thousand*, *70 - 80,000*.
        values.add(value * (1_000 if "," in text.low(stop + 1) else _scale(text, stop + 2)[0]))
    return frozenset(number * scale for number in values), stop


def _short_years(text: Text, at: int, value: Value) -> Iterator[Value]:
    """The years that two digits may stand for: *the '90s*, *1929 - 30*, *in 97*, *04/05/72*."""
    word, before = text[at], text.low(at - 1)
    if word.tail.endswith("s") or (len(word.low) == 2 and (before in _BEFORE_YEAR or _is_in_date(text, at))):
        yield from (1800 + value, 1900 + value, 2000 + value)
    if before in _DASHES and at > 1 and text[at - 2].kind == "number":
        yield from _end_of_range(text[at - 2], value)


def _end_of_range(first: Word, value: Value) -> Iterator[Value]:
    """The year that ends *1929 - 30*."""
    start = first.low.replace(",", "")
    if start.isdigit() and len(start) == 4 and value > int(start[2:]):
        yield Fraction(start[:2]) * 100 + value


def _scale(text: Text, at: int) -> tuple[int, int]:
    """What *million* behind a number, or *hundred thousand*, multiplies it by, and the place behind that."""
    scale = 1
    while True:
        place = at + 1 if text.low(at) == "-" else at
        if text.low(place) not in _EXACT_SCALES or text.low(place) == "score" or scale > _LARGEST:
            return scale, at
        scale *= _EXACT_SCALES[text.low(place)]
        at = place + 1


def _in_words(text: Text, at: int) -> tuple[frozenset[Value], int] | None:
    low = text.low(at)
    if low in _NUMERALS or (low in _EXACT_SCALES and low != "score"):
        value, stop = _numeral(text, at)
        if value in _OF_YEARS and text.low(stop) in TENS:
            # *Eighteen forty-six*.
            rest, stop = _numeral(text, stop)
            return frozenset({Fraction(100 * value + rest)}), stop
        return _with_fraction(text, Fraction(value), at, stop)
    if low in FRACTIONS:
        return _shares(FRACTIONS[low]), at + 1
    return None


def _with_fraction(text: Text, value: Value, at: int, stop: int) -> tuple[frozenset[Value], int]:
    """*Two thirds* is a share; *third* a rank or a share; all others are what they are."""
    place = stop + 1 if text.low(stop) == "-" else stop
    fraction = FRACTIONS.get(text.low(place))
    if fraction is not None and 0 < value < 10 and stop == at + 1 and text.low(at) in UNITS:
        return _shares(value * fraction) | {value}, place + 1
    low = text.low(at)
    return (_shares(FRACTIONS[low]) if low in FRACTIONS else frozenset()) | {value}, stop


def _shares(share: Value) -> frozenset[Value]:
    return frozenset({share, Fraction(int(share * 100)), Fraction(round(share * 100))})


def _numeral(text: Text, at: int) -> tuple[int, int]:
    """The value of a numeral in words, and the place behind it."""
    total, group, start = 0, 0, at
    while True:
        low = text.low(at)
        if total + group > _LARGEST:
            return total + group, at
        if at > start and low in ("and", "-", "--") and _goes_on(text, at, total + group):
            at += 1
            continue
        added = UNITS.get(low, TENS.get(low, ORDINALS.get(low)))
        if added is not None and _fits(group, added, at == start):
            group, at = group + added, at + 1
            if low in ORDINALS:
                return total + group, at
        elif low in _EXACT_SCALES and low != "score":
            scale = _EXACT_SCALES[low]
            small = scale in (12, 100)
            total, group = (total, (group or 1) * scale) if small else (total + (group or 1) * scale, 0)
            at += 1
        else:
            return total + group, at


def _goes_on(text: Text, at: int, value: int) -> bool:
    after = text.low(at + 1)
    if text.low(at) in _DASHES:
        return after in _EXACT_SCALES or (value % 10 == 0 and value < 100 and after in _NUMERALS)
    return value >= 100 and after in _NUMERALS and after not in ("first", "second")


def _fits(group: int, added: int, is_first: bool) -> bool:
    """Whether a numeral goes on an earlier one: *twenty* before *one*, *hundred* before all."""
    if is_first:
        return True
    room = 10 if group % 100 >= 20 and group % 10 == 0 else 100 if group % 100 == 0 else 0
    return 0 < added < room


def implied_values(text: Text) -> Iterator[Value]:
    """Numbers that words say without being numbers: *a decade*, *II*, the 16 of *F16*."""
    for at, word in enumerate(text):
        if word.text in _PARTS:
            before = text.low(at - 1)
            yield _PARTS[word.text] + (int(before) if before.isdecimal() and len(before) <= LONGEST_NUMBER else 0)
            yield from map(Fraction, _PARTS[word.text].as_integer_ratio())
        if word.kind == "number" and "." in word.low:
            # *8.30 pm* is *8:30 pm*.
            yield from map(Fraction, word.low.replace(",", "").split("."))
        if word.low in FRACTIONS:
            yield from _part_of_scale(text, at)
        if word.kind == "word":
            value = IMPLIED.get(word.low) or IMPLIED.get(word.low.removesuffix("s")) or roman(word.text)
            if value:
                yield Fraction(value)
            digits = "".join(c if c in "0123456789" else " " for c in word.text)
            yield from (Fraction(part) for part in digits.split() if len(part) <= LONGEST_NUMBER)


def _part_of_scale(text: Text, at: int) -> Iterator[Value]:
    """*Half a million*, *a quarter of a million*."""
    place = at + 1
    while text.low(place) in ("of", "a", "-"):
        place += 1
    if place > at + 1 and text.low(place) in _EXACT_SCALES:
        yield FRACTIONS[text.low(at)] * _EXACT_SCALES[text.low(place)]


def list_counts(text: Text) -> set[int]:
    """How many items the lists of a text have: of *Rome, Paris and London* three."""
    counts = set()
    items = length = 0
    for word, first in zip(text, text.first, strict=True):
        if first and word.kind != "mark":
            items = length = 0
        if word.low in (",", ";"):
            items, length = (items + 1 if length <= _MOST_ITEM_WORDS else 1), 0
        elif word.low in ("and", "or", "&", "plus"):
            # What comes before the first comma is often no item.
            counts |= {items, items + 1, items + 2}
        else:
            length += 1
    return counts


class Values:
    """Every value that a text gives, also by words that are no numbers, and the year next to one."""

    def __init__(self, facts: Facts[Text]) -> None:
        text = facts.words
        self._low = text.low
        self._numbers = facts.of(numbers_of)
        values = frozenset[Value]().union(*(number.values for number in self._numbers), implied_values(text))
        lows = [word.low for word in text]
        steps = {_NEXT_YEAR[word] for word, after in pairwise(lows) if after == "year" and word in _NEXT_YEAR}
        self.all = values | {value + step for value in values if value in _YEARS for step in steps}
        self._years = [int(value) for value in self.all if value in _YEARS]

    @cached_property
    def _by_size(self) -> list[Value]:
        return sorted(self.all)

    def between(self, least: Value, most: Value) -> list[Value]:
        """The values from `least` to `most`."""
        return self._by_size[bisect_left(self._by_size, least) : bisect_right(self._by_size, most)]

    @cached_property
    def decades(self) -> frozenset[Value]:
        return frozenset(Fraction(value // 10 * 10) for value in self.all if value in _YEARS)

    @cached_property
    def centuries(self) -> frozenset[Value]:
        return frozenset(Fraction(century) for year in self._years for century in (year // 100, year // 100 + 1))

    @cached_property
    def hundreds(self) -> frozenset[Value]:
        """The first years of the centuries that are named: of *12th century* 1100."""
        centuries = [
            number
            for number in self._numbers
            if any(self._low(at).startswith("centur") for at in range(number.stop, number.stop + 5))
        ]
        return frozenset((value - 1) * 100 for number in centuries for value in number.values if 0 < value < 30)
