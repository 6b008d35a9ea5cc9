"""Searching weights for a figure that has no gradient: random settings, then the neighbourhoods of the best.

The figure is constant between the points where a choice flips, so nothing smooth helps. A third of the settings is
drawn at random, each weight 0 with probability 0.25, else log-uniform from 0.05 to the highest. The rest goes to hill
climbing from the four best so far: each round changes a few weights of the best setting by random factors (or sets
them to 0, or brings them back); the step shrinks where a round finds nothing. All is drawn from one seed, and settings
are rounded to three digits before they are tried, so what is found is what a file can hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray

__all__ = ["Found", "rounded", "search"]

Objective = Callable[[FloatArray], FloatArray]

_LEAST = 0.05
_ABSENT = 0.25
_RANDOM_SHARE = 1 / 3
_CLIMBS = 4
_ROUND = 40
_STEP, _SHRINK, _SMALLEST = 0.7, 0.75, 0.03


@dataclass(frozen=True, eq=False)
class Found:
    """The best setting `weights [k]` with its `value`, and how many settings were tried."""

    weights: FloatArray
    value: float
    tried: int


def rounded(weights: FloatArray) -> FloatArray:
    """Weights to three significant digits, as a preset file holds them."""
    flat = [float(f"{value:.3g}") for value in np.ravel(weights).tolist()]
    return np.array(flat, dtype=np.float64).reshape(np.shape(weights))


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
    rng = np.random.default_rng(seed)
    held = np.where(free, np.nan, starts[0])
    tried = _Tried(objective, held)
    tried.add(starts)
    if free.any():
        tried.add(_random(rng, max(1, int(settings * _RANDOM_SHARE)), len(held), most))
        climbs = min(_CLIMBS, tried.count)
        for start in tried.best(climbs):
            _climb(tried, start, rng, free, most, (settings - tried.count) // climbs)
            climbs -= 1
    return tried.found()


class _Tried:
    """What was tried, and what it gave."""

    def __init__(self, objective: Objective, held: FloatArray) -> None:
        self._objective = objective
        self._held = held
        self._settings: list[FloatArray] = []
        self._values: list[FloatArray] = []
        self.count = 0

    def add(self, settings: FloatArray) -> tuple[FloatArray, float]:
        """Try `settings [m, k]`, m ≥ 1; the best of them with its value."""
        settings = rounded(np.where(np.isnan(self._held), settings, self._held))
        values = self._objective(settings)
        self._settings.append(settings)
        self._values.append(values)
        self.count += len(settings)
        best = int(np.argmax(values))
        return settings[best], float(values[best])

    def best(self, count: int) -> list[tuple[FloatArray, float]]:
        """The `count` best so far, best first; of equals those tried first."""
        settings, values = np.vstack(self._settings), np.concatenate(self._values)
        order = np.argsort(-values, kind="stable")[:count]
        return [(settings[i], float(values[i])) for i in order.tolist()]

    def found(self) -> Found:
        ((weights, value),) = self.best(1)
        return Found(weights, value, self.count)


def _random(rng: np.random.Generator, count: int, size: int, most: float) -> FloatArray:
    weights = np.exp(rng.uniform(np.log(min(_LEAST, most)), np.log(most), (count, size)))
    weights[rng.random((count, size)) < _ABSENT] = 0.0
    return weights


def _climb(
    tried: _Tried,
    start: tuple[FloatArray, float],
    rng: np.random.Generator,
    free: npt.NDArray[np.bool_],
    most: float,
    budget: int,
) -> None:
    (weights, value), step = start, _STEP
    while budget > 0 and step > _SMALLEST:
        count = min(_ROUND, budget)
        budget -= count
        there, found = tried.add(_neighbours(rng, weights, free, step, most, count))
        if found > value:
            weights, value = there, found
        else:
            step *= _SHRINK


def _neighbours(
    rng: np.random.Generator,
    weights: FloatArray,
    free: npt.NDArray[np.bool_],
    step: float,
    most: float,
    count: int,
) -> FloatArray:
    """`count` settings near `weights`: one to three weights moved by a factor, some of these set to 0 or revived."""
    size = len(weights)
    changes = rng.integers(1, 4, count)
    order = np.argsort(np.where(free, rng.random((count, size)), np.inf), axis=1)
    rank = np.argsort(order, axis=1)
    moved = (rank < changes[:, np.newaxis]) & free
    factors = np.exp(step * rng.standard_normal((count, size)))
    near = np.where(weights > 0, np.minimum(weights * factors, most), 0.0) * np.ones((count, 1))
    flips = moved & (rng.random((count, size)) < 0.1)
    revived = np.minimum(_LEAST * np.exp(rng.exponential(2.0, (count, size))), most)
    near = np.where(flips, np.where(weights > 0, 0.0, revived), near)
    settings: FloatArray = np.where(moved, near, weights)
    return settings
