"""The pipeline: layout kept, facts guarded, form checked, choices steerable without a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rewrite.compression.compression_options import CompressOptions
from rewrite.errors import BadInput, BadOption, BadWeights
from rewrite.judging.registry import JudgeOptions
from rewrite.layout import length_fault, one_line, skip_reason, split
from rewrite.pipeline import Pipeline, distinct
from rewrite.request import Options
from rewrite.result import Result
from rewrite.splitting.split_options import SplitOptions
from tests.fakes import ListGenerator

SOURCE = "Филипп женился в седьмой раз на знатной македонянке Клеопатре, которую он давно и сильно любил."
GOOD = "Филипп женился в седьмой раз на македонянке Клеопатре."
LONGER = "Филипп женился в седьмой раз на знатной македонянке Клеопатре, которую он любил."
WRONG_FACT = "Филипп женился в восьмой раз на македонянке Клеопатре."
BROKEN = "Филипп женился в седьмой раз на."
OTHER = "Дети нашли во дворе большую рыжую кошку, которая спала на старом диване."
OTHER_GOOD = "Дети нашли во дворе рыжую кошку."

CANDIDATES = {SOURCE: [LONGER, WRONG_FACT, BROKEN, GOOD, GOOD], OTHER: [OTHER_GOOD]}


@pytest.fixture(scope="module")
def pipeline(analyzer: Analyzer) -> Pipeline:
    return Pipeline(Options(preset="simple"), analyzer=analyzer, generator=ListGenerator(CANDIDATES))


@pytest.fixture(scope="module")
def result(pipeline: Pipeline) -> Result:
    return pipeline.run([SOURCE])[0]


def test_the_best_well_formed_faithful_candidate_wins(result: Result) -> None:
    assert result.text == str(result) == GOOD
    assert set(result.n_best) == {GOOD, LONGER}


def test_blocked_candidates_keep_their_reasons(result: Result) -> None:
    assert set(result.facts) == {WRONG_FACT, BROKEN}
    assert all(result.facts.values())


def test_equal_candidates_are_counted(result: Result) -> None:
    assert result.best is not None
    assert result.best.candidate.count == 2


def test_reweight_equals_a_fresh_run_and_needs_no_model(analyzer: Analyzer, result: Result) -> None:
    weights = {"similarity": 4.0, "length": 0.0}
    changed = result.reweight(weights)
    options = Options(preset="simple", weights=weights)
    fresh = Pipeline(options, analyzer=analyzer, generator=ListGenerator(CANDIDATES)).run([SOURCE])[0]
    assert changed.n_best == fresh.n_best == (SOURCE, LONGER, GOOD)
    assert changed.row() == fresh.row()
    with pytest.raises(BadWeights, match="likeness"):
        result.reweight({"likeness": 1})


def test_only_rewrites_of_the_length_that_is_asked_for_may_win(analyzer: Analyzer) -> None:
    two = "Филипп женился в седьмой раз. Его женой стала македонянка Клеопатра."
    generator = ListGenerator({SOURCE: [GOOD, two]})
    for options, text, reason in (
        ({"sentences": 2}, two, "1 sentence, not 2"),
        ({"sentences": 1}, GOOD, "2 sentences, not 1"),
        ({"max_words": 6}, two, "a sentence of 8 words, more than 6"),
    ):
        pipeline = Pipeline(Options(preset="simple", **options), analyzer=analyzer, generator=generator)
        (result,) = pipeline.run([SOURCE])
        assert reason in result.facts.values()
        assert result.text in (text, SOURCE)
        assert pipeline.settings != Pipeline(Options(preset="simple"), analyzer=analyzer, generator=generator).settings


def test_a_text_without_a_sentence_has_no_long_one() -> None:
    assert length_fault("", sentences=None, max_words=5) == ""
    assert length_fault("Какой-нибудь дом 2020 года.", sentences=None, max_words=4) == ""


def test_without_a_candidate_the_source_stays(analyzer: Analyzer) -> None:
    pipeline = Pipeline(analyzer=analyzer, generator=ListGenerator({SOURCE: [WRONG_FACT, BROKEN]}))
    (result,) = pipeline.run([SOURCE])
    assert result.text == SOURCE
    assert result.best is not None
    assert result.best.candidate.generator == "source"


def test_a_paragraph_keeps_its_spacing(pipeline: Pipeline) -> None:
    text = f"  {SOURCE}\u00a0 Да!  {OTHER}\t"
    assert pipeline.run([text])[0].text == f"  {GOOD}\u00a0 Да!  {OTHER_GOOD}\t"


def test_a_paragraph_scores_as_the_geometric_mean_of_its_sentences(pipeline: Pipeline, result: Result) -> None:
    (both,) = pipeline.run([f"{SOURCE} {OTHER}"])
    (other,) = pipeline.run([OTHER])
    assert both.best is not None
    assert result.best is not None
    assert other.best is not None
    assert both.best.score == pytest.approx((result.best.score * other.best.score) ** 0.5)
    row = both.row()
    assert [part["source"] for part in row["sentences"]] == [SOURCE, OTHER]
    assert row["candidates"][0]["text"] == both.text == row["text"]


def test_results_do_not_depend_on_company(pipeline: Pipeline, result: Result) -> None:
    together = pipeline.run(["", OTHER, SOURCE, SOURCE, "No."])
    assert [r.text for r in together] == ["", OTHER_GOOD, GOOD, GOOD, "No."]
    assert together[2].row() == result.row()


def test_diverse_alternatives_start_with_the_best(analyzer: Analyzer) -> None:
    options = Options(preset="simple", best=2, diverse=True)
    (result,) = Pipeline(options, analyzer=analyzer, generator=ListGenerator(CANDIDATES)).run([SOURCE])
    assert result.n_best == (GOOD, LONGER)


def test_rerank_takes_candidates_from_anywhere(pipeline: Pipeline) -> None:
    pool = [Candidate(text) for text in (WRONG_FACT, LONGER, GOOD)]
    first, second = pipeline.rerank([(SOURCE, pool), ("", [])])
    assert first.text == GOOD
    assert second.text == ""


def test_rerank_takes_mere_texts(pipeline: Pipeline) -> None:
    (result,) = pipeline.rerank([(SOURCE, [WRONG_FACT, LONGER, GOOD])])
    assert result.text == GOOD


@pytest.mark.parametrize(
    ("pool", "words"),
    [
        ((SOURCE, GOOD), "are no list of texts"),
        ((SOURCE, None), "are no list of texts"),
        ("ab", "are no list of texts"),
        ((SOURCE, [3]), "are no list of texts"),
        ((SOURCE, [f"{GOOD}\ud800"]), "half a surrogate pair"),
        ((f"{SOURCE}\udfff", [GOOD]), "half a surrogate pair"),
    ],
)
def test_what_is_no_text_is_refused(pipeline: Pipeline, pool: Any, words: str) -> None:
    for answer in (pipeline.rerank, pipeline.score):
        with pytest.raises(BadInput, match=words):
            answer([pool])


def test_half_a_surrogate_pair_is_no_text(pipeline: Pipeline) -> None:
    with pytest.raises(BadInput, match=r"\\ud800.* has half a surrogate pair"):
        pipeline.run([SOURCE, f"{SOURCE}\ud800"])


def test_score_keeps_every_candidate_in_its_place(pipeline: Pipeline) -> None:
    pool = [Candidate(text) for text in (GOOD, GOOD, SOURCE, WRONG_FACT)]
    (table,) = pipeline.score([(SOURCE, pool)])
    assert list(table.candidates) == pool
    assert np.array_equal(table.values[0], table.values[1])
    assert np.array_equal(table.values[2], table.source_values)
    assert [bool(reason) for reason in table.blocked] == [False, False, False, True]


def test_explanations_name_the_runner_up(result: Result) -> None:
    (explanation,) = result.explain()
    assert explanation is not None
    assert explanation.runner_up is not None
    assert explanation.runner_up.text == LONGER


def test_generator_guard_checks_and_scorers_share_one_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    import pymorphy3

    made = []
    real = pymorphy3.MorphAnalyzer
    monkeypatch.setattr(pymorphy3, "MorphAnalyzer", lambda **options: made.append(options) or real(**options))
    (result,) = Pipeline(Options(n=10)).run([SOURCE])
    assert len(result.n_best) > 1
    assert made == [{"lang": "ru"}]


@given(st.text(alphabet=st.sampled_from("аб. !?\n\t\u2028\u00a0«»()1a"), max_size=60))
def test_splitting_and_joining_gives_the_text_back(text: str) -> None:
    layout = split(text)
    assert layout.join(layout.sentences) == text


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Он ушёл домой.", "fewer"),
        ("Only Latin letters in this one.", "Cyrillic"),
        ("слово " * 201, "more than 200 words"),
        ("а" * 4000, "characters"),
        ("Он сразу\x07 же ушёл к себе домой.", "control"),
        ("Он сразу же ушёл к себе домой.", ""),
    ],
)
def test_what_is_passed_through(sentence: str, reason: str) -> None:
    assert reason in skip_reason(sentence)
    assert bool(reason) == bool(skip_reason(sentence))


def test_candidates_become_one_line_each() -> None:
    found = distinct(
        "а б", [Candidate(" а\nб\u2028в ", count=2), Candidate("а б"), Candidate("\n"), Candidate("а б в")]
    )
    assert [(c.text, c.count) for c in found] == [("а б в", 3)]
    assert one_line("а\x00\x1bб") == "а б"


@pytest.mark.parametrize("kind", [Options, SplitOptions, CompressOptions, JudgeOptions])
def test_options_of_every_kind_raise_errors_of_the_package(kind: Callable[..., object]) -> None:
    with pytest.raises(BadOption, match="--lang is 3: "):
        kind(lang=3)


def test_options_are_refused_by_name() -> None:
    with pytest.raises(BadOption, match="-n is 0: it should be greater than or equal to 1"):
        Options(n=0)
    with pytest.raises(BadOption, match=r"--numbers: unknown key .known: best, diverse"):
        Options(numbers=3)
    with pytest.raises(BadOption, match="--seed is -1: it should be greater than or equal to 0"):
        Options(seed=-1)
