"""The component `gain`: what it looks at, and that its scale is that of its model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.errors import ModelNotFound
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.gain import FEATURES, Gain, GainModel
from rewrite.gain.scorer import SourceWords, candidate_features

SOURCE = "Старый дом, где жил поэт, стоит у реки."
WORDS = ("старый", "дом", "где", "жил", "поэт", "стоит", "у", "реки")
KEEP = np.array([0.5, 1.0, 0.25, 0.25, 0.25, 1.0, 0.5, 0.5])


def features(candidate: Candidate, **frequency: float) -> dict[str, float]:
    found = candidate_features(SourceWords(SOURCE, WORDS, KEEP), candidate, frequency)
    return dict(zip(FEATURES, found.tolist(), strict=True))


def test_kept_and_dropped_words_count_with_the_share_of_editors_who_would_keep_them() -> None:
    found = features(Candidate("Дом стоит у реки."))
    assert (found["kept"], found["gone"]) == (0.5, 0.5)
    assert found["kept_keep"] == pytest.approx(3.0 / 8)
    assert found["gone_keep"] == pytest.approx(1.25 / 8)
    assert found["commas"] == -2 / 8
    assert found["unchanged"] == 0


def test_new_words_count_with_how_common_they_are() -> None:
    common = features(Candidate("Дом стоит возле реки."), возле=1e-4)
    rare = features(Candidate("Дом стоит близ реки."), близ=1e-7)
    assert common["new"] == rare["new"] == 1 / 8
    assert (common["new_zipf"], common["new_rare"]) == (pytest.approx(5 / 8), 0)
    assert (rare["new_zipf"], rare["new_rare"]) == (pytest.approx(2 / 8), 1 / 8)


def test_a_gain_of_edits_and_a_probability_of_a_model_are_kept_apart() -> None:
    text = "Дом стоит возле реки."
    edits = features(Candidate(text, generator="edits", logprob=9.0, tokens=8, source_logprob=1.0))
    model = features(Candidate(text, generator="ct2", logprob=-4.0, tokens=8))
    assert (edits["gain"], edits["model"], edits["model_logprob"], edits["model_new"]) == (1.0, 0, 0, 0)
    assert (model["gain"], model["model"], model["model_logprob"], model["model_new"]) == (0, 1, -0.5, 1 / 8)


def test_another_system_that_says_nothing_of_its_candidate_is_no_model() -> None:
    assert features(Candidate("Дом стоит у реки.", generator="other"))["model"] == 0


def test_the_source_is_unchanged_whatever_its_case_and_punctuation() -> None:
    assert features(Candidate("старый дом где жил поэт стоит у реки"))["unchanged"] == 1


def test_the_best_of_the_pool_has_one_and_the_others_fall_by_their_gain(analyzer: Analyzer) -> None:
    weights = np.zeros(len(FEATURES))
    weights[FEATURES.index("length")] = -40.0
    gain = Gain(GainModel(weights))
    pool = [Candidate("Дом стоит у реки."), Candidate(SOURCE)]
    found = gain.score(SOURCE, pool, Context(analyzer))
    assert found.tolist() == pytest.approx([1.0, np.exp(-40.0 * 0.5 / 20)])
    weights[:] *= 1_000
    low, _ = gain.range
    assert gain.score(SOURCE, pool, Context(analyzer)).tolist() == [1.0, low]
    assert gain.score(SOURCE, [], Context(analyzer)).shape == (0,)


def test_keep_shares_come_from_the_edit_model_for_every_word(analyzer: Analyzer) -> None:
    gain = Gain(GainModel(np.zeros(len(FEATURES))))
    found = gain.features("Кто-то нашёл дом. Он стоит у реки.", [Candidate("Кто-то нашёл дом.")], Context(analyzer))
    row = dict(zip(FEATURES, found[0].tolist(), strict=True))
    assert row["kept"] == 4 / 8
    assert 0 < row["kept_keep"] <= 1
    assert row["sentences"] == -1


def test_a_model_comes_back_and_one_for_other_features_is_refused(tmp_path: Path) -> None:
    weights = np.arange(len(FEATURES), dtype=np.float64)
    GainModel(weights).save(tmp_path / "model.npz")
    assert GainModel.load(tmp_path / "model.npz").weights.tolist() == weights.tolist()
    np.savez(tmp_path / "other.npz", names=np.array(["length"]), weights=np.zeros(1))
    with pytest.raises(ModelNotFound, match="other features"):
        GainModel.load(tmp_path / "other.npz")
