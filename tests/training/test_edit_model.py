"""The recipe of the edit model: folds, targets, the linear gain, and a small model trained from scratch."""

from __future__ import annotations

import re

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.types import FloatArray
from rewrite.generators.base import Sampling
from rewrite.generators.edits.generator import EditsGenerator
from rewrite.generators.edits.keep_and_gain import GAIN_FEATURES as FEATURES
from training import edit_model, forests
from training.edit_model import kept_share, train_edit_model, word_projection

SOURCES = [
    "Известный писатель Лев Толстой закончил в этом году свой новый большой роман.",
    "Отряд быстро вошёл в старый город, который стоит на берегу широкой реки.",
    "В центре города в прошлом году был построен новый красивый музей.",
    "Опасаясь сильной бури, старый капитан вернулся в порт вечером.",
    "Оливковое масло, получаемое из плодов, также используется в мыловарении.",
]
REFERENCES = [
    ["Писатель закончил роман.", "Толстой закончил новый роман."],
    ["Отряд вошёл в город.", "Отряд вошёл в старый город."],
    ["В городе построен музей.", "В центре города построен музей."],
    ["Капитан вернулся в порт.", "Капитан вернулся в порт вечером."],
    ["Масло используется в мыловарении.", "Оливковое масло используется в мыловарении."],
]


def test_the_target_is_the_share_of_references_with_the_word() -> None:
    assert kept_share(["Дом", "сад", "лес"], ["дом и сад", "Дом.", "ДОМИК", "сад"]).tolist() == [0.5, 0.5, 0.0]


def test_word_projection_is_orthonormal(analyzer: Analyzer) -> None:
    projection = word_projection(analyzer.navec)
    assert projection.shape == (300, 24)
    np.testing.assert_allclose(projection.T @ projection, np.eye(24), atol=1e-2)


def test_thresholds_are_never_rounded_up() -> None:
    thresholds = np.random.default_rng(0).normal(size=1000)
    below = forests._below(thresholds)
    assert below.dtype == np.float32
    assert (below.astype(np.float64) <= thresholds).all()
    np.testing.assert_allclose(below, thresholds, rtol=1e-6)


def statistics(right: FloatArray) -> FloatArray:
    """SARI statistics with `right` n-grams right of 10 done and 10 due, for every order and operation."""
    found = np.full((len(right), 3, 4, 3), 10.0)
    found[..., 0] = right[:, None, None]
    return found


def test_the_gain_learns_which_feature_pays() -> None:
    rng = np.random.default_rng(0)
    pools = []
    for _ in range(40):
        features = rng.normal(size=(12, len(FEATURES)))
        pools.append((features, statistics(5 + features[:, 2])))
    weights = edit_model.fit_gain(pools)
    assert weights.shape == (len(FEATURES),)
    assert int(np.argmax(np.abs(weights))) == 2
    assert weights[2] > 0
    assert np.abs(np.delete(weights, 2)).max() < 0.2 * weights[2]


def test_a_small_model_from_scratch(analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn.ensemble", reason="scikit-learn is in the dev extra")
    monkeypatch.setattr(edit_model, "_DRAWN", 6)
    monkeypatch.setattr(edit_model, "_TREES", 20)
    model = train_edit_model(analyzer, SOURCES[:4], REFERENCES[:4])
    assert model.weights.shape == (len(FEATURES),)
    assert np.isfinite(model.weights).all()
    (candidates,) = EditsGenerator(analyzer=analyzer, model=model).generate(SOURCES[4:], Sampling(n=5))
    assert candidates
    words = set(re.findall(r"\w+", SOURCES[4].lower()))
    assert all(set(re.findall(r"\w+", c.text.lower())) & words for c in candidates)
