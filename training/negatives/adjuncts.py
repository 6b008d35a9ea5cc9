"""Where a sentence goes on though it could have ended: before *after two years of repairs*, *because she was ill*."""

from __future__ import annotations

import random
from dataclasses import replace

from training.negatives.forms import parse
from training.negatives.mutations import Draw, Mutated
from training.negatives.pieces import Pieces, cut, is_russian

__all__ = ["invent", "last_adjunct"]

_OPENERS = frozenset(
    "in on at after before during near with without because when while since until although despite under over "
    "в во на после до перед когда потому поскольку из-за около чтобы хотя вместе благодаря вопреки несмотря ради под "
    "возле среди".split()
)
"""What mostly opens what a sentence may go without; not *of*, *to*, *к*, which mostly open what it needs."""
_PLACE_OR_AIM = frozenset({"в", "во", "на", "под"})
_OF_PLACES = frozenset({"loct", "loc2", "ablt"})
_OF_CLAUSES = frozenset("because when while since until although когда потому поскольку чтобы хотя".split())
_MARKS = ".!?…"
_FEWEST_BEFORE = 3
_FEWEST, _MOST = 2, 10
"""Words of what is left out or put in."""
_TRIES = 60


def last_adjunct(words: Pieces) -> int | None:
    """The number of the word that opens the last adjunct of a sentence; `None` where it has none that is short enough.

    It goes to the end of the sentence, has no mark in it and no verb but one that a conjunction opens; three words at
    least are before it.
    """
    texts = [piece.text for piece in words.pieces]
    end = len(texts) - (texts[-1] in _MARKS) if texts else 0
    for n in range(end - 1, _FEWEST_BEFORE - 1, -1):
        if not texts[n].replace("-", "").isalnum() or end - n > _MOST:
            return None
        if n > end - _FEWEST or not _opens(texts[n], texts[n + 1]):
            continue
        # Behind another opener (*because of*, *не только на*) it is no beginning of its own.
        begins = texts[n - 1][-1:].isalnum() and texts[n - 1] not in _OPENERS
        return n if begins and (texts[n] in _OF_CLAUSES or not any(map(_is_finite, texts[n:end]))) else None
    return None


def _opens(word: str, following: str) -> bool:
    # *В мае* may be left out, *в лес* is where somebody goes.
    return word in _OPENERS and (word not in _PLACE_OR_AIM or parse(following.lower()).tag.case in _OF_PLACES)


def _is_finite(word: str) -> bool:
    return is_russian(word) and parse(word.lower()).tag.POS in ("VERB", "PRTS")


def invent(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With the last adjunct of another text's sentence at the end of one of its own: it reads well, and is made up.

    `pieces` and those drawn are sentences. The label is 0. `None` where none of some sentences drawn has an adjunct.
    """
    if not len(pieces):
        return None
    n = rng.randrange(len(pieces))
    for _ in range(_TRIES):
        other = cut(draw(rng).text, "word")
        start = last_adjunct(other)
        if start is not None:
            tail = other.of(other.pieces[start:]).text.rstrip(_MARKS + " ")
            own = pieces.pieces[n].text
            body = own.rstrip(_MARKS + " ")
            put = list(pieces.pieces)
            put[n] = replace(put[n], text=f"{body} {tail}{own[len(body) :]}")
            return Mutated(pieces.of(put).text, 0.0)
    return None
