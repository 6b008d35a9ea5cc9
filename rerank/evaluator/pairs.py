"""A document and a text in one row of tokens, trimmed to a window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rerank.masked.bundled_files import Settings

__all__ = ["KINDS", "PairRow", "plain", "round_robin", "row_of"]

_TREEBANK = (("``", '"'), ("''", '"'), ("-LRB-", "("), ("-RRB-", ")"), ("-lrb-", "("), ("-rrb-", ")"))


KINDS = 4
"""Kinds of tokens that `row_of` tells apart."""
_SECOND, _SHARED = 2, 1


class PairRow(NamedTuple):
    """Tokens [CLS] d [SEP] s [SEP], and of each its kind (for an encoder of Hugging Face the segment, 0 or 1).

    `row_of` gives tokens of the source, up to the first [SEP], the kind 0 and those of the text 2; tokens that the
    other text has as well have one more. What is copied, and what is new, is so plain to see for a small encoder, which
    would need many examples to learn to compare; of a source longer than the window all of it is looked at.
    """

    tokens: tuple[int, ...]
    kinds: tuple[int, ...]

    @property
    def is_text(self) -> tuple[bool, ...]:
        """Of each token whether it is of the text."""
        return tuple(kind >= _SECOND for kind in self.kinds)


def plain(text: str) -> str:
    """A text with ordinary quotes and brackets for those of treebanks, which no encoder here has read."""
    for old, new in _TREEBANK:
        text = text.replace(old, new)
    return text


def round_robin(first: int, second: int, room: int) -> tuple[int, int]:
    """How many tokens of two texts of `first` and `second` tokens stay where `room` is for so many in all.

    As if they took turns, a token each, until there is no room: the shorter is whole if it fits into half of it, and
    the rest is for the longer; of an odd room the first has one more.
    """
    if first + second <= room:
        return first, second
    half = room - room // 2
    if second <= room // 2:
        return room - second, second
    return (first, room - first) if first < half else (half, room // 2)


def row_of(source: str, text: str, tokens: Callable[[str], Sequence[int]], settings: Settings) -> PairRow:
    """The row of a source and a text whose pieces are given by `tokens`, within the window of `settings`."""
    documents, texts = tuple(tokens(plain(source))) if source.strip() else (), tuple(tokens(plain(text)))
    room = settings.window - len(settings.prefix) - 2 * len(settings.suffix)
    left, right = round_robin(len(documents), len(texts), room)
    first = (*settings.prefix, *documents[:left], *settings.suffix)
    second = (*texts[:right], *settings.suffix)
    sides = ((0, first, set(texts)), (_SECOND, second, set(documents)))
    return PairRow(
        tuple(token for _, side, _ in sides for token in side),
        tuple(kind + _SHARED * (token in other) for kind, side, other in sides for token in side),
    )
