"""Numbers in words: which they are, others in the same form, and those that stand for figures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from training.negatives.forms import parse, readings
from training.negatives.pieces import is_russian

__all__ = ["figure_of", "in_words", "is_number", "may_be_respelled", "other_numbers"]

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
_FIGURES: Mapping[str, str] = MappingProxyType({word: str(n) for words in (_EN, _RU) for n, word in enumerate(words)})
_TENS = frozenset("thirty forty fifty sixty seventy eighty ninety hundred".split())
_FEWEST_OF_GENITIVE = 5


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


def in_words(figure: str, following: str) -> str:
    """A number of 2 to 20 in words, before the word that follows; empty where its form is not certain.

    In Russian only from 5, before a noun in the genitive plural: *5 домов*, and not *к 5 домам* or *5 мая*.
    """
    if not (figure.isascii() and figure.isdigit() and 2 <= int(figure) <= 20):
        return ""
    number = int(figure)
    if is_russian(following):
        tag = parse(following).tag
        counted = tag.POS == "NOUN" and {"gent", "plur"} <= set(tag.grammemes)
        return _RU[number] if counted and number >= _FEWEST_OF_GENITIVE else ""
    return _EN[number] if following.isalpha() and following.islower() else ""


def may_be_respelled(before: str, following: str) -> bool:
    """Whether a number between two words is one by itself, in the nominative or accusative, and no part of a name."""
    if not (before.isalpha() and before.islower() and following.isalpha() and following.islower()):
        return False
    if is_number(before) or is_number(following) or parse(following).tag.POS == "NUMR":
        return following in _SIZES_EN
    # Behind a verb, and not *из*, *более* or *возрасте*: only there is the case certain.
    return not is_russian(before) or parse(before).tag.POS == "VERB"


def is_number(word: str) -> bool:
    """Whether a word is a number in words, or part of one."""
    low = word.lower()
    return (
        low in _FIGURES
        or low in _TENS
        or (is_russian(low) and parse(low).tag.POS == "NUMR")
        or bool(other_numbers(low))
    )


def figure_of(word: str) -> str:
    """The figures for a number from 2 to 20 in words, in the nominative; empty for another word."""
    figure = _FIGURES.get(word.lower(), "")
    return figure if figure and int(figure) > 1 else ""
