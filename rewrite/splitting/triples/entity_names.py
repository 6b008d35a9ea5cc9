"""How texts spell an entity of a triple: names with and without what is in brackets, numbers, units, dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rewrite.splitting.triples.triple import entity_name

_MONTHS = "january february march april may june july august september october november december".split()
_DATE = re.compile(r"(\d{4})-(\d{1,2}|[A-Z][a-z]{2})-(\d{1,2})")
_NUMBER = re.compile(r"(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?:\s*\(([A-Za-zµ][\w\s/³²^]*)\))?")
_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"\s+\([^()]*\)")
_GAP = r"(?:[\W_]{0,3}|,?\s(?:and|&)\s)"
# What the texts leave out at the end of a name.
_TAIL = re.compile(r"\s+(?:languages?|music|people|architecture|in the United States)$", re.IGNORECASE)
_OTHERWISE = {
    "united states": (r"u\W?\s?s\W?\s?a\b\.?", r"u\.s\.?", r"us\b", r"united states of america", r"america\b"),
    "united kingdom": (r"u\W?\s?k\b\.?", r"great britain"),
}
# Words of units as texts write them; `per` and the powers stand between them.
_UNITS = {
    "kilometre": r"kilomet(?:re|er)s?|kms?",
    "metre": r"met(?:re|er)s?|m",
    "millimetre": r"millimet(?:re|er)s?|mms?",
    "centimetre": r"centimet(?:re|er)s?|cms?",
    "gram": r"grams?|gms?|g",
    "kilogram": r"kilograms?|kgs?",
    "day": r"days?",
    "minute": r"minutes?|mins?",
    "second": r"seconds?|secs?|s",
    "kelvin": r"(?:degrees?\s)?(?:kelvins?|k)",
    "celsius": r"celsius|c",
    "degree": r"degrees?|°",
    "tonne": r"tonnes?|tons?",
    "inhabitant": r"inhabitants?|people",
    "inche": r"inch(?:es)?",
    "per": r"per|/|a|to\sthe|for\seach",
    "square": r"square|sq\.?",
    "cubic": r"cubic|cu\.?",
}
UNIT_WORDS = frozenset(
    """
    kilometres kilometers metres meters millimetres millimeters centimetres centimeters miles feet inches km mm cm kg
    mph grams kilograms tonnes tons pounds days minutes seconds hours years kelvins celsius fahrenheit degrees hectares
    acres litres liters gm sqkm dollars euros percent
    """.split()
)
"""Units of which a text must not say more than it was told."""
_STROKES = str.maketrans("øØłŁđĐıðÐ", "oOlLdDidD")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def fold(text: str) -> str:
    """The text without accents, as long as before: some texts write *Köln*, some *Koln*."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFD", character)[0] for character in text.translate(_STROKES))


def words(text: str) -> list[str]:
    """Words and numbers in lower case, without accents; thousands are not set apart, and 24.0 is 24."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", fold(text).lower())
    return [re.sub(r"\.0+$", "", word) for word in re.findall(r"\d+(?:\.\d+)?|[^\W_]+", plain)]


def is_literal(entity: str) -> bool:
    """Whether an entity is a number, with or without a unit, or a date."""
    name = entity_name(entity)
    return _date(name) is not None or _NUMBER.fullmatch(name) is not None


def _date(name: str) -> tuple[int, int, int] | None:
    """Year, month and day of a date, written with numbers or with the beginning of the month's name."""
    match = _DATE.fullmatch(name)
    if match is None:
        return None
    short = [month[:3] for month in _MONTHS]
    word = match[2].lower()
    month = short.index(word) + 1 if word in short else int(word) if word.isdigit() else 0
    return (int(match[1]), month, int(match[3])) if 1 <= month <= 12 else None


def own_name(entity: str) -> str:
    """An entity by its own words: without brackets, dates as *22 January 2004*, numbers without an empty fraction."""
    name = entity_name(entity)
    if date := _date(name):
        return f"{date[2]} {_MONTHS[date[1] - 1].capitalize()} {date[0]}"
    if number := _NUMBER.fullmatch(name):
        sign, whole, fraction, unit = number.groups()
        fraction = (fraction or "").rstrip("0")
        return f"{sign}{whole}{'.' if fraction else ''}{fraction}{' ' if unit else ''}{_measure(unit or '')}"
    return _BRACKETS.sub("", name).strip() or name


