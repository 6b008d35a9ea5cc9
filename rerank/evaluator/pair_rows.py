"""A document and a text in one row of tokens, trimmed to a window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from rerank.masked.packed import Settings

_TREEBANK = (("``", '"'), ("''", '"'), ("-LRB-", "("), ("-RRB-", ")"), ("-lrb-", "("), ("-rrb-", ")"))


KINDS = 9
"""Kinds of tokens that `row_of` tells apart."""
TEXT = 3
"""The first kind that a token of the text has."""
_REPEATED = 3
BEFORE_TEXT = 2
"""Tokens before the text where there is no source."""


class PairRow(NamedTuple):
    """Tokens [CLS] d [SEP] s [SEP], and of each its kind (for an encoder of Hugging Face the segment, 0 or 1).

    `row_of` gives tokens of the source, up to the first [SEP], the kind 0 and those of the text 3; one more where the
    other text has the token as well, and two where it has it behind the same one. What is copied, what is new and what
    has been moved is so plain to see for a small encoder, which would need very many examples to learn to compare; of a
    source longer than the window all of it is looked at.
    """

    tokens: tuple[int, ...]
    kinds: tuple[int, ...]

    @property
    def is_text(self) -> tuple[bool, ...]:
        """Of each token whether it is of the text."""
        return tuple(kind >= TEXT for kind in self.kinds)

    @property
    def is_alone(self) -> bool:
        """Whether there is no source: [CLS] [SEP] s [SEP]."""
        return len(self.kinds) - sum(self.is_text) <= BEFORE_TEXT


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
    first = [0] * len(settings.prefix), _shared(documents, texts)[:left], [0] * len(settings.suffix)
    again = zip(_shared(texts, documents), _repeated(texts, documents), strict=True)
    of_text = [shared + _REPEATED * twice for shared, twice in again]
    second = of_text[:right], [0] * len(settings.suffix)
    return PairRow(
        (*settings.prefix, *documents[:left], *settings.suffix, *texts[:right], *settings.suffix),
        (*chain(*first), *(TEXT + kind for kind in chain(*second))),
    )


def _shared(tokens: Sequence[int], other: Sequence[int]) -> list[int]:
    """Of each token 0 where the other text lacks it, 1 where it has it, 2 where it stands there behind the same one."""
    known, behind = set(other), set(pairwise(other))
    pairs = [True, *(pair in behind for pair in pairwise(tokens))]
    return [(token in known) * (1 + same) for token, same in zip(tokens, pairs, strict=False)]


def _repeated(tokens: Sequence[int], other: Sequence[int]) -> list[bool]:
    """Of each token whether it stood behind the same one before, as often as in the other text or once at least."""
    allowed, seen = Counter(pairwise(other)), Counter[tuple[int, int]]()
    repeated = [False] * len(tokens)
    for place, pair in enumerate(pairwise(tokens), 1):
        repeated[place] = seen[pair] >= max(1, allowed[pair])
        seen[pair] += 1
    return repeated
