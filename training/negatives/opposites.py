"""A word's opposite in its place: *lost* for *earned*, *after* for *before*. The pairs are in two lists by hand.

WordNet's antonyms are of one sense each (*light* and *dark*, *light* and *heavy*) and want Debian's files; a few
hundred pairs that are opposites in nearly any text do, as the encoder knows which words are like them.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from rerank.opposites import opposites_of
from training.negatives.mutations import Draw, Mutated
from training.negatives.pieces import Pieces, with_capital_of

__all__ = ["put_opposites"]

_VOWELS = frozenset("aeiou")
_ARTICLES = frozenset({"a", "an"})


def put_opposites(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With the opposite of a word in its place, of two words where `share` is large; `None` where no word has one."""
    texts = ["", *(piece.text for piece in pieces.pieces)]
    found = {n: others for n, (before, text) in enumerate(pairwise(texts)) if (others := opposites_of(text, before))}
    if not found:
        return None
    chosen = rng.sample(sorted(found), 2 if len(found) > 2 and share > 0.8 else 1)
    put = list(pieces.pieces)
    for n in chosen:
        put[n] = replace(put[n], text=with_capital_of(put[n].text, rng.choice(found[n])))
        if n and put[n - 1].text.lower() in _ARTICLES:
            # An article of the wrong form would give the opposite away.
            fitting = "an" if put[n].text[0].lower() in _VOWELS else "a"
            put[n - 1] = replace(put[n - 1], text=with_capital_of(put[n - 1].text, fitting))
    return Mutated(pieces.of(put).text, 0.0)
