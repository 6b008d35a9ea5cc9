"""A text that breaks off: what a generator leaves that ran out of room, and an editor who cut in the wrong place."""

from __future__ import annotations

import random

from wordfreq import zipf_frequency

from training.negatives.mutations import Draw, Mutated
from training.negatives.pieces import Pieces, is_russian

__all__ = ["truncate"]

_FEWEST = 3
"""Words that stay, at least."""
_FUNCTION_WORD = 6.2
"""Zipf frequency (log₁₀ of how often in 10⁹ words) of words that seldom end a sentence: *of*, *the*, *and*."""
_MARKED = 0.5
"""How often a text that ends with such a word has its last mark again."""


def truncate(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """Without its end, half of the time in the middle of a phrase; `None` for a text of fewer than five words.

    The label is the share of its tokens that stay. `share` of the words, about, are gone. In the middle of a phrase is
    behind one of the commonest words, few of which can end a sentence (*of the*): then the mark that the text ended
    with may stand there again. Elsewhere it never does, or nobody could tell. For texts in Russian and in English.
    """
    words = [n for n, piece in enumerate(pieces.pieces) if piece.text[:1].isalnum()]
    places = words[_FEWEST - 1 : -1]
    if len(places) < 2:
        return None
    aimed = places[min(len(places) - 1, int((1 - share) * len(places)))]
    left, marked = aimed, False
    inside = [n for n in places if _is_function_word(pieces.pieces[n].text)]
    if inside and rng.random() < 0.5:
        left, marked = min(inside, key=lambda n: abs(n - aimed)), rng.random() < _MARKED
    kept = list(pieces.pieces[: left + 1])
    if marked and not pieces.pieces[-1].text[:1].isalnum():
        kept.append(pieces.pieces[-1])
    text = pieces.of(kept).text
    return Mutated(text, len(kept) / len(pieces))


def _is_function_word(word: str) -> bool:
    return word.islower() and zipf_frequency(word, "ru" if is_russian(word) else "en") > _FUNCTION_WORD
