"""Words that stand against each other: what a text may not say where its source says the opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rerank.guard import Violation
from rerank.wordlists import Side, denials

__all__ = ["opposed", "sides_of"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d[\d.,]*|[.!?:\"«“]")
_LITTLE = frozenset("less little least few only un недостаточно мало менее меньше почти лишь только".split())
_DENIALS = denials("en") | denials("ru") | _LITTLE
"""Where one of these stands, an opposite may well say the same: *not closed*, *open*; *little known*, *unknown*."""
_UNITS = frozenset(
    "year years month months week weeks day days hour hours minute minutes min mile miles foot feet inch inches yard"
    " yards metre metres meter meters kilometre kilometres kilometer kilometers centimetre centimetres centimeter"
    " centimeters m cm km mm ft in".split()
)
_MEASURES = frozenset("old long high deep wide tall thick".split())
"""Behind a number or a unit these say nothing but how much: *twenty years old*, *2 m deep*."""


def sides_of(word: str, before: str = "") -> frozenset[Side]:
    """Where a word in any of its forms stands against others in any text; comparatives and superlatives nowhere.

    *The north is colder* says what *the south is warmer* says; so such pairs, and lines of the list with ~, are left
    out.
    """
    if _is_russian(word):
        from rerank.opposites import russian

        return russian.sides_of(word.lower())
    from rerank.opposites import english

    return english.sides_of(word, before)


def _is_russian(word: str) -> bool:
    return "а" <= word[:1].lower() <= "ё"


def opposed(source: str, text: str) -> list[Violation]:
    """Words of a text whose opposite the source has, where neither has any word of the other's side and none is denied.

    A source that itself says a word and an opposite of it tells of two events (*it opened in May and closed in June*),
    of which the text may tell either. By the lists of English and Russian words. Each
    has the kind `opposite`.
    """
    said, given = _Words(text), _Words(source)
    if said.denied or given.denied:
        return []
    violations: dict[str, Violation] = {}
    for side, word in said.sides.items():
        other = side.other
        if other not in given.sides or side in given.sides or other in said.sides:
            continue
        if any(given_side.other in given.sides for given_side in given.of_word[given.sides[other]]):
            continue
        message = f"the source says the opposite, {given.sides[other]!r}"
        violations.setdefault(word, Violation("opposite", word, message))
    return list(violations.values())


class _Words:
    """Of a text where its words stand against others, and whether there is a denial."""

    def __init__(self, text: str) -> None:
        words = _WORD.findall(text)
        self.denied = any(word.lower() in _DENIALS or word.lower().endswith(("n't", "n’t")) for word in words)
        self.sides: dict[Side, str] = {}
        self.of_word: dict[str, frozenset[Side]] = {}
        for before, word in _weighed(words):
            self.of_word[word] = self.of_word.get(word, frozenset()) | sides_of(word, before)
            for side in self.of_word[word]:
                self.sides.setdefault(side, word)


def _weighed(words: list[str]) -> Iterator[tuple[str, str]]:
    """Words with the word or mark before each, without adjectives that measure, numbers, and names (*Young won*)."""
    for before, word in pairwise(["", *words]):
        measures = word.lower() in _MEASURES and (before[:1].isdigit() or before.lower() in _UNITS)
        named = word[0].isupper() and before[:1].isalnum()
        if word[0].isalpha() and not (measures or named):
            yield before, word
