"""Figures with bootstrap intervals, whatever the figures are of."""

from __future__ import annotations

import numpy as np
import pytest

from rerank.types import FloatArray
from rewrite.evaluate.resampling import Bootstrap, Interval, measured

NAMES = ("mean", "unknown", "sum")


def _figures(totals: FloatArray) -> FloatArray:
    mean = totals[:, 1] / totals[:, 0]
    return np.column_stack([mean, np.full(len(totals), np.nan), totals[:, 1]])


def _statistics(values: list[float]) -> FloatArray:
    return np.column_stack([np.ones(len(values)), values])


def test_figures_are_of_the_set_and_intervals_of_what_is_drawn_from_it() -> None:
    own = measured(_statistics([1, 2, 3, 6]), _figures, NAMES, Bootstrap(400, 1))
    assert own.figures == {"mean": 3, "sum": 12}  # not what was not computed
    intervals = own.intervals()
    assert list(intervals) == ["mean", "sum"]
    # Of four sources the mean of a sample has the standard deviation 3.5 ** 0.5 / 2 = 0.94.
    assert 1 < intervals["mean"].low < 2 < 4 < intervals["mean"].high < 5.5
    assert intervals["sum"].low == pytest.approx(4 * intervals["mean"].low)


def test_systems_are_paired_by_the_sources_drawn() -> None:
    low, high = ([1.0, 2.0, 3.0, 6.0], [2.0, 3.0, 4.0, 7.0])
    ours, theirs = (measured(_statistics(own), _figures, NAMES, Bootstrap(50, 3)) for own in (high, low))
    value, interval = ours.less(theirs, "mean")
    # Each source differs by one, so every sample does, though the means vary widely.
    assert (value, interval.low, interval.high) == (1, pytest.approx(1), pytest.approx(1))


def test_an_interval_as_text() -> None:
    assert (Interval(1.234, 5.0).text(), Interval(1.26, 5.0).text(1)) == ("1.23–5.00", "1.3–5.0")
