"""A text in the pieces that mutations move, its words or its sentences, and what the paper does to them (section 2.2).

The label of a mutated text is the share of intact tokens: of what is deleted or replaced, the tokens that stay over
those that were there; of what is inserted, those that were there over those that are there now. So it is in (0, 1),
and a text that was 30 % deleted has 0.7. The paper says nothing of insertion; this reading makes a text that is twice
as long as it should be worth as much as one that has lost half.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

from rerank.masked.words import split
from rewrite.compression.word_analysis import language_of, sentences_of

Unit = Literal["word", "sentence"]
UNITS: tuple[Unit, ...] = ("word", "sentence")
_ONE_OVER_AND_OVER = 0.5
_BEHIND_ITSELF = 0.5
_MOST_REPEATED = 9
"""Times the text, where all of it should be repeated."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a sentence, the space that stands before it, and how many tokens it has."""

    text: str
    before: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a text, in order; `space` is what its language writes between words."""

    pieces: tuple[Piece, ...]
    space: str = " "

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def tokens(self) -> int:
        """How many tokens the text has."""
        return sum(piece.tokens for piece in self.pieces)

    @property
    def text(self) -> str:
        """The pieces together, without space around them."""
        return "".join(piece.before + piece.text for piece in self.pieces).strip()

    def of(self, pieces: Sequence[Piece]) -> Pieces:
        """Other pieces of the same language; a space comes between words that a mark has held apart till now.

        Of *Rome (Six* without the bracket, or with a word for a full stop, *RomeSix* would be left.
        """
        put = list(pieces)
        for n, (piece, after) in enumerate(pairwise(put), 1):
            if self.space and not after.before and _would_be_one(piece.text, after.text) and not self._has_glued(after):
                put[n] = replace(after, before=self.space)
        return Pieces(tuple(put), self.space)

    def with_texts(self, texts: Mapping[int, str]) -> str:
        """The text with other words at some places."""
        return self.of([replace(piece, text=texts.get(n, piece.text)) for n, piece in enumerate(self.pieces)]).text

    def _has_glued(self, piece: Piece) -> bool:
        """Whether a piece stands right behind a word here, as *n't* and the *not* of *cannot* do."""
        return any(
            not other.before and other.text == piece.text and _would_be_one(previous.text, other.text)
            for previous, other in pairwise(self.pieces)
        )


def cut(text: str, unit: Unit, *, language: str | None = None) -> Pieces:
    """The words or the sentences of a text, none for a blank one; joined again they are the text, stripped.

    `language` is guessed without; words are cut by its habits (`rerank.masked.words.split`), Russian sentences by
    razdel, those of other languages at the marks that end them.
    """
    spoken = language_of(text, language)
    space = "" if spoken == "zh" else " "
    if unit == "word":
        spans = [(token.start, token.stop) for token in split(text, spoken)]
        return Pieces(tuple(_pieces(text, spans, [1] * len(spans))), space)
    layout = sentences_of(text, spoken)
    sizes = [len(split(sentence, spoken)) for sentence in layout.sentences]
    return Pieces(tuple(map(Piece, layout.sentences, layout.gaps, sizes)), space)


def is_russian(word: str) -> bool:
    """Whether a word begins with a letter of Russian."""
    return "а" <= word[:1].lower() <= "ё"


def with_capital_of(other: str, text: str) -> str:
    """A text that begins with a capital if another does."""
    return text[:1].upper() + text[1:] if other[:1].isupper() else text


def _would_be_one(text: str, other: str) -> bool:
    """Whether the last letter or digit of a text and the first of another would be read as parts of one word."""
    met = text[-1:] + other[:1]
    # Chinese and Japanese characters are words by themselves.
    return met.isalnum() and len(split(met, "other")) == 1


def _pieces(text: str, spans: Sequence[tuple[int, int]], sizes: Sequence[int]) -> list[Piece]:
    gaps = [text[stop:start] for (_, stop), (start, _) in pairwise([(0, 0), *spans])]
    return [Piece(text[a:b], gap, size) for (a, b), gap, size in zip(spans, gaps, sizes, strict=True)]


Draw = Callable[[random.Random], Piece]
"""What gives a piece of another text."""


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
    movable = len(pieces) - (not has_word(pieces.pieces[-1].text)) if len(pieces) else 0
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


def has_word(text: str) -> bool:
    """Whether there is a letter or a digit in it."""
    return any(map(str.isalnum, text))


def _chosen(pieces: Pieces, share: float, rng: random.Random, *, most: int) -> frozenset[int]:
    """Numbers of `share` of the pieces, at least one and at most `most`; `ValueError` for a share out of [0, 1]."""
    if not 0 <= share <= 1:
        raise ValueError(f"share is {share}, not between 0 and 1")
    return frozenset(rng.sample(range(len(pieces)), min(most, max(1, round(share * len(pieces))))))


MUTATIONS: Mapping[str, Callable[[Pieces, float, random.Random, Draw], Mutated | None]] = MappingProxyType(
    {"deletion": delete, "replacement": replace_pieces, "insertion": insert}
)
