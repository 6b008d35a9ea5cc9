"""What is done to a good text, and how much of it is left alone (section 2.2 of the paper).

The label of a mutated text is the share of intact tokens: of what is deleted or replaced, the tokens that stay over
those that were there; of what is inserted, those that were there over those that are there now. So it is in (0, 1),
and a text that was 30 % deleted has 0.7. The paper says nothing of insertion; this reading makes a text that is twice
as long as it should be worth as much as one that has lost half.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from training.negatives.pieces import Piece, Pieces, with_capital_of

__all__ = ["MUTATIONS", "Draw", "Mutated", "delete", "insert", "reorder", "repeat", "replace_pieces"]

Draw = Callable[[random.Random], Piece]
"""What gives a piece of another text."""
_ONE_OVER_AND_OVER = 0.5
_BEHIND_ITSELF = 0.5
_MOST_REPEATED = 9
"""Times the text, where all of it should be repeated."""


@dataclass(frozen=True, slots=True)
class Mutated:
    """A mutated text and the share of intact tokens, in [0, 1]."""

    text: str
    label: float


def delete(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """Without `share` of the pieces, at least one of them and not all; `None` for a text of fewer than two pieces."""
    if len(pieces) < 2:
        return None
    gone = _chosen(pieces, share, rng, most=len(pieces) - 1)
    left = pieces.of([piece for number, piece in enumerate(pieces.pieces) if number not in gone])
    return Mutated(left.text, left.tokens / pieces.tokens)


def replace_pieces(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With pieces of other texts in the place of `share` of its own, at least of one; `None` for a text without any."""
    if not len(pieces):
        return None
    gone = _chosen(pieces, share, rng, most=len(pieces))
    put = [
        replace(draw(rng), before=piece.before) if number in gone else piece
        for number, piece in enumerate(pieces.pieces)
    ]
    intact = sum(piece.tokens for number, piece in enumerate(pieces.pieces) if number not in gone)
    return Mutated(pieces.of(put).text, intact / pieces.tokens)


def insert(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With pieces of other texts before `share` of its own, at least before one; `None` for a text without any."""
    if not len(pieces):
        return None
    places = _chosen(pieces, share, rng, most=len(pieces))
    put: list[Piece] = []
    for number, piece in enumerate(pieces.pieces):
        if number in places:
            before = piece.before or pieces.space
            put += [replace(draw(rng), before=before), replace(piece, before=before)]
        else:
            put.append(piece)
    longer = pieces.of(put)
    return Mutated(longer.text, pieces.tokens / longer.tokens)


def reorder(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With `share` of the pieces, at least two, in one another's places; `None` for a text of fewer than two pieces.

    The label is the share of tokens that stay where they were. A mark at the end stays, and the text begins with a
    capital where it did; the word that it began with keeps its own, as it does when a person shuffles words.
    """
    movable = len(pieces) - (not _has_word(pieces.pieces[-1].text)) if len(pieces) else 0
    if movable < 2:
        return None
    places = rng.sample(range(movable), min(movable, max(2, round(share * movable))))
    put = list(pieces.pieces)
    for place, other in zip(places, [*places[1:], places[0]], strict=True):
        put[place] = replace(pieces.pieces[other], before=pieces.pieces[place].before or pieces.space)
    put[0] = replace(put[0], text=with_capital_of(pieces.text, put[0].text))
    intact = sum(piece.tokens for number, piece in enumerate(pieces.pieces) if number not in places)
    return Mutated(pieces.of(put).text, intact / pieces.tokens)


def repeat(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With pieces said again, about so many that they are `share` of the text, at least one; `None` without any.

    One piece over and over, or several, each behind itself or at the end. The label is the share of tokens that were
    there.
    """
    if not len(pieces):
        return None
    said = [rng.choice(pieces.pieces)] if rng.random() < _ONE_OVER_AND_OVER else list(pieces.pieces)
    missing = share / (1 - share) * pieces.tokens if share < 1 else _MOST_REPEATED * pieces.tokens
    behind = rng.random() < _BEHIND_ITSELF
    put, added = list(pieces.pieces), 0
    while not added or added + said[0].tokens / 2 < missing:
        piece = rng.choice(said)
        at = put.index(piece) + 1 if behind else len(put)
        put.insert(at, replace(piece, before=pieces.space))
        added += piece.tokens
    return Mutated(pieces.of(put).text, pieces.tokens / (pieces.tokens + added))


def _has_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _chosen(pieces: Pieces, share: float, rng: random.Random, *, most: int) -> frozenset[int]:
    """Numbers of `share` of the pieces, at least one and at most `most`; `ValueError` for a share out of [0, 1]."""
    if not 0 <= share <= 1:
        raise ValueError(f"share is {share}, not between 0 and 1")
    return frozenset(rng.sample(range(len(pieces)), min(most, max(1, round(share * len(pieces))))))


MUTATIONS: Mapping[str, Callable[[Pieces, float, random.Random, Draw], Mutated | None]] = MappingProxyType(
    {"deletion": delete, "replacement": replace_pieces, "insertion": insert}
)
