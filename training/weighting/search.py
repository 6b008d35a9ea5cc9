"""Searching weights for a figure that has no gradient, by differential evolution (Storn and Price, 1997).

The figure is constant between the points where a choice flips, so nothing smooth helps. A weight is 0 in a fifth of its
range, else log-uniform from 0.05 to the highest. All is drawn from one seed, and settings are rounded to three digits
before they are tried, so what is found is what a file can hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray
from rewrite.errors import MissingExtra

Objective = Callable[[FloatArray], FloatArray]

_LEAST = 0.05
_ABSENT = 0.2
_POPULATION = 60


@dataclass(frozen=True, eq=False)
class Found:
    """The best setting `weights [k]` with its `value`, and how many settings were tried."""

    weights: FloatArray
    value: float
    tried: int


def optimizers() -> Any:
    """`scipy.optimize`. Raises `MissingExtra` without scipy."""
    try:
        from scipy import optimize
    except ImportError:
        raise MissingExtra("Weights are found by scipy.", hint="Run: pip install 'rewrite-rerank[train]'") from None
    return optimize


def rounded(weights: FloatArray) -> FloatArray:
    """Weights to three significant digits, as a preset file holds them."""
    flat = [float(f"{value:.3g}") for value in np.ravel(weights).tolist()]
    return np.array(flat, dtype=np.float64).reshape(np.shape(weights))


def _weights(places: FloatArray, most: float) -> FloatArray:
    """Places in [0, 1] as weights."""
    share = (places - _ABSENT) / (1 - _ABSENT)
    least = min(_LEAST, most)
    weights: FloatArray = np.where(share < 0, 0.0, least * (most / least) ** share)
    return weights


def _places(weights: FloatArray, most: float) -> FloatArray:
    least = min(_LEAST, most)
    share = np.log(np.clip(weights, least, most) / least) / max(np.log(most / least), 1e-9)
    places: FloatArray = np.where(weights > 0, _ABSENT + (1 - _ABSENT) * share, 0.0)
    return places


def search(
    objective: Objective,
    starts: FloatArray,
    *,
    free: npt.NDArray[np.bool_],
    settings: int,
    most: float = 20.0,
    seed: int = 0,
) -> Found:
    """The setting with the highest `objective`, of at most `settings` tried; the first found of equals.

    `objective` takes settings `[m, k]` and returns `[m]`. `starts [s, k]` are tried first, at least one; weights that
    are not `free [k]` keep the value that they have in the first start. The result depends on the seed alone.
    """
    starts = rounded(np.where(free, starts, starts[0]))
    values = objective(starts)
    best = int(np.argmax(values))
    found = [Found(starts[best], float(values[best]), len(starts))]

    def negative(places: FloatArray) -> FloatArray:
        tried = np.tile(starts[0], (places.shape[1], 1))
        tried[:, free] = rounded(_weights(places.T, most))
        values = objective(tried)
        best = int(np.argmax(values))
        count = found[-1].tried + len(tried)
        better = values[best] > found[-1].value
        found.append(Found(tried[best], float(values[best]), count) if better else replace(found[-1], tried=count))
        return -values

    population = min(_POPULATION, settings - len(starts))
    if free.any() and population >= 5:
        rng = np.random.default_rng(seed)
        first = rng.random((population, int(free.sum())))
        first[: len(starts)] = _places(starts[:, free], most)[:population]
        optimizers().differential_evolution(
            negative,
            [(0.0, 1.0)] * int(free.sum()),
            init=first,
            maxiter=(settings - len(starts)) // population - 1,
            vectorized=True,
            updating="deferred",
            polish=False,
            tol=0.0,
            seed=seed,
        )
    return found[-1]
