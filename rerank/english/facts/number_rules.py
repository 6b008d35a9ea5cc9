"""The rule for numbers: a value that the source does not give, or gives in another place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

from rerank.english.facts.dates import dates_of
from rerank.english.facts.guard_words import FUNCTION, Text, text_of
from rerank.english.facts.names import Names
from rerank.english.facts.numbers import Number, Value, Values, list_counts, numbers_of
from rerank.guard import Facts, Violation

_ABOUT = frozenset("about around approximately approx roughly some circa c ca ~ near estimated close".split())
_LESS, _MORE = frozenset("less fewer under below nearly almost".split()), frozenset("more over above".split())
_COUNTING = frozenset("two first second".split())
_CODE = re.compile(r"(?!\w{1,2}[23]$)\D+\d\w*")
_LINKS = frozenset([",", "-", "--", "to", "and", "or", "of"])
_WITHIN = Value(18, 100)
_LONGEST_LIST = 12
_NOT_COUNTED = frozenset("squar sq year month day time and or of in to the a".split())
_PLURALS = frozenset("hundreds thousands millions billions trillions dozens scores tens".split())
"""Numbers of no value: *thousands of people*."""
_ROW_LINKS = frozenset([*", ; and or & - -- / ( ) to of in the a near".split(), ""])
_NEAREST = 4


def changed_numbers(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Numbers of a text that its source does not give, counts something else with, or turns from *over* to *under*."""
    for number in text.of(numbers_of):
        change = _change(number, source, text)
        if change:
            yield Violation("number", number.text, change)
    for word in text.words:
        if word.kind == "word" and _CODE.fullmatch(word.low) and not source.of(Names).supports(word.low, word.upper):
            yield Violation("number", word.text, f"the source does not give {word.text}")
    for number, following in pairwise(text.of(numbers_of)):
        if _is_doubled(number, following, text.words) and not any(
            _is_doubled(*pair, source.words) for pair in pairwise(source.of(numbers_of))
        ):
            yield Violation("number", following.text, f"{following.text} stands twice")
    for number, replaced in _exchanged(source, text):
        yield Violation("number", number.text, f"the source has {replaced.text} there")
    vague = [word for word in source.words if word.low in _PLURALS]
    for word in text.words:
        if vague and word.low in _PLURALS and word.low not in {plural.low for plural in vague}:
            yield Violation("number", word.text, f"the source says {vague[0].text}")


def lost_shares(source: str, texts: Sequence[str]) -> list[float]:
    """The share of the numbers of `source` that each text leaves out, in [0, 1]; *one of them* has none."""
    given, *others = (Facts(text, text_of(text)) for text in (source, *texts))
    numbers = [number for number in given.of(numbers_of) if not number.soft]
    return [sum(not _is_given(n, other, given) for n in numbers) / max(1, len(numbers)) for other in others]


def _change(number: Number, source: Facts[Text], text: Facts[Text]) -> str:
    """What is wrong with a number; empty if nothing."""
    if number.soft and text.words.low(number.start) not in _COUNTING:
        return ""
    counts = _counts_of(number, source, text.words)
    if not number.soft and not _is_given(number, source, text):
        return f"the source does not give {number.text}"
    if counts:
        return f"the source says {counts[0].text} of what the candidate says {number.text} of"
    return f"the source bounds {number.text} from the other side" if _is_turned(number, source, text.words) else ""


def _is_doubled(first: Number, second: Number, text: Text) -> bool:
    between = [text.low(at) for at in range(first.stop, second.start)]
    return first.values == second.values and len(between) == 1 and between[0] in _LINKS


def _is_given(number: Number, source: Facts[Text], text: Facts[Text]) -> bool:
    values = source.derived(Values)
    if number.values & values.all:
        return True
    if number.decade and number.values & (values.decades | values.hundreds):
        return True
    if number.month and number.values & source.of(dates_of).months:
        return True
    if text.words.low(number.stop).startswith("centur") and number.values & values.centuries:
        return True
    value = min(number.values)
    if value <= _LONGEST_LIST and not number.is_rank and value in source.of(list_counts):
        return True
    return _is_rounded(number, values, text.words)


