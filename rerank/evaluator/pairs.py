"""A document and a text in one row of tokens, trimmed to a window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rerank.masked.bundled_files import Settings

__all__ = ["PairRow", "plain", "round_robin", "row_of"]

_TREEBANK = (("``", '"'), ("''", '"'), ("-LRB-", "("), ("-RRB-", ")"), ("-lrb-", "("), ("-rrb-", ")"))


class PairRow(NamedTuple):
    """Tokens [CLS] d [SEP] s [SEP], and of each the segment: 0 up to the first [SEP], 1 behind it."""

    tokens: tuple[int, ...]
    kinds: tuple[int, ...]


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
    head = (*settings.prefix, *documents[:left], *settings.suffix)
    tail = (*texts[:right], *settings.suffix)
    return PairRow((*head, *tail), (0,) * len(head) + (1,) * len(tail))
