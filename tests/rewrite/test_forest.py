"""Boosted trees and forests in plain arrays: the same predictions as scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rerank.types import FloatArray
from rewrite.forest import Trees
from training.edit_model import fit
from training.forests import grow


@pytest.fixture(scope="module")
def fitted() -> tuple[Trees, Any, FloatArray]:
    """Our arrays, scikit-learn's own model of the same data, and rows that neither has seen."""
    ensemble = pytest.importorskip("sklearn.ensemble", reason="scikit-learn is in the dev extra")
    rng = np.random.default_rng(0)
    features = rng.normal(size=(600, 8)).round(2)
    features[:, 3] = rng.integers(0, 4, size=600)
    targets = np.sin(features[:, 0]) + (features[:, 3] == 2) * features[:, 1] + 0.1 * rng.normal(size=600)
    caught: list[Any] = []

    class Kept(ensemble.HistGradientBoostingRegressor):  # type: ignore[misc, name-defined]
        def fit(self, *args: Any, **kwargs: Any) -> Any:
            caught.append(self)
            return super().fit(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ensemble, "HistGradientBoostingRegressor", Kept)
        boosting = fit(features, targets)
    unseen = rng.normal(size=(400, 8)).round(2)
    return boosting, caught[0], np.vstack([features, unseen])


def test_predictions_are_those_of_scikit_learn(fitted: tuple[Trees, Any, FloatArray]) -> None:
    boosting, theirs, rows = fitted
    expected = theirs.predict(rows.astype(np.float32))
    assert np.ptp(expected) > 1
    np.testing.assert_allclose(boosting.predict(rows), expected, atol=1e-5)


def test_arrays_give_the_trees_back_with_thresholds_of_16_bits(fitted: tuple[Trees, Any, FloatArray]) -> None:
    boosting, _, rows = fitted
    again = Trees.load(boosting.arrays())
    np.testing.assert_allclose(again.threshold, boosting.threshold, rtol=2**-10)
    # What 16 bits hold exactly, as counts are, stays on its side.
    short = rows.astype(np.float16).astype(np.float64)
    np.testing.assert_array_equal(again.predict(short), boosting.predict(short))


def test_a_stump_by_hand() -> None:
    stump = Trees(
        feature=np.array([[1, 0, 0]], dtype=np.int16),
        threshold=np.array([[0.5, 0, 0]], dtype=np.float32),
        left=np.array([[1, 1, 2]], dtype=np.int16),
        right=np.array([[2, 1, 2]], dtype=np.int16),
        value=np.array([[0, -1, 1]], dtype=np.float32),
        base=10.0,
        depth=1,
    )
    assert stump.predict(np.array([[9.0, 0.5], [9.0, 0.6]])).tolist() == [9.0, 11.0]
    assert stump.predict(np.zeros((0, 2))).shape == (0,)


def test_a_forest_says_the_share_that_passed_as_scikit_learn_does_and_comes_back_from_its_part_of_a_file() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble", reason="scikit-learn is in the dev extra")
    rng = np.random.default_rng(0)
    features = rng.normal(size=(600, 6)).astype(np.float16).astype(np.float64)
    passed = features[:, 0] * features[:, 1] > 0
    forest = grow(features, passed, trees=20, leaf=4, tried=0.5)
    theirs = ensemble.ExtraTreesClassifier(20, min_samples_leaf=4, max_features=0.5, random_state=0)
    expected = theirs.fit(features, passed).predict_proba(features)[:, 1]
    assert np.ptp(expected) > 0.5
    np.testing.assert_allclose(forest.predict(features), expected, atol=1e-5)
    again = Trees.load({**forest.arrays("cut_"), "other": np.zeros(1)}, "cut_")
    np.testing.assert_array_equal(again.predict(features), forest.predict(features))
