"""Which cut of a sentence is offered, and what a language model has to say of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.errors import ModelNotFound
from rerank.types import FloatArray
from rewrite.engines.base import ModelInput
from rewrite.gain.breaks import FEATURES, BreakAcceptance, BreakJudge
from rewrite.generators import create_generator
from rewrite.generators.base import Sampling
from rewrite.generators.edits import EditsGenerator
from rewrite.generators.edits.boosting import Boosting

SOURCE = "Комиссия проверила все документы, но ошибок в них она не нашла, поэтому школа получила лицензию."


class WordModel:
    """Finds every word likely, −0.1, but those it is told to doubt, −5."""

    def __init__(self, *doubted: str) -> None:
        self.doubted = doubted
        self.asked: list[str] = []

    def describe(self) -> dict[str, object]:
        return {"model": "words"}

    def token_logprobs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[list[tuple[str, float]]]:
        self.asked += texts
        return [[(w, -5.0 if w.strip(".,") in self.doubted else -0.1) for w in text.split()] for text in texts]


def by(name: str, threshold: float) -> BreakAcceptance:
    """A model with one tree: 0.1 up to the threshold of the feature, 0.9 above."""
    shape = (1, 3)
    forest = Boosting(
        feature=np.full(shape, FEATURES.index(name), dtype=np.int16),
        threshold=np.full(shape, threshold, dtype=np.float32),
        left=np.array([[1, 1, 2]], dtype=np.int16),
        right=np.array([[2, 1, 2]], dtype=np.int16),
        value=np.array([[0, 0.1, 0.9]], dtype=np.float32),
        base=0.0,
        depth=1,
    )
    return BreakAcceptance(forest, 1.0, 0.0)


def offered(analyzer: Analyzer, model: WordModel, acceptance: BreakAcceptance, text: str = SOURCE) -> dict[str, float]:
    analysis = analyzer.analyze_one(text, ("morph", "syntax", "entities"))
    (edits,) = BreakJudge(model, analyzer=analyzer, model=acceptance).edits([analysis])
    return {edit.label: float(np.exp(-edit.risk)) for edit in edits}


def test_the_risk_of_a_cut_is_what_the_trees_say_of_the_models_doubts(analyzer: Analyzer) -> None:
    sure = offered(analyzer, WordModel(), by("logprob:new_least", -1.0))
    doubting = offered(analyzer, WordModel("нашла"), by("logprob:old_least", -1.0))
    assert sure
    assert all(chance == pytest.approx(0.9) for chance in (sure | doubting).values())


def test_a_cut_that_would_hardly_pass_is_not_offered(analyzer: Analyzer) -> None:
    chances = offered(analyzer, WordModel("Но"), by("logprob:new_least", -1.0))
    assert chances
    assert not any(label.endswith("Но") for label in chances)


def test_of_the_cuts_at_one_place_only_the_surest_is_offered(analyzer: Analyzer) -> None:
    labels = list(offered(analyzer, WordModel(), by("lead:none", 0.5)))
    assert sorted(labels) == [", но → .", ", поэтому → ."] or len({label.split(" ")[0] for label in labels}) == 1
    assert len(labels) == len(set(labels)) <= 2


def test_the_surest_cut_is_behind_nothing(analyzer: Analyzer) -> None:
    analysis = analyzer.analyze_one(SOURCE, ("morph", "syntax", "entities"))
    assert max(offered(analyzer, WordModel(), by("logprob:behind_best", -1e-6)).values()) == pytest.approx(0.9)
    assert len(analysis.sentences) == 1


def test_a_short_sentence_and_a_text_of_two_are_not_cut_and_the_model_is_not_asked(analyzer: Analyzer) -> None:
    model = WordModel()
    short, two = "Дождь кончился, и дети вышли гулять.", f"{SOURCE} Все были рады."
    assert offered(analyzer, model, by("root_before", 0.5), short) == {}
    assert offered(analyzer, model, by("root_before", 0.5), two) == {}
    assert model.asked == []


def test_a_text_that_comes_again_is_not_asked_about_again(analyzer: Analyzer) -> None:
    model = WordModel()
    judge = BreakJudge(model, analyzer=analyzer, model=by("root_before", 0.5))
    analysis = analyzer.analyze_one(SOURCE, ("morph", "syntax", "entities"))
    first, asked = judge.edits([analysis]), len(model.asked)
    assert judge.edits([analysis]) == first
    assert len(model.asked) == asked > 0


def test_cuts_join_the_edits_of_the_generator(analyzer: Analyzer) -> None:
    judge = BreakJudge(WordModel(), analyzer=analyzer, model=by("root_before", 0.5))
    (pool,) = EditsGenerator(analyzer=analyzer, cutter=judge).generate([SOURCE], Sampling(n=30))
    assert any(". Поэтому школа" in candidate.text for candidate in pool)


def test_without_a_model_beside_them_edits_have_no_cutter(analyzer: Analyzer) -> None:
    (pool,) = create_generator("edits", analyzer=analyzer).generate([SOURCE], Sampling(n=30))
    assert not any(". Поэтому школа" in candidate.text for candidate in pool)


def test_the_bundled_model_is_read_and_one_for_other_features_refused(tmp_path: Path) -> None:
    bundled = BreakAcceptance.load()
    chances: FloatArray = bundled.predict(np.zeros((2, len(FEATURES))))
    assert chances.shape == (2,)
    assert ((chances > 0) & (chances < 1)).all()
    bundled.save(tmp_path / "kept.npz")
    assert (
        BreakAcceptance.load(tmp_path / "kept.npz").predict(np.zeros((2, len(FEATURES)))).tolist() == chances.tolist()
    )
    np.savez(tmp_path / "other.npz", names=np.array(["one"]))
    with pytest.raises(ModelNotFound, match="other features"):
        BreakAcceptance.load(tmp_path / "other.npz")
