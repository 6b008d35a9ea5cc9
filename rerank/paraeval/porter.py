"""English stems: Porter, *An algorithm for suffix stripping* (1980), with the changes that rouge-score's stems have.

Those are the changes of nltk's stemmer, which rouge-score calls: a few irregular words, *i* for *y* after any
consonant, *ie* in words of four letters, and the suffixes *-fulli* and *-logi*. The stems are the same; nltk is not
needed for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_VOWELS = frozenset("aeiou")
_Rules = Sequence[tuple[str, str]]


def _rules(text: str) -> _Rules:
    """Pairs `suffix>replacement`, in the order in which they are tried."""
    return tuple((suffix, new) for suffix, _, new in (rule.partition(">") for rule in text.split()))


_STEP_1A = _rules("sses>ss ies>i ss>ss s>")
_STEP_2 = _rules(
    """
    ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize
    ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful
    """
)
_STEP_3 = _rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_STEP_4 = _rules(
    "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>",
)


@lru_cache(maxsize=50_000)
def porter_stem(word: str) -> str:
    """The stem of a word in lower case; words of one or two letters are their own."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plurals, _participles, _final_y, _double_suffixes, _suffixes, _endings, _final_e, _final_ll):
        word = step(word)
    return word


def inflection_stem(word: str) -> str:
    """A word without the endings of inflection alone, Porter's first step: `travellers` and `traveller` have one stem,
    `travel` another. A final e, in which `observ|ed` and `observe|s` differ, is left out.
    """
    stem = word if len(word) <= 2 else _IRREGULAR.get(word) or _final_y(_participles(_plurals(word)))
    return stem.removesuffix("e")


def _shape(word: str) -> str:
    """`v` for a vowel and `c` for any other letter; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in _VOWELS or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """Porter's m: how often a consonant follows a vowel."""
    return _shape(stem).count("vc")


def _ends_short(stem: str) -> bool:
    """Porter's *o: consonant, vowel, consonant that is not w, x or y; here also a vowel and a consonant alone."""
    shape = _shape(stem)
    return shape == "vc" or (shape.endswith("cvc") and stem[-1] not in "wxy")


def _replaced(word: str, rules: _Rules, allows: Callable[[str], bool]) -> str:
    """The first suffix that the word has is replaced, if what is before it is allowed."""
    for suffix, new in rules:
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            return stem + new if allows(stem) else word
    return word


def _plurals(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _replaced(word, _STEP_1A, lambda stem: True)


def _participles(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    stems = (word.removesuffix(suffix) for suffix in ("ed", "ing") if word.endswith(suffix))
    stem = next((stem for stem in stems if "v" in _shape(stem)), None)
    if stem is None:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and _shape(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _final_y(word: str) -> str:
    return _replaced(word, (("y", "i"),), lambda stem: len(stem) > 1 and _shape(stem)[-1] == "c")


def _double_suffixes(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]):
        return _double_suffixes(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) else word
    return _replaced(word, _STEP_2, lambda stem: _measure(stem) > 0)


def _suffixes(word: str) -> str:
    return _replaced(word, _STEP_3, lambda stem: _measure(stem) > 0)


def _endings(word: str) -> str:
    ion = word.endswith("ion")
    return _replaced(word, _STEP_4, lambda stem: _measure(stem) > 1 and (not ion or stem[-1] in "st"))


def _final_e(word: str) -> str:
    measure = _measure(word[:-1])
    drops = word.endswith("e") and (measure > 1 or (measure == 1 and not _ends_short(word[:-1])))
    return word[:-1] if drops else word


def _final_ll(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
