"""Which words two texts share, and how far each of those stands from the nearest edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

__all__ = ["Alignment", "IntArray", "align", "kept_words", "longest_common_subsequence"]

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Alignment:
    """The common words of a source of `sizes[0]` words and a candidate of `sizes[1]`.

    `source[t]` and `target[t]` are the indices, from 0 and rising, of the t-th common word in either text. An edit is
    whatever stands between two common words, or before the first, or after the last, in either text.
    """

    source: IntArray
    target: IntArray
    sizes: tuple[int, int]

    def __len__(self) -> int:
        return len(self.source)

    @property
    def identical(self) -> bool:
        """Whether no word of either text is without its equal in the other."""
        return self.sizes == (len(self), len(self))

    @cached_property
    def edits(self) -> IntArray:
        """Where there are edits: before the t-th common word, for t from 0 to their number, shape `[edits]`."""
        rows = []
        for places, size in ((self.source, self.sizes[0]), (self.target, self.sizes[1])):
            # Not np.diff, whose checks take most of the time for so few words.
            padded = np.concatenate(([-1], places, [size]))
            rows.append(padded[1:] - padded[:-1] > 1)
        return np.flatnonzero(rows[0] | rows[1])

    @cached_property
    def distance(self) -> IntArray:
        """Words from each common word to the nearest edit: 1 beside it. Shape `[common]`.

        Texts without an edit have none to measure from: there all is as far as a text can be, `common + 1`.
        """
        return self._nearest[0]

    @cached_property
    def across(self) -> IntArray:
        """How many common words lie on the other side of the edit nearest to each common word, shape `[common]`.

        Of two edits that are equally near, the one with fewer words across.
        """
        return self._nearest[1]

    @cached_property
    def _nearest(self) -> tuple[IntArray, IntArray]:
        count = len(self)
        if not count or not len(self.edits):
            return np.full(count, count + 1, dtype=np.int64), np.zeros(count, dtype=np.int64)
        places = np.arange(count)[:, None]
        right_of_it = places >= self.edits
        distances = np.where(right_of_it, places - self.edits + 1, self.edits - places)
        across = np.where(right_of_it, self.edits, count - self.edits)
        # Both are whole numbers, and no text has as many words as that.
        best = np.argmin(distances * (count + 1) + across, axis=1)
        rows = np.arange(count)
        return distances[rows, best], across[rows, best]


def align(source: Sequence[str], candidate: Sequence[str]) -> Alignment:
    """The alignment of two texts by their longest common subsequence."""
    pairs = longest_common_subsequence(source, candidate)
    left = np.array([i for i, _ in pairs], dtype=np.int64)
    right = np.array([j for _, j in pairs], dtype=np.int64)
    return Alignment(left, right, (len(source), len(candidate)))


def kept_words(size: int, kept: Sequence[int]) -> Alignment:
    """The alignment of a text of `size` words with what is left of it: the words at the indices `kept`, rising.

    Unlike `align`, which must guess, it says of two equal words side by side which one is gone.
    """
    places = np.array(kept, dtype=np.int64)
    if len(places) and (places[0] < 0 or places[-1] >= size or (places[1:] <= places[:-1]).any()):
        raise ValueError(f"kept is {list(kept)}, expected rising indices below {size}")
    return Alignment(places, np.arange(len(places)), (size, len(places)))


def longest_common_subsequence(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of indices of a longest common subsequence, rising; of several that one that does not depend on the order
    of the arguments: swapped arguments give swapped pairs.
    """
    if _turned(left, right):
        return [(i, j) for j, i in longest_common_subsequence(right, left)]
    start, shortest = 0, min(len(left), len(right))
    while start < shortest and left[start] == right[start]:
        start += 1
    end = 0
    while end < shortest - start and left[len(left) - 1 - end] == right[len(right) - 1 - end]:
        end += 1
    inner = _by_table(left[start : len(left) - end], right[start : len(right) - end])
    tail = [(len(left) - k, len(right) - k) for k in range(end, 0, -1)]
    return [*((k, k) for k in range(start)), *((i + start, j + start) for i, j in inner), *tail]


def _turned(left: Sequence[str], right: Sequence[str]) -> bool:
    return (len(left), list(left)) > (len(right), list(right))


def _by_table(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    # lengths[i][j]: the longest common subsequence of left[i:] and right[j:].
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        row, below = lengths[i], lengths[i + 1]
        for j in range(len(right) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if left[i] == right[j] else max(below[j], row[j + 1])
    pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
