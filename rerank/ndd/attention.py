"""How much each common word counts: all alike, or the more the nearer it stands to an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rerank.errors import BadWeights, UnknownName
from rerank.types import FloatArray


def _require_rate(name: str, value: float) -> None:
    if not 0 < value <= 1:
        raise BadWeights(f"{name} is {value:g}.", hint="Give a number above 0 and at most 1, such as 0.9.")


@dataclass(frozen=True, slots=True)
class Mean:
    """a_w = 1 / common words: NDD is the mean divergence (section 3)."""

    def __call__(self, alignment: Alignment) -> FloatArray:
        return np.full(len(alignment), 1.0 / max(1, len(alignment)))

    def signature(self) -> str:
        return "mean"


@dataclass(frozen=True, slots=True)
class Exponential:
    """a_k = μ^d, where d is the distance in words to the nearest edit, 1 beside it (appendix C).

    For a span i … j cut out of a text that is μ^min(|k−i|, |k−j|). Raises `BadWeights` for a μ outside (0, 1].
    """

    mu: float = 0.9

    def __post_init__(self) -> None:
        _require_rate("mu", self.mu)

    def __call__(self, alignment: Alignment) -> FloatArray:
        weights: FloatArray = np.power(self.mu, alignment.distance.astype(np.float64))
        return weights

    def signature(self) -> str:
        return f"{type(self).__name__.lower()}({self.mu:g})"


@dataclass(frozen=True, slots=True)
class Balanced(Exponential):
    """a′ of appendix C: every span that is cut out of a text has the same total weight, wherever it stands.

    Printed is a′_k = a_k + a_{n′−k} · μ^{n′}, with n′ words left. With k a word's index that does not give what it is
    there for ("the total distance weights are the same"): the sum would be (1 + μ^{n′}) Σ a_k, and Σ a_k is smaller
    near the ends of a text, where one side runs out of words. So each side gets what it would have if it were n′ words
    long. With L words left of the span and R right of it, the distances L + 1 … L + R are missing on the left and
    R + 1 … R + L on the right; the former go to the words on the right in their order, the latter to those on the left:

        a′_k = μ^d + μ^(d + words across the span),        Σ a′_k = 2 (μ + μ² + … + μ^{n′})

    Weight falls with distance, and beside a span at the very end of a text a word counts twice. Between several edits a
    word belongs to the nearest. Raises `BadWeights` for a μ outside (0, 1].
    """

    def __call__(self, alignment: Alignment) -> FloatArray:
        near = np.power(self.mu, alignment.distance.astype(np.float64))
        weights: FloatArray = near * (1.0 + np.power(self.mu, alignment.across.astype(np.float64)))
        return weights


@dataclass(frozen=True, slots=True)
class Adjacent:
    """The weights of another attention for words at most `reach` words from an edit, 0 for all others.

    With `reach` 1 it is Fast NDD: the two words beside a span (section 4.2). Words of weight 0 cost no forward row.
    """

    inner: Exponential = Balanced()
    reach: int = 1

    def __call__(self, alignment: Alignment) -> FloatArray:
        return np.where(alignment.distance <= self.reach, self.inner(alignment), 0.0)

    def signature(self) -> str:
        return f"adjacent({self.reach},{self.inner.signature()})"


Attention = Mean | Exponential | Balanced | Adjacent
"""Gives the weights a_w ≥ 0 of the common words of two texts, shape `[common]`; equal signatures mean equal weights."""


def attention_called(name: str, *, mu: float = 0.9) -> Attention:
    """`mean`, `exponential`, `balanced`, or `adjacent` (Fast NDD: balanced, the two words beside an edit alone).

    Raises `UnknownName`, `BadWeights` for a μ outside (0, 1].
    """
    known: dict[str, Attention] = {
        "mean": Mean(),
        "exponential": Exponential(mu),
        "balanced": Balanced(mu),
        "adjacent": Adjacent(Balanced(mu)),
    }
    if name not in known:
        raise UnknownName(f"Unknown attention {name!r}.", hint=f"Known: {', '.join(known)}.")
    return known[name]


def position_bias(alignment: Alignment, nu: float) -> FloatArray:
    """b_w = ν^Idx(w) (appendix C), shape `[common]`: with ν < 1 later words of the source count less.

    The index is that in the source, from 0: where it starts is not said, and from 1 it would only multiply every
    distance by ν. Raises `BadWeights` for a ν outside (0, 1].
    """
    _require_rate("nu", nu)
    weights: FloatArray = np.power(nu, alignment.source.astype(np.float64))
    return weights


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
