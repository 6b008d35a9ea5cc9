"""What a metric is: statistics of each segment first, figures of their sums, then intervals and paired differences.

A segment is what is summed and drawn: a source with its output, a row that was judged, a document with its texts.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rerank.errors import BadInput
from rerank.types import FloatArray
from rewrite.evaluate.resampling import Bootstrap, Interval, interval_of, resampled_totals


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures by name, and the same of each bootstrap sample of so many segments, shape `[samples]`.

    NaN is a figure that there is none of, of the whole or of a sample.
    """

    figures: Mapping[str, float]
    samples: Mapping[str, FloatArray]
    segments: int

    def interval(self, name: str) -> Interval:
        """The 95 % interval of a figure over the samples that have it."""
        return interval_of(self.figures[name], self.samples[name])

    def intervals(self) -> dict[str, Interval]:
        """The 95 % interval of each figure."""
        return {name: self.interval(name) for name in self.samples}

    def less(self, other: Measured, name: str) -> tuple[float, Interval]:
        """By how much the figure `name` is above that of `other`, with the interval of the paired bootstrap.

        Both must be of the same segments, drawn with the same seed; `BadInput` where they are not as many.
        """
        if self.segments != other.segments:
            raise BadInput(f"Cannot pair {self.segments} segments with {other.segments}.")
        value = self.figures[name] - other.figures[name]
        return value, interval_of(value, self.samples[name] - other.samples[name])


class Metric(ABC):
    """Figures of any number of segments, made of what is counted of each: its statistics, of any shape."""

    @abstractmethod
    def signature(self) -> str:
        """Settings and versions: equal signatures mean equal figures of equal segments."""

    @abstractmethod
    def aggregate(self, statistics: FloatArray, bootstrap: Bootstrap) -> Measured:
        """The figures of statistics `[n_segments, …]`, and those of bootstrap samples of the segments."""


class SumMetric(Metric):
    """Figures called `FIGURES` that are made of the sums of statistics: most are."""

    FIGURES: tuple[str, ...]

    @abstractmethod
    def figures(self, totals: FloatArray) -> FloatArray:
        """Sums of statistics, shape `[n, …]`, to `FIGURES`, shape `[n, len(FIGURES)]`; NaN: not computed."""

    def of(self, statistics: FloatArray) -> dict[str, float]:
        """The figures by name of statistics `[n_segments, …]`, without those that were not computed."""
        values = self.figures(statistics.sum(axis=0, keepdims=True))[0].tolist()
        return {name: value for name, value in zip(self.FIGURES, values, strict=True) if not math.isnan(value)}

    def aggregate(self, statistics: FloatArray, bootstrap: Bootstrap) -> Measured:
        figures = self.of(statistics)
        drawn = self.figures(resampled_totals(statistics, samples=bootstrap.samples, seed=bootstrap.seed))
        samples = {name: drawn[:, place] for place, name in enumerate(self.FIGURES) if name in figures}
        return Measured(figures, samples, len(statistics))


@dataclass(frozen=True, slots=True)
class Difference:
    """`figure` of `system` less that of `baseline`, with the interval of the paired bootstrap."""

    system: str
    baseline: str
    figure: str
    value: float
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, `kind` first."""
        return {"kind": "difference", **asdict(self), "interval": self.interval.to_json()}
