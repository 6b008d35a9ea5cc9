"""Resampling, and the area under a curve."""

from __future__ import annotations

import numpy as np
import pytest

from rerank.types import FloatArray
from rewrite.errors import BadInput
from rewrite.evaluate.metric import Measured, SumMetric
from rewrite.evaluate.resampling import Bootstrap, Interval, area_under_curve


class _Mean(SumMetric):
    FIGURES = ("mean", "unknown", "sum")

    def signature(self) -> str:
        return "mean"

    def figures(self, totals: FloatArray) -> FloatArray:
        mean = totals[:, 1] / totals[:, 0]
        return np.column_stack([mean, np.full(len(totals), np.nan), totals[:, 1]])


def _measured(values: list[float], bootstrap: Bootstrap) -> Measured:
    return _Mean().aggregate(_statistics(values), bootstrap)


def _statistics(values: list[float]) -> FloatArray:
    return np.column_stack([np.ones(len(values)), values])


def test_figures_are_of_the_set_and_intervals_of_what_is_drawn_from_it() -> None:
    measured = _measured([1, 2, 3, 6], Bootstrap(400, 1))
    assert measured.figures == {"mean": 3, "sum": 12}  # not what was not computed
    intervals = measured.intervals()
    assert list(intervals) == ["mean", "sum"]
    # Of four sources the mean of a sample has the standard deviation 3.5 ** 0.5 / 2 = 0.94.
    assert 1 < intervals["mean"].low < 2 < 4 < intervals["mean"].high < 5.5
    assert intervals["sum"].low == pytest.approx(4 * intervals["mean"].low)


def test_systems_are_paired_by_the_sources_drawn() -> None:
    low, high = ([1.0, 2.0, 3.0, 6.0], [2.0, 3.0, 4.0, 7.0])
    ours, theirs = (_measured(values, Bootstrap(50, 3)) for values in (high, low))
    value, interval = ours.less(theirs, "mean")
    # Each source differs by one, so every sample does, though the means vary widely.
    assert (value, interval.low, interval.high) == (1, pytest.approx(1), pytest.approx(1))
    with pytest.raises(BadInput, match="Cannot pair 4 segments with 3"):
        ours.less(_measured(low[:3], Bootstrap(50, 3)), "mean")


def test_what_is_undefined_has_no_interval() -> None:
    nan, samples = float("nan"), np.array([1.0, np.nan, 1.0])
    some, none = Measured({"a": 1.0}, {"a": samples}, 3), Measured({"a": nan}, {"a": samples}, 3)
    assert some.interval("a").to_json() == [1, 1]
    assert none.interval("a").to_json() is None
    assert some.less(none, "a")[1].to_json() is None


def test_an_interval_as_text() -> None:
    assert (Interval(1.234, 5.0).text(), Interval(1.26, 5.0).text(1)) == ("1.23–5.00", "1.3–5.0")


def test_it_is_the_share_of_pairs_in_order_by_hand() -> None:
    positive, negative = np.array([4.0, 2.0]), np.array([3.0, 1.0])
    assert area_under_curve(positive, negative) == 3 / 4
    assert area_under_curve(negative, positive) == 1 / 4
    assert area_under_curve(np.ones(2), np.ones(3)) == 0.5
    assert area_under_curve(np.array([np.inf, np.inf]), np.array([np.inf, -np.inf])) == 3 / 4


def test_a_tie_is_half_a_pair() -> None:
    rng = np.random.default_rng(0)
    positive, negative = rng.integers(0, 6, 40) / 5, rng.integers(0, 6, 30) / 6
    wins = sum(float(p > n) + (p == n) / 2 for p in positive for n in negative)
    assert area_under_curve(positive, negative) == wins / (40 * 30)


def test_without_examples_of_both_kinds_there_is_none() -> None:
    assert np.isnan(area_under_curve(np.ones(2), np.ones(0)))
    assert np.isnan(area_under_curve(np.ones(0), np.ones(2)))


def test_it_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="needs the extra train")
    rng = np.random.default_rng(4)
    for _ in range(30):
        wanted = rng.random(12) < 0.3
        if not wanted.any() or wanted.all():
            continue
        values = rng.integers(0, 6, size=12).astype(np.float64)  # with ties
        area = area_under_curve(values[wanted], values[~wanted])
        assert area == pytest.approx(metrics.roc_auc_score(wanted, values))
