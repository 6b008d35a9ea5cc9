"""A text that breaks off in the middle of a phrase: what an editor leaves who cut in the wrong place."""

from __future__ import annotations

import random

from training.negatives.forms import parse
from training.negatives.mutations import Draw, Mutated
from training.negatives.pieces import Pieces, is_russian

__all__ = ["truncate"]

_FEWEST = 3
"""Words that stay, at least."""
_ENDS = frozenset(".!?…")
_MARKED = 0.5
_OPEN = frozenset(
    "the a an of and or but nor from with at for into than because although while if whose their its my our your his "
    "every between among during "
    "в на с к по из от для о об за у до при под над между через без про и или но а чтобы если хотя".split()
)
"""Words that hardly any sentence ends with: something has to follow."""
_OBLIQUE = frozenset({"gent", "datv", "accs", "loct"})
"""Cases that a Russian adjective has for the sake of its noun, and not as what is said of something."""


def truncate(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """Without its end, from the middle of a phrase on, about `share` of the words; `None` where no phrase can be cut.

    The label is the share of its tokens that stay. The text ends behind a word that something has to follow (*of the*),
    in Russian also behind an adjective and before its noun. Elsewhere nobody could tell what is missing. The mark that
    the text ended with stands there again half of the time: good texts without one, headlines for instance, are about
    as frequent as broken ones without, so that none is taken for broken for want of it.
    """
    words = [n for n, piece in enumerate(pieces.pieces) if piece.text[:1].isalnum()]
    places = [n for n in words[_FEWEST - 1 : -1] if _is_open(pieces.pieces[n].text, pieces.pieces[n + 1].text)]
    if not places:
        return None
    aimed = (1 - share) * len(pieces)
    last = min(places, key=lambda n: (abs(n - aimed), n))
    marked = pieces.pieces[-1].text in _ENDS and rng.random() < _MARKED
    kept = [*pieces.pieces[: last + 1], *pieces.pieces[len(pieces) - marked :]]
    return Mutated(pieces.of(kept).text, len(kept) / len(pieces))


def _is_open(word: str, following: str) -> bool:
    if word in _OPEN:
        return True
    if not (is_russian(word) and is_russian(following) and word.islower()):
        return False
    tag = parse(word).tag
    return tag.POS == "ADJF" and tag.case in _OBLIQUE and parse(following.lower()).tag.POS == "NOUN"
