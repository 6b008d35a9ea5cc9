"""Bootstrap over sources: statistics are made once for each, then only their sums are drawn again; areas of curves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from rerank.types import FloatArray

_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`samples` drawn over sources or documents, and the `seed`; equal ones draw the same of equally many."""

    samples: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval from `low` to `high` that covers 95 % of the resampled scores."""

    low: float
    high: float

    def text(self, places: int = 2) -> str:
        """`low–high`, each with so many decimal places."""
        return f"{self.low:.{places}f}–{self.high:.{places}f}"

    def to_json(self) -> list[float] | None:
        """Both ends, `None` where there is no interval: both are NaN."""
        return None if math.isnan(self.low) else [self.low, self.high]


def resampled_counts(segments: int, *, samples: int, seed: int) -> NDArray[np.int64]:
    """How often each of `segments` sources is drawn in each bootstrap sample, shape `[samples, segments]`.

    `BadInput` where there is nothing to draw from.
    """
    if segments == 0 or samples < 1:
        raise BadInput(f"Cannot resample {segments} segments {samples} times.", hint="Give at least one of each.")
    rng = np.random.default_rng(seed)
    counts: NDArray[np.int64] = rng.multinomial(segments, np.full(segments, 1 / segments), size=samples)
    return counts


def resampled_totals(statistics: FloatArray, *, samples: int, seed: int) -> FloatArray:
    """Sums over as many sources drawn with replacement as there are: `[n_sources, …]` to `[samples, …]`.

    Equal seeds draw the same sources for any statistics of equally many sources, so that systems can be paired.
    `BadInput` where there is nothing to draw from.
    """
    segments = len(statistics)
    # One matrix product replaces a thousand sums.
    draws = resampled_counts(segments, samples=samples, seed=seed).astype(np.float64)
    totals: FloatArray = draws @ statistics.reshape(segments, -1)
    return totals.reshape(samples, *statistics.shape[1:])


def interval_of(value: float, samples: FloatArray) -> Interval:
    """The percentile interval that covers 95 % of the samples of a figure that have it; NaN where it or all are NaN."""
    known = samples[np.isfinite(samples)]
    if not len(known) or math.isnan(value):
        return Interval(math.nan, math.nan)
    low, high = np.quantile(known, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Interval(float(low), float(high))


def area_under_curve(positive: FloatArray, negative: FloatArray) -> float:
    """Area under the ROC curve, in [0, 1]: the chance that a positive example has the higher value, ties being half.

    `positive` and `negative` are the values of the examples of each kind, `[n]` and `[m]`, in any order; all count
    alike. Pairs are counted exactly, and divided once. `nan` where either kind has none. Infinite values are compared
    as any other; a `nan` among the values counts as the highest.
    """
    if not len(positive) or not len(negative):
        return float("nan")
    order = np.sort(negative)
    below, up_to = np.searchsorted(order, positive, "left"), np.searchsorted(order, positive, "right")
    return float((below + up_to).sum() / (2 * len(positive) * len(negative)))
