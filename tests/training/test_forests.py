"""The forest that learns which rewrites readers pass."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rerank.errors import ModelNotFound
from rerank.types import FloatArray
from rewrite.forest import TreeAcceptance
from training import forests
from training.forests import JudgedTexts, _forest, across_folds, folds_of, train_forest

NAMES = tuple(f"x{i}" for i in range(20))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer trees and folds than the models of the package have."""
    monkeypatch.setattr(forests, "_TREES", 20)
    monkeypatch.setattr(forests, "_FOLDS", 4)


def judged(rng: np.random.Generator, n: int) -> list[JudgedTexts]:
    """Sentences with three texts each; one passes where its first feature is above 0.5."""
    found = []
    for _ in range(n):
        features = rng.random((3, len(NAMES)))
        found.append(JudgedTexts(features, features[:, 0] > 0.5))
    return found


def test_folds_are_equal_seeded_and_cover_all() -> None:
    folds = folds_of(100, 5)
    assert np.bincount(folds).tolist() == [20] * 5
    np.testing.assert_array_equal(folds, folds_of(100, 5))
    assert (folds != folds_of(100, 5, seed=1)).any()


def test_the_stored_forest_says_what_the_grown_one_says() -> None:
    from sklearn.ensemble import ExtraTreesClassifier

    data = judged(np.random.default_rng(0), 40)
    features = np.vstack([one.features for one in data])
    grown = ExtraTreesClassifier(150, min_samples_leaf=3, random_state=0)
    grown.fit(features.astype(np.float32), np.concatenate([one.passed for one in data]))
    assert _forest(data).predict(features) == pytest.approx(grown.predict_proba(features)[:, 1], abs=1e-4)


@pytest.mark.usefixtures("small")
def test_what_readers_pass_is_learnt() -> None:
    model = train_forest(NAMES, judged(np.random.default_rng(1), 120))
    unseen = judged(np.random.default_rng(2), 60)
    chances = np.concatenate([model.predict(one.features) for one in unseen])
    passed = np.concatenate([one.passed for one in unseen])
    assert chances[passed].mean() > chances[~passed].mean() + 0.2


@pytest.mark.usefixtures("small")
def test_what_it_is_worth_on_unseen_sentences_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    data = judged(np.random.default_rng(3), 60)
    train_forest(NAMES, [JudgedTexts(one.features[:, :1], one.passed) for one in data])
    train_forest(NAMES, [JudgedTexts(one.features[:, 1:], one.passed) for one in data])
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("60 sentences: 180 judged, ")]
    telling, useless = (float(line.split()[-1]) for line in told)
    assert telling > 0.9 > 0.6 > useless


@pytest.mark.usefixtures("small")
def test_a_model_comes_back_as_it_was_kept_and_one_for_other_features_is_refused(tmp_path: Path) -> None:
    data = judged(np.random.default_rng(4), 20)
    model = train_forest(NAMES, data)
    model.save(tmp_path / "kept.npz")
    kept = TreeAcceptance.load(tmp_path / "kept.npz", NAMES)
    assert kept.predict(data[0].features).tolist() == model.predict(data[0].features).tolist()
    with pytest.raises(ModelNotFound, match="other features"):
        TreeAcceptance.load(tmp_path / "kept.npz", NAMES[1:])
    with pytest.raises(ModelNotFound, match="Cannot read the model"):
        TreeAcceptance.load(tmp_path / "none.npz", NAMES)


def test_of_one_sentence_nothing_is_learnt_from_its_other_texts() -> None:
    rng = np.random.default_rng(4)
    data = [
        JudgedTexts(rng.random((2, 3)), np.array([True, False]), source=source)
        for source in ("one", "two", "one", "three", "two", "four")
    ]

    class Remembering:
        def __init__(self, known: Sequence[JudgedTexts]) -> None:
            self.known = {texts.source for texts in known}

        def predict(self, features: FloatArray) -> FloatArray:
            (own,) = (texts.source for texts in data if texts.features is features)
            return np.full(len(features), float(own in self.known))

    assert not np.concatenate(across_folds(data, Remembering, 3)).any()
