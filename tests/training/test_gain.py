"""Training of the model behind `gain`: only what may be chosen is learnt from, and no fold chooses for itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.scorer import Context
from rerank.types import Candidate, ScoreTable
from rewrite.datasets import Example
from rewrite.evaluate.sari import SariScore
from rewrite.gain import FEATURES, Gain, GainModel
from rewrite.generators.edits.model import EditModel
from training.forests import folds_of
from training.gain import Measured, held_out_choices, measured, pools_of
from training.weighting.options import WeightOptions

SOURCE = "Старый дом, где жил поэт, стоит у реки."


def test_blocked_candidates_are_left_out_and_the_source_comes_first(analyzer: Analyzer) -> None:
    texts = ("Дом стоит у реки.", "Дом стоит у моря.", "Дом у реки.")
    table = ScoreTable(
        SOURCE,
        tuple(Candidate(text) for text in texts),
        ("length",),
        np.ones((3, 1)),
        np.ones(1),
        ("", "changes a fact", ""),
    )
    gain = Gain(GainModel(np.zeros(len(FEATURES))))
    features, statistics = measured(table, ["Дом у реки."], gain, Context(analyzer))
    assert features.shape == (3, len(FEATURES))
    assert features[:, FEATURES.index("unchanged")].tolist() == [1, 0, 0]
    assert SariScore.of(statistics[2:]).sari > SariScore.of(statistics[:1]).sari


def test_what_is_worth_most_is_found_on_pools_that_were_not_learnt_from() -> None:
    rng = np.random.default_rng(0)
    pools: list[Measured] = []
    for _ in range(60):
        # The first feature tells how many of ten n-grams each candidate has right.
        right = rng.integers(0, 10, 5)
        statistics = np.zeros((5, 3, 4, 3))
        statistics[..., 0] = right[:, None, None]
        statistics[..., 1:] = 10
        pools.append((np.column_stack([right, rng.normal(size=5)]), statistics))
    folds = [i % 5 for i in range(60)]
    chosen = held_out_choices(pools, folds)
    best = np.array([statistics[int(np.argmax(features[:, 0]))] for features, statistics in pools])
    assert SariScore.of(chosen).sari > 0.97 * SariScore.of(best).sari


def test_a_fold_does_not_learn_from_itself() -> None:
    # In each of two folds another sign of the feature is right, so what the other fold teaches is wrong here.
    pools: list[Measured] = []
    for fold in (0, 1):
        statistics = np.zeros((2, 3, 4, 3))
        statistics[1, ..., 0] = 10
        statistics[..., 1:] = 10
        sign = 1.0 if fold else -1.0
        pools += [(np.array([[0.0], [sign]]), statistics)] * 10
    chosen = held_out_choices(pools, [0] * 10 + [1] * 10)
    assert SariScore.of(chosen).sari == 0


def test_texts_of_several_sentences_are_no_pools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.edit_model.train_edit_model", lambda *_: EditModel.load())
    texts = [SOURCE, f"{SOURCE} Рядом растёт высокий старый дуб.", SOURCE.replace("поэт", "художник"), "Дом."]
    examples = [Example(text, ("Дом стоит у реки.",)) for text in texts]
    options = WeightOptions(n=3, seed=0, folds=2, cross_fit=True)
    pools, of_folds = pools_of(examples, options, tmp_path)
    numbers = folds_of(4, 2, 0).tolist()
    assert of_folds == [numbers[0], numbers[2]]
    assert all(len(features) == len(statistics) >= 1 for features, statistics in pools)
