"""A text in the pieces that mutations move: its words, or its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from rerank.masked.words import split
from rewrite.compression.sentences import language_of, sentences_of

__all__ = ["UNITS", "Piece", "Pieces", "Unit", "cut", "is_russian", "with_capital_of"]

Unit = Literal["word", "sentence"]
UNITS: tuple[Unit, ...] = ("word", "sentence")


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
        for n, (one, other) in enumerate(pairwise(put), 1):
            if self.space and not other.before and _would_be_one(one.text, other.text) and not self._has_glued(other):
                put[n] = replace(other, before=self.space)
        return Pieces(tuple(put), self.space)

    def _has_glued(self, piece: Piece) -> bool:
        """Whether a piece stands right behind a word here, as *n't* and the *not* of *cannot* do."""
        return any(
            not other.before and other.text == piece.text and _would_be_one(one.text, other.text)
            for one, other in pairwise(self.pieces)
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


def _would_be_one(one: str, other: str) -> bool:
    """Whether the last letter or digit of a text and the first of another would be read as parts of one word."""
    met = one[-1:] + other[:1]
    # Chinese and Japanese characters are words by themselves.
    return met.isalnum() and len(split(met, "other")) == 1


def _pieces(text: str, spans: Sequence[tuple[int, int]], sizes: Sequence[int]) -> list[Piece]:
    gaps = [text[stop:start] for (_, stop), (start, _) in pairwise([(0, 0), *spans])]
    return [Piece(text[a:b], gap, size) for (a, b), gap, size in zip(spans, gaps, sizes, strict=True)]
