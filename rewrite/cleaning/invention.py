"""The filter of words that a weak model makes up: «ощутому», «волшебникник».

A word is known where the dictionary has it or people use it, or where it may be a form, a derivative or a
transliteration of a word of the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rerank.frequency import Wordfreq, fold
from rerank.morphology import Morphology
from rewrite.cleaning.context import Context, language, words

_RUSSIAN = re.compile(r"[а-яё]+", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_STRESS = str.maketrans("", "", "\u0300\u0301")
_JOINT = re.compile(r"[-'’]")
# «ЦСКА», «ВУЗов», «кВт», «МэВ».
_ACRONYM = re.compile(r"[А-ЯЁ]{2,6}[а-яё]{0,3}|[а-яё]{1,2}[А-ЯЁ][а-яё]?|[А-ЯЁ][а-яё][А-ЯЁ]")
# Before a full stop after which the sentence goes on: «соц. сети».
_ABBREVIATION = re.compile(r"\b[А-ЯЁа-яё][а-яё]{2,4}(?=\.\s*[-а-яё\d,;)])")
_SHORTEST, _SHORTEST_LINK = 3, 4
# Of a source in another Slavic language about half of the words are in no Russian dictionary; in Russian, one in five.
_FOREIGN = 1 / 3
# Of all words that people write; rarer ones are often slips: «вгороде».
_RAREST = 1.5e-8


def invented_words(text: str, context: Context) -> bool:
    """Rejects a Russian word that neither the dictionary nor the source has, nor anything from which it could come."""
    if language(context.source) != "ru":
        return False
    source = context.source.translate(_STRESS)
    known = set(map(spelling, _source_words(source)))
    parts = _parts(_ABBREVIATION.sub("", text.translate(_STRESS)))
    new = [part for part in parts if spelling(part) not in known and not is_word(part)]
    return bool(new) and any(_unrelated(new, source))


def _source_words(source: str) -> set[str]:
    """The Russian words of `source`; those with a hyphen by their parts, and as they are written without it."""
    joined = (_JOINT.sub("", word) for word in words(source))
    return {fold(word) for word in (*_RUSSIAN.findall(source), *filter(_RUSSIAN.fullmatch, joined))}


def _parts(text: str) -> Iterator[str]:
    """The Russian words of `text` to look up; of one with a hyphen that is no word as a whole, its parts."""
    for word in words(text):
        parts = _JOINT.split(word)
        if any(map(str.isdigit, word)) or (len(parts) > 1 and is_word(word)):
            continue
        for place, part in enumerate(parts, start=1):
            # «англо-», «северо-»
            link = place < len(parts) and part[-1] in "ое" and len(part) >= _SHORTEST_LINK
            if len(part) >= _SHORTEST and not link and _RUSSIAN.fullmatch(part) and not _ACRONYM.fullmatch(part):
                yield part


def _unrelated(new: Sequence[str], source: str) -> Iterator[str]:
    """Those of the unknown words `new` that have no kin among the rare words and foreign names of the source.

    A word of the dictionary in the source is no excuse: all of its forms are there, too. None where the source has so
    many unknown words that it must be in another language.
    """
    source_words = _source_words(source)
    rare = {word for word in source_words if len(word) >= _SHORTEST and not _in_dictionary(word)}
    if len(rare) > _FOREIGN * len(source_words):
        return
    kin = set().union(*map(stems, rare))
    sounds = {sound(word) for word in _LATIN.findall(source)} - {""}
    for word in new:
        word_stems = stems(word)
        if word_stems.isdisjoint(kin) and sounds.isdisjoint(map(sound, word_stems)):
            yield word


_ENDINGS = frozenset(
    """а я о е у ю ы и й ой ей ий ый ая яя ое ее ые ие ую юю ом ем ым им ам ям ах ях ых их ов ев ого его ому ему ыми ими
    ами ями ою ею ия ию ии ией ием иям иях""".split()
) | {""}
_LONGEST_ENDING = max(map(len, _ENDINGS))
# From a name to its adjective or its people, and back: «Гондор», «гондорский», «гондорец».
_SUFFIXES = ("ск", "овск", "евск", "инск", "анск", "ийск", "н", "к", "ец", "ц", "овец", "овц", "ист", "изм", "ов", "ев")
_FLEETING = re.compile(r"[ео](?=[бвгджзклмнпрстфхцчшщ]$)")
_DOUBLE = re.compile(r"(.)\1+")
_VARIANTS = str.maketrans("э", "е", "ьъ")
_SHORTEST_STEM, _SHORTEST_ROOT, _SHORTEST_SOUND = 3, 4, 2
# Consonants by which one alphabet may write the other's, classed as in Soundex. Vowels, h, w and в say nothing.
_CLASSES = ("bfpбпф", "cgkqsxzгжзксхцчшщ", "dtдт", "lл", "mnмн", "rр")
_SOUNDS = {ord(letter): str(number) for number, letters in enumerate(_CLASSES) for letter in letters}
_SILENT = re.compile(r"\D")


def spelling(word: str) -> str:
    """`word` as all of its variants would be spelt: э as е, double letters single, no ь or ъ."""
    return _single(word).translate(_VARIANTS)


def stems(word: str) -> set[str]:
    """What is left of the `spelling` of a word without one of the endings it may have, and a suffix before that."""
    plain = spelling(word)
    cut = {plain[: len(plain) - size] for size in range(_LONGEST_ENDING + 1) if plain[len(plain) - size :] in _ENDINGS}
    cut |= {_FLEETING.sub("", stem) for stem in cut}
    roots = {stem.removesuffix(suffix) for stem in cut for suffix in _SUFFIXES if stem.endswith(suffix)}
    return {stem for stem in cut if len(stem) >= _SHORTEST_STEM} | {
        root for root in roots if len(root) >= _SHORTEST_ROOT
    }


def sound(word: str) -> str:
    """The consonants of a Latin or Russian word by classes, equal for «Майнкрафт» and “Minecraft”; empty where there
    are too few to tell words apart."""
    heard = _SILENT.sub("", _single(word).translate(_SOUNDS))
    return heard if len(heard) >= _SHORTEST_SOUND else ""


def _single(word: str) -> str:
    return _DOUBLE.sub(r"\1", fold(word))


def is_word(word: str) -> bool:
    """Whether `word`, a run of Russian letters in any case, is in the dictionary or among those that people write.

    Loads the dictionary at the first call, and the list of frequencies at the first for a word that it has not.
    """
    return _in_dictionary(word) or _frequencies().lookup([fold(word)])[fold(word)] > _RAREST


def _in_dictionary(word: str) -> bool:
    return any(_morphology().known(form) for form in (word.lower(), fold(word)))


@lru_cache(maxsize=1)
def _morphology() -> Morphology:
    """Kept for the process, since a rule is a function and has nowhere to keep it."""
    return Morphology(cache_size=2_000)


@lru_cache(maxsize=1)
def _frequencies() -> Wordfreq:
    return Wordfreq()
