"""Numbers of a text as values: «5 тыс.», «пять тысяч» and «5 000» are the same fact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rerank.facts.guard_words import FRACTIONS, HALVES, LISTS, SCALES, Word
from rerank.frequency import fold
from rerank.guard import roman

Unit = tuple[str, float]


def _units() -> dict[str, Unit]:
    rows = (row.split() for row in LISTS.rows("units"))
    return {name: (dimension, float(size)) for dimension, size, *names in rows for name in names}


#: Folded lemma or abbreviation → its dimension, and its size in the dimension's base unit.
UNITS = _units()

_DIGITS = re.compile(r"([\d\s.,:/]*\d)-?([А-Яа-яЁё]*)")
_DECADE_SUFFIXES = frozenset({"е", "х", "ые", "ых", "м", "ми", "ым", "ыми"})
_DECADE_ENDINGS = ("ые", "ых", "ым", "ыми")
_SINGLE_SCALE = re.compile(
    r"(?:тысяч[ауе]й?|тысячью|сотн[яюе]й?|(?:милли|трилли)он(?:[уе]|ом)?|миллиард(?:[уе]|ом)?|десяток|десятк(?:[ау]|ом)"
    r"|дюжин.*|пол.*)$"
)
_GENITIVE_SCALES = frozenset({"тысячи", "сотни", "миллиона", "миллиарда", "триллиона"})
_BEFORE_GENITIVE = frozenset({"более", "больше", "свыше", "около", "порядка", "менее", "меньше", "до", "почти"})
_JOINTS = frozenset({"-", "—", "–", "−", "и", "или", "либо", "до", "по", ",", "от", "с", "…", "к", "/"})
_DASHES = frozenset({"-", "—", "–", "−"})
_BOUNDS = LISTS.classes("bounds")
_BOUND_PHRASES = [
    (bound, words.split()) for bound, _, words in (row.partition(": ") for row in LISTS.rows("bound phrases"))
]
_PREPOSITIONS = frozenset({"в", "во", "на", "с", "со", "по", "из", "к", "за", "чем", "через", "у", "от"})
_SQUARE = frozenset({"кв", "квадратный"})
_CUBIC = frozenset({"куб", "кубический"})
_MODIFIERS = frozenset({"ADJF", "PRTF"})


@dataclass(slots=True)
class Number:
    """A number at tokens `start`…`stop`: its value, what it counts, and what bounds it.

    `code` holds what is no single value (18:30, 2:1). `bound` is `about`, `over`, `under`, `before`, `after` or empty.
    A negative `value` stands for an indefinite multitude («тысячи людей» is −1000, «более тысячи» is 1000).
    """

    value: float
    start: int
    stop: int
    text: str
    code: str = ""
    ordinal: bool = False
    spelled: bool = False
    decade: bool = False
    unit: Unit | None = None
    unit_name: str = ""
    head: str = ""
    bound: str = ""
    era: bool = False

    @property
    def year(self) -> bool:
        """Whether it names a calendar year or decade."""
        return self.decade or ((self.ordinal or not self.spelled) and self._calendar)

    @property
    def _calendar(self) -> bool:
        return self.unit == UNITS["год"] and self.value >= 100 and self.value == int(self.value)


def find_numbers(words: Sequence[Word]) -> list[Number]:
    """All numbers of the text, left to right."""
    numbers: list[Number] = []
    i = 0
    while i < len(words):
        if not words[i].numeric or _family(words, i):
            i += 1
            continue
        number = _read(words, i)
        if number is None:
            i += 1
            continue
        numbers.append(number)
        i = number.stop
    for number in numbers:
        _attach(number, words)
    for left, right in zip(reversed(numbers[:-1]), reversed(numbers[1:]), strict=True):
        _share(left, right, words)
    for number in numbers:
        _bound(number, words)
    return numbers


def _family(words: Sequence[Word], i: int) -> bool:
    """Whether «семью» is the family (accusative), not the number seven (instrumental, with a plural after it)."""
    return words[i].low == "семью" and (i + 1 >= len(words) or not words[i + 1].plural)


def _read(words: Sequence[Word], i: int) -> Number | None:
    word = words[i]
    if word.kind == "roman":
        return Number(float(roman(word.text)), i, i + 1, word.text, ordinal=True)
    if word.kind == "number":
        return _digits(words, i)
    if word.value is None:
        return _scale_alone(words, i)
    return _spelled(words, i)


def _digits(words: Sequence[Word], i: int) -> Number | None:
    matched = _DIGITS.fullmatch(words[i].text)
    if matched is None:
        return None
    digits, suffix = re.sub(r"\s", "", matched[1]), fold(matched[2])
    number = Number(0.0, i, i + 1, words[i].text)
    if re.fullmatch(r"\d+(?:,\d+)?|\d+\.\d+", digits):
        number.value = float(digits.replace(",", "."))
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", digits):
        number.value = float(digits.replace(".", ""))
    elif re.fullmatch(r"\d+/[1-9]\d*", digits):
        top, bottom = digits.split("/")
        number.value = int(top) / int(bottom)
    else:
        number.code = digits
        return number
    _suffix(number, suffix, words)
    _century_of_range(number, words)
    return _scaled(number, words)


def _suffix(number: Number, suffix: str, words: Sequence[Word]) -> None:
    if not suffix:
        return
    following = words[number.stop] if number.stop < len(words) else None
    if suffix in _DECADE_SUFFIXES and number.value % 10 == 0 and number.value >= 10:
        of_years = following is not None and following.lemma in {"год", "гг"}
        number.decade = number.value >= 1000 or of_years or following is None or following.top != "NOUN"
    for name in UNITS:
        if suffix == name or (len(name) > 2 and suffix.startswith(name)):
            number.unit, number.unit_name = UNITS[name], name
            return
    number.ordinal = len(suffix) <= 3


def _century_of_range(number: Number, words: Sequence[Word]) -> None:
    # «1941—45»: the second year borrows its century.
    if number.value >= 100 or number.start < 2 or words[number.start - 1].text not in _DASHES:
        return
    before = words[number.start - 2].text
    if re.fullmatch(r"1\d{3}|20\d{2}", before) and re.fullmatch(r"\d\d", words[number.start].text):
        number.value += int(before) // 100 * 100


def _scaled(number: Number, words: Sequence[Word]) -> Number:
    j = number.stop
    if j < len(words) and words[j].scale:
        scale = words[j].scale
        number.value *= FRACTIONS.get(scale) or SCALES[scale]
        number.stop = j + 1
        number.text += " " + words[j].text
        if number.stop < len(words) and words[number.stop].text == "." and len(words[j].text) < 5:
            number.stop += 1
        rest = _read(words, number.stop) if number.stop < len(words) and words[number.stop].numeric else None
        if rest is not None and 0 < rest.value < SCALES.get(scale, 0) and (rest.value >= 1000 or rest.spelled):
            number.value += rest.value
            number.stop = rest.stop
            number.text += " " + rest.text
    return number


def _scale_alone(words: Sequence[Word], i: int) -> Number:
    word = words[i]
    if word.scale in FRACTIONS:
        return Number(FRACTIONS[word.scale], i, i + 1, word.text, spelled=True)
    size = float(SCALES[word.scale])
    if not (_SINGLE_SCALE.match(word.low) or len(word.scale) <= 4 or _genitive(words, i)):
        return Number(-size, i, i + 1, word.text, spelled=True)
    return _scaled(Number(size, i, i + 1, word.text, spelled=True), words)


def _genitive(words: Sequence[Word], i: int) -> bool:
    """Whether «тысячи» is one thousand, as in «более тысячи» and «больше чем тысячи», not thousands."""
    before = [word.low for word in words[max(0, i - 2) : i]]
    if before[-1:] == ["чем"]:
        before.pop()
    return words[i].low in _GENITIVE_SCALES and not _BEFORE_GENITIVE.isdisjoint(before[-1:])


def _spelled(words: Sequence[Word], i: int) -> Number:
    value, last, j = 0.0, float("inf"), i
    ordinal = decade = False
    while j < len(words) and not ordinal:
        addend = words[j].value
        if addend is None or not _continues(last, addend):
            break
        value += addend
        ordinal = words[j].top in {"ADJF", "ADJS"} and words[j].lemma != "один"
        decade = ordinal and 20 <= addend < 100 and addend % 10 == 0 and words[j].low.endswith(_DECADE_ENDINGS)
        last = addend
        j += 1
    if value == 0.5:
        half = words[i].low if words[i].low in HALVES else words[i].lemma
        return Number(value, i, j, words[i].text, spelled=True, unit=UNITS[HALVES[half]], unit_name=HALVES[half])
    number = Number(value, i, j, " ".join(w.text for w in words[i:j]), ordinal=ordinal, spelled=True, decade=decade)
    if (ordinal and words[j - 1].low.startswith(("двух", "трех", "четырех"))) or "лет" in words[j - 1].low:
        _compound_unit(number, words[j - 1].low)
    return number if ordinal else _scaled(number, words)


def _compound_unit(number: Number, word: str) -> None:
    for name in ("летний", "летие", "часовой", "дневный", "минутный", "метровый", "километровый", "тонный"):
        if name[:-2] in word:
            number.unit, number.unit_name = UNITS.get(name, UNITS["день"]), name
            return


def _continues(last: float, value: float) -> bool:
    if last == float("inf"):
        return True
    return (last >= 100 and last % 100 == 0 and 0 < value < 100) or (
        20 <= last < 100 and last % 10 == 0 and 0 < value < 10
    )


def _attach(number: Number, words: Sequence[Word]) -> None:
    """Find the unit or the counted noun after the number (or the currency sign before it)."""
    if number.start and words[number.start - 1].text in {"$", "€", "£", "¥", "₽"}:
        number.unit_name = words[number.start - 1].text
        number.unit = UNITS[number.unit_name]
    if number.unit is not None:
        return
    j, power = number.stop, ""
    if j < len(words) and words[j].text == "." and words[j - 1].scale:
        j += 1
    for _ in range(4):
        if j >= len(words):
            return
        word = words[j]
        if word.low in _SQUARE or word.lemma in _SQUARE:
            power = "²"
        elif word.low in _CUBIC or word.lemma in _CUBIC:
            power = "³"
        elif _unit(number, words, j, power):
            return
        elif word.top == "NOUN" and word.kind == "word":
            number.head = word.lemma
            return
        elif not (word.pos & _MODIFIERS or word.low in {"лишним"} or (word.text == "." and power)):
            return
        j += 1


def _unit(number: Number, words: Sequence[Word], j: int, power: str) -> bool:
    word = words[j]
    name = next((form for form in (word.low, word.lemma) if form in UNITS), "")
    if not name or (word.kind == "word" and word.capital and len(word.low) > 3):
        return False
    dotted = j + 1 < len(words) and words[j + 1].text == "."
    if name in {"в", "вв"} and not (number.ordinal and dotted and j == number.stop):
        return False
    if name == "г" and not (dotted or 1000 <= number.value <= 2100):
        name = "грамм"
    dimension, size = UNITS[name]
    if j + 2 < len(words) and words[j + 1].text == "/":
        dimension, name = f"{dimension}/{words[j + 2].low}", f"{name}/{words[j + 2].low}"
    if power or word.text.endswith(("²", "³")):
        power = power or word.text[-1]
        dimension, size = dimension + power, size ** (2 if power == "²" else 3)
    number.unit, number.unit_name = (dimension, size), name + power
    return True


def _share(left: Number, right: Number, words: Sequence[Word]) -> None:
    between = words[left.stop : right.start]
    if left.unit is not None or left.head or not between or len(between) > 3:
        return
    if all(word.low in _JOINTS or word.low in _BOUNDS for word in between):
        left.unit, left.unit_name, left.head = right.unit, right.unit_name, right.head


def _bound(number: Number, words: Sequence[Word]) -> None:
    i = number.start - 1
    while i >= 0 and words[i].low in _PREPOSITIONS and number.start - i <= 2:
        i -= 1
    low = words[i].low if i >= 0 else ""
    bound = _BOUNDS.get(low) or _BOUNDS.get(words[i].lemma if i >= 0 else "", "")
    verb_between = i > 1 and words[i - 1].top in {"VERB", "INFN"}
    negated = i > 0 and words[i - 1 - verb_between].low == "не"
    if bound in {"over", "under"} and negated:
        bound = "under" if bound == "over" else "over"
    if low == "до" and i == number.start - 1:
        ranged = _ranged(words, i)
        bound = "" if ranged else ("before" if number.year else "under")
    elif low == "после" and i == number.start - 1 and number.year:
        bound = "after"
    following = [w.low for w in words[number.stop : number.stop + 4]]
    if following[:2] == ["с", "лишним"] or following[:2] == ["и", "более"] or following[1:3] == ["и", "более"]:
        bound = "over"
    number.bound = bound or (_phrase_bound(words, i) if not number.year else "")
    number.era = any(following[k : k + 3] == ["до", "н", "."] for k in range(2)) or any(
        following[k : k + 2] == ["до", "нашей"] for k in range(3)
    )


def _phrase_bound(words: Sequence[Word], last: int) -> str:
    """The bound that a phrase ending at `last` sets: «по меньшей мере», «хотя бы», «без малого»."""
    for bound, phrase in _BOUND_PHRASES:
        start = last + 1 - len(phrase)
        if start >= 0 and all(word.low == low for word, low in zip(words[start:], phrase, strict=False)):
            return bound
    return ""


def _ranged(words: Sequence[Word], i: int) -> bool:
    """Whether «до» at `i` ends a range that «от», «с» or a dash begins, with no other phrase between."""
    for j in range(i - 1, max(-1, i - 7), -1):
        if words[j].low in {"и", ",", "или"}:
            return False
        if words[j].low in {"от", "с", "со", "—"}:
            return True
    return False
