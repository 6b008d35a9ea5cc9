"""How much each word of a text tells, by how rare it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log10

from rerank.frequency import Wordfreq, common_english

__all__ = ["Weighing"]

# A word of every thousand tells least, one of every million, or that no list has, most.
_COMMON, _RARE = 3.0, 6.0
_LEAST, _MOST = 1, 50
# The lists have both parts of `don't` and `they've` joined.
_PARTS = frozenset(
    """
    s re ve ll d m t don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn mustn needn ain
    """.split()
)


class Weighing:
    """round(50 · clip((−log₁₀ f − 3)/3, 0.02, 1)), so from 1 to 50, f being the share of a word in running text.

    A word with a digit has 50. English and Russian have lists of frequencies, read at the first text; in all other
    languages every word has 50.
    """

    def signature(self) -> str:
        """Name and version of the lists: equal signatures mean equal weights."""
        return Wordfreq().signature()

    def weights(self, words: Sequence[str], lemmas: Sequence[str], language: str) -> list[int]:
        """The weight of each word; of a word and its lemma the commoner counts."""
        if language == "en":
            return [_LEAST if word in _PARTS else _weight(word, common_english().get(word, 0.0)) for word in words]
        if language == "ru":
            shares = self._russian.lookup({*words, *lemmas})
            pairs = zip(words, lemmas, strict=True)
            return [_weight(word, max(shares[word], shares[lemma])) for word, lemma in pairs]
        return [_MOST] * len(words)

    @cached_property
    def _russian(self) -> Wordfreq:
        return Wordfreq()


def _weight(word: str, share: float) -> int:
    if share <= 0 or any(character.isdigit() for character in word):
        return _MOST
    told = (-log10(share) - _COMMON) / (_RARE - _COMMON)
    return min(_MOST, max(_LEAST, round(_MOST * told)))
