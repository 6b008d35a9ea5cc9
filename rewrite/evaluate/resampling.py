"""Bootstrap over sources: statistics are made once for each source, then only their sums are drawn again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rerank.errors import BadInput
from rerank.types import FloatArray

__all__ = ["Interval", "percentile_interval", "resampled_totals"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval from `low` to `high` that covers `level` of the resampled scores."""

    low: float
    high: float
    level: float = 0.95


def resampled_totals(statistics: FloatArray, *, samples: int, seed: int) -> FloatArray:
    """Sums over as many sources drawn with replacement as there are: `[n_sources, …]` to `[samples, …]`.

    Equal seeds draw the same sources for any statistics of equally many sources, so that systems can be paired.
    `BadInput` where there is nothing to draw from.
    """
    segments = len(statistics)
    if segments == 0 or samples < 1:
        raise BadInput(f"Cannot resample {segments} segments {samples} times.", hint="Give at least one of each.")
    rng = np.random.default_rng(seed)
    # How often each segment is drawn; one matrix product replaces a thousand sums.
    draws = rng.multinomial(segments, np.full(segments, 1 / segments), size=samples).astype(np.float64)
    totals: FloatArray = draws @ statistics.reshape(segments, -1)
    return totals.reshape(samples, *statistics.shape[1:])


def percentile_interval(scores: FloatArray, level: float) -> Interval:
    """The percentile interval of resampled `scores`, shape `[samples]`, that covers `level` of them."""
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)
