"""Whether a word that no dictionary has may be a form, a derivative or a transliteration of one in the source."""

from __future__ import annotations

import re

from rerank.frequency import fold

__all__ = ["sound", "spelling", "stems"]

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
