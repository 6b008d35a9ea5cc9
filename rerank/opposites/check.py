"""Whether a text says the opposite of a word of its source."""

from __future__ import annotations

import re
from itertools import pairwise

from rerank.facts.violation import Violation
from rerank.opposites.lexicon import Side, sides_of

__all__ = ["opposed"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_DENIALS = frozenset(
    "not no never none nobody nothing neither nor without cannot hardly less little least few only n't un"
    " не ни нет без никто ничто никогда недостаточно мало менее меньше едва почти лишь только".split()
)
"""Where one of these stands, an opposite may well say the same: *not closed*, *open*; *little known*, *unknown*."""


def opposed(source: str, text: str) -> list[Violation]:
    """Words of a text whose opposite the source has, where neither has any word of the other's side and none is denied.

    By the lists of `rerank.opposites.lexicon`, of English and Russian words. Each has the kind `opposite`.
    """
    said, given = _Words(text), _Words(source)
    if said.denied or given.denied:
        return []
    found: dict[str, Violation] = {}
    for side, word in said.sides.items():
        other = side.other
        if other in given.sides and side not in given.sides and other not in said.sides:
            told = f"the source says the opposite, {given.sides[other]!r}"
            found.setdefault(word, Violation("opposite", word, told))
    return list(found.values())


class _Words:
    """Of a text where its words stand against others, and whether there is a denial."""

    def __init__(self, text: str) -> None:
        words = _WORD.findall(text)
        self.denied = any(word.lower() in _DENIALS or word.lower().endswith(("n't", "n’t")) for word in words)
        self.sides: dict[Side, str] = {}
        for before, word in pairwise(["", *words]):
            for side in sides_of(word, before):
                self.sides.setdefault(side, word)
