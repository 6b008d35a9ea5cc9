"""The weighted product of component values, in log space: log S = Σⱼ wⱼ · log vⱼ (RuSimScore, section 3.1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from rerank.errors import BadWeights
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray
from rerank.weights import Weights

__all__ = ["Product", "contributions", "geometric_mean", "log_totals", "weight_vector"]


def weight_vector(weights: Weights, components: Sequence[str]) -> FloatArray:
    """The weight of each component, shape `[k]`; 0 where `weights` does not name it.

    Raises `BadWeights` for a positive weight on something that is not among the components: it would do nothing.
    """
    for name, value in weights.items():
        if value > 0 and name not in components:
            raise BadWeights(
                f"Weight {name}={value:g} has no component to act on.", hint=f"Scored: {', '.join(components)}."
            )
    return np.array([weights.get(name, 0.0) for name in components], dtype=np.float64)


def _logs(values: FloatArray) -> FloatArray:
    if not (values >= 0).all():
        raise ValueError(f"factors of a product must be 0 or more, got {values[~(values >= 0)].tolist()}")
    with np.errstate(divide="ignore"):
        logs: FloatArray = np.log(values)
    return logs


def contributions(values: FloatArray, weights: FloatArray) -> FloatArray:
    """wⱼ · log vᵢⱼ for `values [n, k]` and `weights [k]`, shape `[n, k]`; ≤ 0 for values in [0, 1].

    A zero weight contributes 0 whatever the value; a zero value with a positive weight contributes −inf.
    """
    logs = _logs(values)
    terms = np.zeros_like(logs)
    np.multiply(logs, weights, out=terms, where=weights > 0)
    return terms


def log_totals(values: FloatArray, weights: FloatArray) -> FloatArray:
    """log Sᵢ = Σⱼ wⱼ · log vᵢⱼ, shape `[n]` for `values [n, k]` and `weights [k]`; `[m, n]` for `weights [m, k]`.

    A zero weight leaves its component out, even where its value is 0; a zero value with a positive weight gives −inf.
    Components are added in order, one at a time, so each total is the same to the last bit whatever else is computed
    with it, and raising a value never lowers a total.
    """
    logs = _logs(values)
    settings = np.atleast_2d(weights)
    totals = np.zeros((len(settings), len(logs)))
    for column, exponents in zip(logs.T, settings.T, strict=True):
        used = exponents > 0
        totals[used] += exponents[used, np.newaxis] * column
    return totals.reshape(*weights.shape[:-1], len(logs))


def geometric_mean(total: float, weights: Weights) -> float:
    """S^(1/Σⱼ wⱼ) for `total` = log S: the weighted geometric mean of the values, in [0, 1] where they are.

    This is the score that people see. It orders candidates as S does, and does not shrink as weights are added; without
    any weight it is 1.
    """
    if total == -math.inf:
        return 0.0
    # Sorted, so that the sum does not depend on the order in which weights were given.
    whole = sum(sorted(weights.values()))
    return math.exp(total / whole) if whole > 0 else 1.0


class Product:
    """The weighted product of scorers, Πⱼ vⱼ^wⱼ; itself a scorer.

    Scorers with zero weight are left out, with what they need. Raises `BadWeights` for a weight without a scorer,
    `ValueError` for a scorer whose range goes below 0.
    """

    def __init__(self, scorers: Iterable[Scorer], weights: Weights, *, name: str = "product") -> None:
        everything = list(scorers)
        vector = weight_vector(weights, [scorer.name for scorer in everything])
        for scorer in everything:
            if scorer.range[0] < 0:
                raise ValueError(f"{scorer.name} has range {scorer.range}: no factor of a product may be negative")
        self._scorers = [scorer for scorer, weight in zip(everything, vector, strict=True) if weight > 0]
        self._weights = vector[vector > 0]
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @cached_property
    def range(self) -> tuple[float, float]:
        """From all factors at their lowest to all at their highest."""
        pairs = list(zip(self._scorers, self._weights.tolist(), strict=True))
        low = math.prod(scorer.range[0] ** weight for scorer, weight in pairs)
        return low, math.prod(scorer.range[1] ** weight for scorer, weight in pairs)

    @property
    def needs(self) -> frozenset[str]:
        return frozenset().union(*(scorer.needs for scorer in self._scorers))

    def signature(self) -> str:
        pairs = zip(self._scorers, self._weights.tolist(), strict=True)
        return f"{self._name}({','.join(f'{scorer.signature()}^{weight!r}' for scorer, weight in pairs)})"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        values = [scorer.score(source, candidates, context) for scorer in self._scorers]
        columns = np.stack(values, axis=1) if values else np.empty((len(candidates), 0))
        totals: FloatArray = np.exp(log_totals(columns, self._weights))
        # exp(Σ w log v) may leave the range by a rounding error.
        return totals.clip(*self.range)
