"""The area under the ROC curve: by hand, by counting pairs, and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from rewrite.evaluate.resampling import area_under_curve


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
    for _ in range(100):
        wanted = rng.random(12) < 0.3
        if not wanted.any() or wanted.all():
            continue
        values = rng.integers(0, 6, size=12).astype(np.float64)  # with ties
        found = area_under_curve(values[wanted], values[~wanted])
        assert found == pytest.approx(metrics.roc_auc_score(wanted, values))
