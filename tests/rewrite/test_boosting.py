"""Boosted trees and small networks in plain arrays: the same predictions as scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rerank.types import FloatArray
from rewrite.forest import Boosting, Net
from training.edit_model import fit


@pytest.fixture(scope="module")
def fitted() -> tuple[Boosting, Any, FloatArray]:
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


def test_predictions_are_those_of_scikit_learn(fitted: tuple[Boosting, Any, FloatArray]) -> None:
    boosting, theirs, rows = fitted
    expected = theirs.predict(rows.astype(np.float32))
    assert np.ptp(expected) > 1
    np.testing.assert_allclose(boosting.predict(rows), expected, atol=1e-5)


def test_arrays_give_the_same_trees_back(fitted: tuple[Boosting, Any, FloatArray]) -> None:
    boosting, _, rows = fitted
    again = Boosting.load(boosting.arrays())
    np.testing.assert_array_equal(again.predict(rows), boosting.predict(rows))


def test_a_stump_by_hand() -> None:
    stump = Boosting(
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


def test_one_network_by_hand() -> None:
    net = Net(
        mean=np.array([1.0, 0.0]),
        scale=np.array([2.0, 1.0]),
        hidden=np.array([[[1.0, -1.0], [0.0, 2.0]]]),
        bias=np.array([[0.0, 0.5]]),
        out=np.array([[2.0, 1.0]]),
        last=np.array([-1.0]),
    )
    # z = (1, 0.25): hidden relu(1) = 1 and relu(−1 + 0.5 + 0.5) = 0, so σ(2 − 1).
    assert net.predict(np.array([[3.0, 0.25]])) == pytest.approx([1 / (1 + np.exp(-1))])
    # Nothing counts for more than four standard deviations.
    assert net.predict(np.array([[9.0, 0.0], [99.0, 0.0]])) == pytest.approx([1 / (1 + np.exp(-7))] * 2)


@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_predictions_are_those_of_scikit_learn_and_survive_eight_bits() -> None:
    networks = pytest.importorskip("sklearn.neural_network", reason="scikit-learn is in the dev extra")
    from training.acceptance import fit_net

    rng = np.random.default_rng(0)
    features = rng.normal(size=(600, 6))
    passed = features[:, 0] * features[:, 1] > 0
    net = fit_net(features, passed)
    theirs = [
        networks.MLPClassifier((48,), alpha=1.0, max_iter=6, batch_size=64, random_state=seed).fit(
            net.standard(features), passed
        )
        for seed in range(4)
    ]
    expected = np.mean([one.predict_proba(net.standard(features))[:, 1] for one in theirs], axis=0)
    assert np.ptp(expected) > 0.3
    np.testing.assert_allclose(net.predict(features), expected, atol=1e-9)
    stored = Net.load(net.arrays("cut"), "cut")
    assert net.arrays("cut")["cut_hidden"].dtype == np.int8
    np.testing.assert_allclose(stored.predict(features), expected, atol=0.01)
