"""Mutations that keep a text about as long and make it say something else: names, numbers, denials.

Simplification leaves words out legitimately, so their share says little of a rewrite; these say more. A text that says
something else has the label 0, however few of its words it takes. They are for texts in Russian and in English.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import lru_cache

from rerank.wordlists import denials
from training.negatives.forms import parse, readings
from training.negatives.pieces import Draw, Mutated, Piece, Pieces, is_russian, with_capital_of

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
_DRAWS = 150
_LEAVES = {"no": "a", "нет": "есть", "без": "с", "without": "with", "never": "always"}
"""What a word that denies becomes where leaving it out would break the sentence; others are left out."""
_DENIALS = denials("en", "particle") | denials("ru", "particle") | _LEAVES.keys()
_DENIED_EN = frozenset("is are was were has had have can could will would may might must should does did do".split())
_SENTENCE_ENDS = frozenset('. ! ? … " « “ : —'.split())
_SAME_STEM = 4
_YEAR = re.compile("(1[5-9]|20)[0-9]{2}")


def other_numbers(word: str) -> tuple[str, ...]:
    """Other numbers in words in the form of `word`, in small letters; none for what is no number."""
    return _other_russian(word.lower()) if is_russian(word) else _other_english(word.lower())


def _other_english(word: str) -> tuple[str, ...]:
    return tuple(other for numbers in _SETS_EN if word in numbers for other in numbers if other != word)


@lru_cache(maxsize=10_000)
def _other_russian(word: str) -> tuple[str, ...]:
    reading = parse(word)
    same = next((numbers for numbers in _SETS_RU if reading.normal_form in numbers), [])
    # *Тысяча* is feminine, *миллион* is not: a noun keeps its gender.
    kept = {g for g in (reading.tag.case, reading.tag.number if reading.tag.POS != "NUMR" else None) if g}
    if reading.tag.POS == "ADJF" and reading.tag.gender:
        kept.add(reading.tag.gender)
    made = [readings(other)[0].inflect(kept) for other in same if other != reading.normal_form]
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


def swap_names(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With another name in the place of `share` of its own, of another text or of this one; `None` without any.

    What begins with a capital where no sentence does is a name. In Russian the other one ends in the same letter, so
    that it mostly has the same case.
    """
    places = _names(pieces)
    if not places:
        return None
    names = {n: pieces.pieces[n].text for n in places}
    changed: dict[int, str] = {}
    for n in rng.sample(places, max(1, round(share * len(places)))):
        within = [text for text in names.values() if _is_another(text, names[n])]
        changed[n] = rng.choice(within) if within and rng.random() < 0.3 else _another_name(names[n], rng, draw)
    return _changed(pieces, changed)


def swap_numbers(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With other numbers for `share` of its own: another digit or word, or two exchanged; `None` without any."""
    in_words = _numbers_in_words(pieces)
    places = [n for n, piece in enumerate(pieces.pieces) if n in in_words or any(map(str.isdigit, piece.text))]
    if not places:
        return None
    changed: dict[int, str] = {}
    for n in rng.sample(places, max(1, round(share * len(places)))):
        text = pieces.pieces[n].text
        if n in in_words:
            changed[n] = with_capital_of(text, rng.choice(in_words[n]))
            continue
        figures = [pieces.pieces[m].text for m in places if m not in in_words and pieces.pieces[m].text != text]
        changed[n] = rng.choice(figures) if figures and rng.random() < 0.3 else _other_digit(text, rng)
    return _changed(pieces, changed)


def _numbers_in_words(pieces: Pieces) -> dict[int, tuple[str, ...]]:
    """Numbers in words that are one word, by place, with others for each: *двадцать семь* would be no other number."""
    texts = [piece.text for piece in pieces.pieces]
    numbers = {}
    for n, text in enumerate(texts):
        beside = (*texts[max(0, n - 1) : n], *texts[n + 1 : n + 2])
        alone = not any(is_number(word) or word.isdigit() for word in beside)
        # *Два* and *две* go by the noun, which the others do not.
        others = tuple(other for other in other_numbers(text) if other not in ("два", "две"))
        if others and (alone or texts[n + 1 : n + 2] == ["million"]):
            numbers[n] = others
    return numbers


def flip_negation(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With a denial taken out; of a text without any, with one put in before a verb. `None` where neither can be."""
    denials = [n for n, piece in enumerate(pieces.pieces) if piece.text.lower() in _DENIALS]
    if denials:
        n = rng.choice(denials)
        instead = _LEAVES.get(pieces.pieces[n].text.lower(), "")
        return _changed(pieces, {n: with_capital_of(pieces.pieces[n].text, instead)})
    verbs = [n for n, piece in enumerate(pieces.pieces) if n and _may_be_denied(piece.text)]
    if not verbs:
        return None
    n = rng.choice(verbs)
    text = pieces.pieces[n].text
    return _changed(pieces, {n: f"не {text}" if is_russian(text) else f"{text} not"})


def _changed(pieces: Pieces, texts: dict[int, str]) -> Mutated | None:
    """The text with other words at some places, none where a text is empty; `None` where that is the same."""
    put = [replace(piece, text=texts.get(n, piece.text)) for n, piece in enumerate(pieces.pieces)]
    kept = [piece for piece in put if piece.text]
    if kept and put[0].text == "":
        kept[0] = replace(kept[0], text=kept[0].text[:1].upper() + kept[0].text[1:])
    text = pieces.of(kept).text
    return None if text == pieces.text else Mutated(text, 0.0)


def _names(pieces: Pieces) -> list[int]:
    """Places of words with a capital where no sentence begins."""
    texts = [piece.text for piece in pieces.pieces]
    return [
        n
        for n, text in enumerate(texts)
        if n and text[:1].isupper() and len(text) > 2 and texts[n - 1] not in _SENTENCE_ENDS
    ]


def _another_name(name: str, rng: random.Random, draw: Draw) -> str:
    """A name of another text; the same one where none is drawn in some tries."""
    last = name[-1] if is_russian(name) else ""
    for _ in range(_DRAWS):
        piece: Piece = draw(rng)
        text = piece.text
        # A word that begins a sentence has a capital too, but nearly always is known in small letters as well.
        if text[:1].isupper() and len(text) > 3 and piece.before and text.endswith(last) and _is_another(text, name):
            return text
    return name


def _is_another(name: str, other: str) -> bool:
    return name[:_SAME_STEM].lower() != other[:_SAME_STEM].lower()


def _other_digit(text: str, rng: random.Random) -> str:
    """The number with one of its digits another one, the first of several never 0; of a year one of the last two.

    Years that no text has would be seen without the source.
    """
    places = [n for n, letter in enumerate(text) if letter.isdigit()]
    at = rng.choice(places[-2:] if _YEAR.fullmatch(text) else places)
    others = [digit for digit in "123456789" if digit != text[at]]
    return text[:at] + rng.choice(others) + text[at + 1 :]


def _may_be_denied(text: str) -> bool:
    if not is_russian(text):
        return text in _DENIED_EN
    return text.islower() and parse(text).tag.POS in ("VERB", "PRTS")
