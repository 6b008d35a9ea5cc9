"""The weighted product of component values, in log space: log S = Σⱼ wⱼ · log vⱼ (RuSimScore, section 3.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rerank.errors import BadWeights
from rerank.types import FloatArray
from rerank.weights import Weights


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


def log_totals(values: FloatArray, weights: FloatArray) -> FloatArray:
    """log Sᵢ = Σⱼ wⱼ · log vᵢⱼ, shape `[n]` for `values [n, k]` and `weights [k]`; `[m, n]` for `weights [m, k]`.

    A zero weight leaves its component out, even where its value is 0; a zero value with a positive weight gives −inf.
    Components are added in order, one at a time, so each total is the same to the last bit whatever else is computed
    with it, and raising a value never lowers a total.
    """
    if not (values >= 0).all():
        raise ValueError(f"factors of a product must be 0 or more, got {values[~(values >= 0)].tolist()}")
    with np.errstate(divide="ignore"):
        logs = np.log(values)
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
