"""Which cut of a sentence is offered, and what a language model has to say of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.types import FloatArray
from rewrite.acceptance.break_judge import _FILE, FEATURES, BreakJudge
from rewrite.base import package
from rewrite.engines.base import ModelInput
from rewrite.errors import BadOption, ContextTooLong
from rewrite.forest import TreeAcceptance, Trees
from rewrite.generators import create_generator
from rewrite.generators.base import Sampling
from rewrite.generators.edits import EditsGenerator
from rewrite.generators.edits.breaks import breaks, load_connectives
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.pipeline import Pipeline
from rewrite.request import Options

SOURCE = "Комиссия проверила все документы, но ошибок в них она не нашла, поэтому школа получила лицензию."
LABELS = (", но → .", ", но → . Но он")
FACT = (
    "Софья Ковалевская была вынуждена преподавать в Стокгольме, так как в российских университетах женщин к чтению "
    "лекций в то время не допускали."
)


class WordModel:
    """Finds every word likely, −0.1, but those it is told to doubt, −5."""

    def __init__(self, *doubted: str, small: bool = False) -> None:
        self.doubted = doubted
        self.small = small
        self.asked: list[str] = []

    def describe(self) -> dict[str, object]:
        return {"model": "words"}

    def too_long(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> dict[int, Exception]:
        return dict.fromkeys(range(len(texts)), ContextTooLong(9, 8)) if self.small else {}

    def token_logprobs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[list[tuple[str, float]]]:
        self.asked += texts
        return [[(w, -5.0 if w.strip(".,") in self.doubted else -0.1) for w in text.split()] for text in texts]


def by(name: str, threshold: float) -> TreeAcceptance:
    """A model with one tree: 0.1 up to the threshold of the feature, 0.9 above."""
    shape = (1, 3)
    forest = Trees(
        feature=np.full(shape, FEATURES.index(name), dtype=np.int16),
        threshold=np.full(shape, threshold, dtype=np.float32),
        left=np.array([[1, 1, 2]], dtype=np.int16),
        right=np.array([[2, 1, 2]], dtype=np.int16),
        value=np.array([[0, 0.1, 0.9]], dtype=np.float32),
        base=0.0,
        depth=1,
    )
    return TreeAcceptance(FEATURES, forest, (1.0, 0.0))


def offered(analyzer: Analyzer, model: WordModel, acceptance: TreeAcceptance, text: str = SOURCE) -> dict[str, float]:
    analysis = analyzer.analyze_one(text, ("morph", "syntax", "entities"))
    (edits,) = BreakJudge(model, analyzer=analyzer, model=acceptance).edits([analysis])
    return {edit.label: float(np.exp(-edit.risk)) for edit in edits}


def test_a_cut_has_the_chance_that_the_trees_give_it(analyzer: Analyzer) -> None:
    assert offered(analyzer, WordModel(), by("connective:, но", 0.5)) == {", но → .": pytest.approx(0.9)}


def test_a_cut_that_would_hardly_pass_is_not_offered(analyzer: Analyzer) -> None:
    contrast = by("lead:contrast", 0.5)
    assert any(label.endswith("Но") for label in offered(analyzer, WordModel(), contrast))
    doubting = offered(analyzer, WordModel("Но"), by("logprob:new_least", -1.0))
    assert doubting
    assert not any(label.endswith("Но") for label in doubting)


def test_of_the_cuts_at_one_place_only_one_is_offered(analyzer: Analyzer) -> None:
    (tree,) = (RepairedTree(s, ()) for s in analyzer.analyze_one(SOURCE, ("morph", "syntax", "entities")).sentences)
    places = {label: {min(e.touched) for e in breaks(tree, load_connectives()) if e.label == label} for label in LABELS}
    assert places[LABELS[0]] & places[LABELS[1]]
    found = offered(analyzer, WordModel(), by("logprob:new_least", -1.0))
    assert len(found.keys() & set(LABELS)) <= 1


def test_the_text_that_the_model_prefers_is_behind_nothing(analyzer: Analyzer) -> None:
    (chance,) = set(offered(analyzer, WordModel("Но", "Поэтому"), by("logprob:behind_best", -1e-6)).values())
    assert chance == pytest.approx(0.9)


def test_a_sentence_beyond_the_models_window_is_not_cut(analyzer: Analyzer) -> None:
    model = WordModel(small=True)
    assert offered(analyzer, model, by("root_before", 0.5)) == {}
    assert model.asked == []


def test_a_short_sentence_and_a_text_of_two_are_not_cut_and_the_model_is_not_asked(analyzer: Analyzer) -> None:
    model = WordModel()
    short, two = "Дождь кончился, и дети вышли гулять.", f"{SOURCE} Все были рады."
    assert offered(analyzer, model, by("root_before", 0.5), short) == {}
    assert offered(analyzer, model, by("root_before", 0.5), two) == {}
    assert model.asked == []


def test_cuts_join_the_edits_of_the_generator(analyzer: Analyzer) -> None:
    judge = BreakJudge(WordModel(), analyzer=analyzer, model=by("root_before", 0.5))
    (pool,) = EditsGenerator(analyzer=analyzer, cutter=judge).generate([SOURCE], Sampling(n=30))
    assert any(". Поэтому школа" in candidate.text for candidate in pool)


@pytest.mark.parametrize("generator", ["edits", "edits+gemma-ru"])
def test_plain_edits_ask_no_model(analyzer: Analyzer, generator: str) -> None:
    made = create_generator(Options(generator=generator), analyzer=analyzer)
    assert not any(name.startswith("edits.cuts.") for name in made.describe())
    assert not Options(generator="edits").runs_alone


def test_one_process_does_the_work_where_a_model_is_asked() -> None:
    assert Options(generator="edits-lm").runs_alone
    assert Options(generator="deletion+edits-lm").runs_alone
    assert Options(generator="edits-lm").draws_here


def test_the_model_takes_settings() -> None:
    Pipeline(Options(generator="edits-lm", engine={"threads": "1", "ct2.device": "cpu"}))
    with pytest.raises(BadOption, match="hf"):
        Pipeline(Options(generator="edits-lm", engine={"hf.device": "cpu"}))


@pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")
def test_the_real_model_cuts_where_an_editor_would() -> None:
    pipeline = Pipeline(Options(generator="edits-lm"))
    (result,) = pipeline.run([FACT])
    assert result.text.startswith("Софья Ковалевская была вынуждена преподавать в Стокгольме. В российских")
    assert result.sentences[0].choices[0].candidate.generator == "edits-lm"
    assert pipeline.options.chosen_preset == "clear"
    assert Options(generator="edits-lm", control=5).chosen_preset == "balanced"


def test_the_bundled_model_is_for_these_features() -> None:
    bundled = TreeAcceptance.load(_FILE, FEATURES)
    chances: FloatArray = bundled.predict(np.zeros((2, len(FEATURES))))
    assert chances.shape == (2,)
    assert ((chances > 0) & (chances < 1)).all()
