"""What the acceptance model of drawn texts looks at, and how `caution` uses it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.errors import ModelNotFound
from rerank.likelihood import Caution
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.acceptance.russian_texts import RUSSIAN_TEXT_FEATURES, RussianTextReader
from rewrite.acceptance.text_acceptance import TextCaution
from rewrite.forest import Boosting, TreeAcceptance

SOURCE = "Старый дом, который построил поэт, стоит у большой реки."


def drawn(text: str, *, logprob: float = -4.0, count: int = 1) -> Candidate:
    return Candidate(text, "ct2", logprob, 8, count=count)


def read(analyzer: Analyzer, *texts: str | Candidate) -> list[dict[str, float]]:
    pool = [drawn(text) if isinstance(text, str) else text for text in texts]
    found = RussianTextReader().features(SOURCE, pool, Context(analyzer))
    assert found.shape == (len(pool), len(RUSSIAN_TEXT_FEATURES))
    return [dict(zip(RUSSIAN_TEXT_FEATURES, row, strict=True)) for row in found.tolist()]


def weighing(name: str, weight: float, threshold: float = 0.2) -> TreeAcceptance:
    """A model that looks at one feature: the log-odds are `weight` above the threshold, else 0."""
    stump = Boosting(
        feature=np.array([[RUSSIAN_TEXT_FEATURES.index(name), 0, 0]], dtype=np.int16),
        threshold=np.array([[threshold, 0, 0]], dtype=np.float32),
        left=np.array([[1, 1, 2]], dtype=np.int16),
        right=np.array([[2, 1, 2]], dtype=np.int16),
        value=np.array([[0, 0, weight]], dtype=np.float32),
        base=0.0,
        depth=1,
    )
    return TreeAcceptance(RUSSIAN_TEXT_FEATURES, stump)


def test_the_source_itself_changes_nothing(analyzer: Analyzer) -> None:
    (found,) = read(analyzer, SOURCE)
    nothing = ("new", "new_count", "gone", "gone_keep", "cut_risk", "torn", "moved", "swapped", "lonely_pairs", "again")
    assert {name: found[name] for name in nothing} == dict.fromkeys(nothing, 0)
    assert found["length"] == 1


def test_a_whole_subtree_that_went_has_the_risk_of_its_cut_and_half_a_one_is_torn(analyzer: Analyzer) -> None:
    whole, torn = read(
        analyzer, "Дом, который построил поэт, стоит у большой реки.", "Старый дом, который поэт, стоит у большой реки."
    )
    assert whole["cut_risk"] > 0
    assert whole["cut_risk"] == whole["cut_most"]
    assert whole["torn"] == 0
    assert torn["torn"] == 1


def test_new_words_count_by_likeness_rarity_and_whether_the_lemma_is_new(analyzer: Analyzer) -> None:
    alike, other, form = read(
        analyzer,
        "Старый особняк, который построил поэт, стоит у большой реки.",
        "Старый слон, который построил поэт, стоит у большой реки.",
        "Старый дом, который построил поэт, стоял у большой реки.",
    )
    assert alike["new_likeness"] > other["new_likeness"] + 0.1
    assert (alike["new_count"], alike["new_lemma"], alike["reinflected"]) == (1, 1, 0)
    assert form["new_count"] == 1


def test_what_other_draws_share_is_no_longer_lonely(analyzer: Analyzer) -> None:
    text = "Старый особняк стоит у реки."
    alone, _ = read(analyzer, text, "Старый дом стоит у реки.")
    shared, _ = read(analyzer, text, "Большой особняк стоит у реки.")
    assert (alone["lonely_words"], shared["lonely_words"]) == (1, 0)
    assert shared["lonely_pairs"] < alone["lonely_pairs"]


def test_the_account_of_the_model_counts(analyzer: Analyzer) -> None:
    often, seldom = read(
        analyzer,
        drawn("Дом стоит у реки.", logprob=-2.0, count=3),
        drawn("Дом стоит у большой реки.", logprob=-8.0),
    )
    assert (often["share"], seldom["share"]) == (0.75, 0.25)
    assert (often["logprob"], often["likeliest"]) == (-0.25, 0)
    assert (seldom["logprob"], seldom["likeliest"], seldom["logprob_all"]) == (-1, 0.75, -8)


def test_the_least_probable_token_and_the_likeness_to_other_draws_count(analyzer: Analyzer) -> None:
    alike, other, far = read(
        analyzer,
        replace(drawn("Дом стоит у реки."), least_logprob=-3.0),
        drawn("Дом стоит у большой реки.", count=2),
        replace(drawn("Поэт купил слона."), least_logprob=-20.0),
    )
    assert (alike["least"], other["least"], far["least"]) == (-3.0, -0.5, -12.0)
    assert alike["consensus"] == pytest.approx(2 / 3 * 8 / 9)
    assert (other["consensus"], far["consensus"]) == (pytest.approx(4 / 9), 0.0)


def test_names_numbers_pronouns_and_repeats_are_counted(analyzer: Analyzer) -> None:
    pool = [drawn("Поэт построил дом. Он стоит у реки Волги. Дом старый.")]
    (found,) = read(analyzer, *pool)
    assert (found["new_pronouns"], found["new_names"], found["sentences"], found["again"]) == (1, 1, 2, 1)


def test_caution_is_the_models_chance_for_drawn_texts_and_the_account_of_edits_for_theirs(analyzer: Analyzer) -> None:
    pool = [
        Candidate("Старый дом стоит у реки.", "edits", 1.0, 9, risk=0.5),
        drawn("Дом стоит у большой реки."),
        drawn("Дом стоит."),
        Candidate("Дом.", "other"),
    ]
    found = TextCaution(RussianTextReader(), weighing("gone", -4.0, 0.6)).score(SOURCE, pool, Context(analyzer))
    plain = Caution().score(SOURCE, pool, Context(analyzer))
    assert found[[0, 3]].tolist() == plain[[0, 3]].tolist()
    assert plain[1] == plain[2] == 1
    assert found[1:3] == pytest.approx([0.5, 1 / (1 + np.exp(4))])


def test_a_pool_without_drawn_texts_needs_no_model(analyzer: Analyzer) -> None:
    pool = [Candidate("Старый дом стоит у реки.", "edits", 1.0, 9, risk=0.5)]
    assert TextCaution(RussianTextReader()).score(SOURCE, pool, Context(analyzer)).tolist() == pytest.approx(
        [np.exp(-0.5)]
    )


def test_no_drawn_texts_no_features(analyzer: Analyzer) -> None:
    assert RussianTextReader().features(SOURCE, [], Context(analyzer)).shape == (0, len(RUSSIAN_TEXT_FEATURES))
    assert weighing("gone", 1.0).predict(np.zeros((0, len(RUSSIAN_TEXT_FEATURES)))).shape == (0,)


def test_a_model_comes_back_and_one_for_other_features_is_refused(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(5, len(RUSSIAN_TEXT_FEATURES)))
    model = weighing("length", 2.0)
    model.save(tmp_path / "model.npz")
    assert TreeAcceptance.load(tmp_path / "model.npz", RUSSIAN_TEXT_FEATURES).predict(rows) == pytest.approx(
        model.predict(rows), abs=1e-3
    )
    np.savez(tmp_path / "other.npz", names=np.array(["length"]))
    with pytest.raises(ModelNotFound, match="other features"):
        TreeAcceptance.load(tmp_path / "other.npz", RUSSIAN_TEXT_FEATURES)
