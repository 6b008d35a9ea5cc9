"""English words for numbers, by value."""

from __future__ import annotations

import re
from fractions import Fraction

__all__ = ["FRACTIONS", "IMPLIED", "ORDINALS", "PLURALS", "SCALES", "TENS", "UNITS", "roman"]

_UNITS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth
""".split()

UNITS = {word: n for n, word in enumerate(_UNITS)}
TENS = {word: 10 * n for n, word in enumerate(_TENS, 2)}
SCALES = {
    **{
        "hundred": 100,
        "thousand": 1_000,
        "million": 10**6,
        "billion": 10**9,
        "trillion": 10**12,
        "bn": 10**9,
        "tn": 10**12,
    },
    **{"mln": 10**6, "mil": 10**6, "m": 10**6, "k": 1_000, "dozen": 12, "score": 20, "lakh": 10**5, "crore": 10**7},
}
ORDINALS = {
    **{word: n for n, word in enumerate(_ORDINALS, 1)},
    **{word[:-1] + "ieth": n for word, n in TENS.items()},
    **{"hundredth": 100, "thousandth": 1_000, "millionth": 10**6},
}
PLURALS = frozenset("hundreds thousands millions billions trillions dozens scores tens".split())
"""Numbers of no value: *thousands of people*."""
FRACTIONS = {
    **{"half": Fraction(1, 2), "halves": Fraction(1, 2), "third": Fraction(1, 3), "thirds": Fraction(1, 3)},
    **{"quarter": Fraction(1, 4), "quarters": Fraction(1, 4), "fourths": Fraction(1, 4)},
    **{"fifths": Fraction(1, 5), "sixths": Fraction(1, 6), "eighths": Fraction(1, 8), "tenths": Fraction(1, 10)},
}
IMPLIED = {
    **{
        "decade": 10,
        "century": 100,
        "millennium": 1_000,
        "thirdly": 3,
        "fourthly": 4,
        "millennia": 1_000,
        "centurie": 100,
        "inaugural": 1,
        "debut": 1,
        "sole": 1,
        "couple": 2,
        "pair": 2,
        "both": 2,
        "twin": 2,
        "twice": 2,
    },
    **{"double": 2, "dual": 2, "duo": 2, "trio": 3, "triple": 3, "thrice": 3, "triplet": 3, "trilogy": 3, "quartet": 4},
    **{"quadruple": 4, "quintet": 5, "sextet": 6, "octet": 8, "dozen": 12, "single": 1, "once": 1, "hat": 3},
    **{"biennial": 2, "bicentennial": 200, "centennial": 100, "centenary": 100, "tricentennial": 300, "week": 7},
    **{
        "fortnight": 14,
        "year": 12,
        "eve": 31,
        "triangle": 3,
        "triangular": 3,
        "triennial": 3,
        "quadrilateral": 4,
        "pentagon": 5,
    },
    **{"hexagon": 6, "hexagonal": 6, "octagonal": 8, "octagon": 8, "bilingual": 2, "trilingual": 3, "biweekly": 2},
    **{"either": 2, "neither": 2, "another": 2, "next": 2, "tripartite": 3, "trinity": 3, "quarterly": 4, "tween": 12},
    **{"christmas": 25, "midnight": 12, "noon": 12, "daily": 24, "decadal": 10, "decennial": 10, "quadrennial": 4},
}
"""What words that are no numbers say of one: *a decade* is ten years, *a trio* three people."""
_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


def roman(text: str) -> int:
    """The value of a Roman numeral in capitals; 0 for anything else."""
    if not _ROMAN.fullmatch(text):
        return 0
    values = [_LETTERS[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
