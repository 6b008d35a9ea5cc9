"""Numbers in words: which they are, and others in the same form."""

from __future__ import annotations

from functools import lru_cache

from training.negatives.forms import parse, readings
from training.negatives.pieces import is_russian

__all__ = ["is_number", "other_numbers"]

_EN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_RU = (
    "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать "
    "пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать"
).split()
_ORDINALS_EN = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINALS_RU = "второй третий четвёртый пятый шестой седьмой восьмой девятый десятый".split()
_SIZES_EN = "thousand million billion".split()
_SIZES_RU = "тысяча миллион миллиард".split()
_SETS_EN = (_EN[2:], _ORDINALS_EN, _SIZES_EN, [f"{size}s" for size in _SIZES_EN])
_SETS_RU = (_RU[2:5], _RU[5:], _ORDINALS_RU, _SIZES_RU)
"""Numbers that may stand in one another's place. *One* and *первый* are as often no number."""
_UP_TO_TWENTY = frozenset([*_EN, *_RU])
_TENS = frozenset("thirty forty fifty sixty seventy eighty ninety hundred".split())


def other_numbers(word: str) -> tuple[str, ...]:
    """Other numbers in words in the form of `word`, in small letters; none for what is no number."""
    return _russian(word.lower()) if is_russian(word) else _english(word.lower())


def _english(word: str) -> tuple[str, ...]:
    return tuple(other for one in _SETS_EN if word in one for other in one if other != word)


@lru_cache(maxsize=10_000)
def _russian(word: str) -> tuple[str, ...]:
    found = parse(word)
    same = next((one for one in _SETS_RU if found.normal_form in one), [])
    # *Тысяча* is feminine, *миллион* is not: a noun keeps its gender.
    kept = {g for g in (found.tag.case, found.tag.number if found.tag.POS != "NUMR" else None) if g}
    if found.tag.POS == "ADJF" and found.tag.gender:
        kept.add(found.tag.gender)
    made = [readings(other)[0].inflect(kept) for other in same if other != found.normal_form]
    return tuple(form.word for form in made if form)


def is_number(word: str) -> bool:
    """Whether a word is a number in words, or part of one."""
    low = word.lower()
    return (
        low in _UP_TO_TWENTY
        or low in _TENS
        or (is_russian(low) and parse(low).tag.POS == "NUMR")
        or bool(other_numbers(low))
    )
