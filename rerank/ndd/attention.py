"""How much each common word counts: all alike, or the more the nearer it stands to an edit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rerank.errors import BadWeights, UnknownName
from rerank.ndd.alignment import Alignment
from rerank.types import FloatArray

__all__ = ["Adjacent", "Attention", "Balanced", "Exponential", "Mean", "attention_called", "position_bias"]


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