def _measure(unit: str) -> str:
    return _HUMP.sub(" ", unit).lower().strip()


@lru_cache(maxsize=20_000)
def _patterns(entity: str) -> tuple[re.Pattern[str], ...]:
    """What finds an entity in a text without accents, the fullest form first."""
    name = entity_name(entity)
    forms = [*_dates(name), *_numbers(name)] or list(dict.fromkeys(_forms(name)))
    return tuple(re.compile(rf"(?<!\w)(?:{form})(?!\w)", re.IGNORECASE) for form in forms if form)


def _forms(name: str) -> Iterator[str]:
    bare = _BRACKETS.sub("", name).strip()
    yield _spelt(name)
    yield _spelt(bare)
    yield from _OTHERWISE.get(bare.lower(), ())
    yield _spelt(_TAIL.sub("", bare))
    for divider in (",", " of ", "/"):
        first = bare.split(divider)[0].strip()
        if first != bare and len(first) > 3 and (divider == "," or len(first.split()) > 1):
            yield _spelt(first)
    if bare.lower().startswith("the "):
        yield _spelt(bare[4:])


def _spelt(name: str) -> str:
    """A name whose words may have any marks between them, and an `s` behind."""
    pieces = _WORD.findall(fold(name))
    if not pieces:
        return re.escape(fold(name))
    opened = r"\(?" if name.startswith("(") else ""
    closed = r"\)?" if name.endswith(")") else r"\.?" if name.endswith(".") else ""
    end = r"(?:e?s)?" if pieces[-1].isalpha() and len(pieces[-1]) > 2 and not closed else ""
    return opened + _GAP.join(map(re.escape, pieces)) + end + closed


def _dates(name: str) -> list[str]:
    numbers = _date(name)
    if numbers is None:
        return []
    year, month, day = str(numbers[0]), *numbers[1:]
    word = _MONTHS[month - 1]
    named = rf"(?:{word}|{word[:4]}\.?|{word[:3]}\.?)"
    days = rf"0?{day}\s?(?:st|nd|rd|th)?"
    gap = r"[\s,]{0,3}"
    return [
        re.escape(name),
        rf"{days}\s(?:day\s)?(?:of\s)?{named}{gap}(?:of\s|in\s)?{year}",
        rf"{named}\s?(?:the\s)?{days}{gap}(?:of\s|in\s)?{year}",
        rf"0?{day}[/.-]0?{month}[/.-](?:{year}|{year[2:]})",
        rf"0?{month}[/.-]0?{day}[/.-](?:{year}|{year[2:]})",
        rf"{year}[/.-]0?{month}[/.-]0?{day}",
        rf"{year},?\s{named}\s{days}",
    ]


def _numbers(name: str) -> list[str]:
    number = _NUMBER.fullmatch(name)
    if number is None:
        return []
    sign, whole, fraction, unit = number.groups()
    digits = whole.replace(",", "")
    grouped = r"[,\s]?".join(
        [digits[: len(digits) % 3], *re.findall(r"\d{3}", digits[len(digits) % 3 :])]
    ).removeprefix(r"[,\s]?")
    kept = (fraction or "").rstrip("0")
    tail = rf"\.{kept}0*" if kept else r"(?:\.0+)?"
    minus = r"(?:[-−–]|minus\s)" if sign else r"(?<![-\d.,/])"
    plain = rf"{minus}{grouped}{tail}(?![.,]?\d)"
    if not unit:
        return [plain]
    unit_words = _measure(unit).split()
    measure = r"\s?".join(f"(?:{_UNITS.get(word.removesuffix('s'), re.escape(word))})" for word in unit_words)
    return [rf"{plain}[\s-]?\(?{measure}\)?"]


def mentions(text: str, entity: str) -> list[tuple[int, int]]:
    """Spans of the entity in a text, in order, all by the fullest form that the text has of it."""
    plain = fold(text)
    for pattern in _patterns(entity):
        if spans := [match.span() for match in pattern.finditer(plain)]:
            return spans
    return []
