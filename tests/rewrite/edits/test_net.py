"""Small networks in plain arrays: the same predictions as scikit-learn's, nearly so in eight bits."""

from __future__ import annotations

import numpy as np
import pytest

from rewrite.generators.edits.net import Net


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
