"""Words as they are compared: folded, and without their endings."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rerank.english.irregular import BASES

__all__ = ["fold", "same_name", "stem"]

_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"})
_AMERICAN = {"labour": "labor", "harbour": "harbor", "centre": "center", "theatre": "theater", "grey": "gray"}
_VOWELS = frozenset("aeiouy")
_IN_S = ("ss", "us", "is")
_IN_ES = ("ses", "xes", "zes", "ches", "shes", "oes")
_SHARED = 4
"""Letters that two names have in common at least where they are forms of one."""
_ENDINGS = frozenset(
    """
    s es e ns a i o y n en an ean ian ians ans ese ish is er ers ic ite ites ine ines ia ias ism ist ists al ally ed
    ing ern ward wards land lands man men woman women esque ized ised ity us um on ion ions ional ial ical ar ary le
    les ue ce t ts ty ness hood ship ly ling ene enes ay ies ied or ors ory able ative ation ations os istan stan
    nian ne dy
    """.split()
) | {""}
"""What two forms of one name may have behind what they share: *Canad-a*, *Canad-ian*."""


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """Small letters without marks on them, and without apostrophes: *Malmö* is *malmo*."""
    low = word.lower()
    if not low.isascii():
        low = "".join(c for c in unicodedata.normalize("NFKD", low) if not unicodedata.combining(c))
        low = low.translate(_LETTERS)
    return _AMERICAN.get(low, low).replace("'", "")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """What the regular and irregular forms of a folded word have in common; no word itself."""
    bases = BASES.get(word)
    if bases:
        return _closed(min(bases))
    return _closed(_without_ending(word))


def _without_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(_IN_ES):
        return word[:-2]
    if word.endswith("s") and not word.endswith(_IN_S) and len(word) > 3:
        return word[:-1]
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) > 1 and _VOWELS.intersection(rest):
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word[:-2] if word.endswith("ly") and len(word) > 5 and not word.endswith("ply") else word


def _closed(word: str) -> str:
    """Without a silent *e*, and with *i* for *y*."""
    if len(word) > 2 and word.endswith("e"):
        word = word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") else word


@lru_cache(maxsize=50_000)
def same_name(one: str, other: str) -> bool:
    """Whether two folded words are forms of one name: a beginning of four letters and an ending that names have."""
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    # *Italy* and *Italian* share four letters of five.
    return shared >= _SHARED and any(
        one[at:] in _ENDINGS and other[at:] in _ENDINGS for at in range(_SHARED, shared + 1)
    )