def _is_rounded(number: Number, values: Values, text: Text) -> bool:
    """Whether a number is said to be about one of the source, or to be exceeded by it or not reached."""
    if number.is_year:
        return False
    before, bound = {text.low(at) for at in range(number.start - 3, number.start)}, _bound(number, text)
    if not (bound or before & _ABOUT):
        return False
    return any(
        (exact - value) * bound >= 0 and _digits(value) < _digits(exact)
        for value in number.values
        for exact in values.between(value / (1 + _WITHIN), value / (1 - _WITHIN))
    )


def _digits(value: Value) -> int:
    """How many digits of a number tell: of 12,000 two."""
    digits = str(value.numerator) if value.denominator == 1 else str(float(value)).replace(".", "")
    return len(digits.strip("0"))


def _counts_of(number: Number, source: Facts[Text], text: Text) -> list[Number]:
    """The numbers that the source counts the same with, where this one is none of them."""
    if len(number.counted) < 3 or number.counted in _NOT_COUNTED:
        return []
    if text.low(number.start - 1) == "of" or _is_rounded(number, source.derived(Values), text):
        # *15 of 20 passes*: the passes are 15 as well.
        return []
    numbers = source.of(numbers_of)
    if any(other.values & number.values and source.words.low(other.stop) == "of" for other in numbers):
        return []
    alike = [other for other in numbers if other.is_rank == number.is_rank and not other.is_year]
    others = [other for other in alike if other.counted == number.counted]
    if any(other.values & number.values for other in others):
        return []
    return [other for other in others if other.text.lower() != "first"]


def _is_turned(number: Number, source: Facts[Text], text: Text) -> bool:
    bound = _bound(number, text)
    if not bound:
        return False
    given = {_bound(other, source.words) for other in source.of(numbers_of) if other.values & number.values}
    return given == {-bound}


def _bound(number: Number, text: Text) -> int:
    """1 of a number that is exceeded, −1 of one that is not reached, else 0."""
    before = [text.low(at) for at in range(number.start - 2, number.start)]
    if before[-1] in ("least", "most"):
        return (before == ["at", "least"]) - (before == ["at", "most"])
    word = before[0] if before[-1] == "than" else before[-1]
    return (word in _MORE) - (word in _LESS)


def _exchanged(source: Facts[Text], text: Facts[Text]) -> Iterator[tuple[Number, Number]]:
    """Numbers of a text, each with the one that stands in the source behind the same two words.

    Only where one of the two words tells something, where the source has the number too, but never behind the last word
    of the two, and where neither number stands in a list or row with the other.
    """
    given = [number for number in source.of(numbers_of) if not number.soft]
    behind: dict[tuple[str, str], list[Number]] = defaultdict(list)
    for number in given:
        behind[_before(number, source.words)].append(number)
    for number in text.of(numbers_of):
        words, unit = _before(number, text.words), _unit(number, text.words)
        if number.soft or not any(len(word) > 2 and word.isalpha() and word not in FUNCTION for word in words):
            continue
        replaced = [other for other in behind[words] if _unit(other, source.words) == unit]
        same = [other for other in given if other.values & number.values]
        if not replaced or not same or any(other.values & number.values for other in replaced):
            continue
        if not any(_may_follow(other, words[1], source.words) for other in same) and not _is_linked(
            same, replaced, source.words
        ):
            yield number, replaced[0]


def _before(number: Number, text: Text) -> tuple[str, str]:
    return text.low(number.start - 2), text.low(number.start - 1)


def _unit(number: Number, text: Text) -> str:
    """The word behind a number, none of a year."""
    return "" if number.is_year else text.low(number.stop)


def _may_follow(number: Number, word: str, source: Text) -> bool:
    """Whether a number stands behind the same word in the source too, for a year one that tells something."""
    return source.low(number.start - 1) == word and (bool(_unit(number, source)) or word not in FUNCTION)


def _is_linked(numbers: Iterable[Number], others: Iterable[Number], source: Text) -> bool:
    """Whether two numbers of the source stand in a list or row: *in 3, 4 and 5*, *2 km (1 mile)*."""
    for pair in product(numbers, others):
        first, second = sorted(pair, key=lambda number: number.start)
        words = [source.low(at) for at in range(first.stop, second.start)]
        if len(words) <= _NEAREST and ("(" in words or _ROW_LINKS.issuperset(words)):
            return True
    return False
