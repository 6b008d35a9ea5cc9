"""Preferences: read, turned into log-ratios, and fitted; known weights come back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.types import FloatArray
from rewrite.errors import BadInput
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result
from tests.fakes import FakeScorer, ListGenerator
from training.weighting import bradley_terry
from training.weighting.bradley_terry import Agreement, agreement, choose_penalty, fit, held_out, wilson
from training.weighting.options import WeightOptions
from training.weighting.preferences import LEAST, Choice, Compared, compare, contradictions, read_choices
from training.weighting.preferred import Preferred, _no_better, fitted, warnings_on

pytest.importorskip("scipy.optimize", reason="scipy comes with the dev extra")

TRUE = np.array([2.0, 0.0, 0.7, 5.0])
NAMES = ("alpha", "beta", "gamma", "likelihood")
SOURCE = "Старый дом стоит на берегу большой реки."
SHORT, LONG = "Дом стоит на берегу реки.", "Старый дом стоит на берегу реки."
OPTIONS = WeightOptions(preferences="x", seed=0)


def simulated(count: int, *, seed: int = 0) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Log-ratios turned so that the preferred side comes first, chosen as `TRUE` would with Bradley–Terry noise."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, 4)) * [0.5, 0.8, 1.0, 0.2]
    first = rng.random(count) < 1 / (1 + np.exp(-rows @ TRUE))
    return np.where(first[:, None], rows, -rows), np.zeros(count, dtype=bool), np.arange(count) // 3


def compared(rows: FloatArray, equal: FloatArray, groups: FloatArray) -> Compared:
    return Compared(NAMES, rows, np.asarray(equal, dtype=bool), np.asarray(groups, dtype=np.int64))


def test_known_weights_come_back_up_to_noise() -> None:
    rows, equal, groups = simulated(6000)
    penalty = choose_penalty(rows, equal, groups, (0.01, 0.1, 1.0, 10.0, 100.0), folds=5, seed=0)
    found = fit(rows, equal, penalty=penalty)
    np.testing.assert_allclose(found, TRUE, atol=0.3)
    assert found.min() >= 0
    few = fit(*simulated(200)[:2], penalty=1.0)
    assert np.abs(few - TRUE).max() > np.abs(found - TRUE).max()


def test_held_out_accuracy_is_that_of_the_true_weights_and_above_other_ones() -> None:
    rows, equal, groups = simulated(1500, seed=1)
    found = held_out(rows, equal, groups, (0.1, 1.0, 10.0), folds=5, seed=0)
    assert found is not None
    assert found.rows == 1500
    best = agreement(rows, equal, groups, TRUE).share
    assert 0.6 < best - 0.02 < found.share <= best + 0.02
    assert agreement(rows, equal, groups, np.array([0.0, 1.0, 0.0, 0.0])).share < found.share - 0.1


def test_a_part_is_decided_by_weights_and_a_penalty_that_have_not_seen_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, equal, groups = simulated(60)
    chosen_on: list[FloatArray] = []
    fitted_on: list[FloatArray] = []
    judged: list[FloatArray] = []

    def choose(differences: FloatArray, *rest: object, **options: object) -> float:
        chosen_on.append(differences)
        return 1.0

    def fit_to(differences: FloatArray, equal: FloatArray, *, penalty: float) -> FloatArray:
        fitted_on.append(differences)
        return np.ones(4)

    def right(decided: FloatArray, weights: FloatArray) -> FloatArray:
        judged.append(decided)
        return np.ones(len(decided))

    for name, spy in {"choose_penalty": choose, "fit": fit_to, "_right": right}.items():
        monkeypatch.setattr(bradley_terry, name, spy)
    held_out(rows, equal, groups, (0.1, 1.0), folds=5, seed=0)
    assert len(judged) == 5
    for own, *others in zip(judged, chosen_on, fitted_on, strict=True):
        rest = sorted(set(map(tuple, rows.tolist())) - set(map(tuple, own.tolist())))
        assert [sorted(map(tuple, other.tolist())) for other in others] == [rest, rest]
    assert sorted(map(tuple, np.vstack(judged).tolist())) == sorted(map(tuple, rows.tolist()))


def test_whole_sources_are_in_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, equal, groups = simulated(60)
    number = {tuple(row): group for row, group in zip(rows.tolist(), groups.tolist(), strict=True)}
    judged: list[set[int]] = []

    def right(decided: FloatArray, weights: FloatArray) -> FloatArray:
        judged.append({number[tuple(row)] for row in decided.tolist()})
        return np.ones(len(decided))

    monkeypatch.setattr(bradley_terry, "_right", right)
    held_out(rows, equal, groups, (1.0,), folds=5, seed=0)
    assert sum(map(len, judged)) == len(set(groups.tolist()))


def test_the_penalty_is_that_which_helps_on_rows_that_were_not_fitted() -> None:
    rng = np.random.default_rng(0)
    # As many components as rows, and chance alone: whoever looks at what was fitted takes the weakest penalty.
    rows = rng.normal(size=(30, 30))
    equal, penalties = np.zeros(30, dtype=bool), (0.01, 1.0, 100.0, 10_000.0)
    found = choose_penalty(rows, equal, np.arange(30), penalties, folds=5, seed=0)
    assert found >= 100


def test_a_draw_counts_half_and_a_tie_nothing() -> None:
    rows = np.array([[1.0], [-1.0], [0.0], [0.0], [1.0]])
    equal = np.array([False, False, False, False, True])
    found = agreement(rows, equal, np.arange(5), np.array([2.0]))
    assert (found.right, found.rows, found.share) == (2.0, 4, 0.5)


def test_choices_on_one_source_are_not_taken_for_independent_ones() -> None:
    rows = np.repeat([[1.0], [-1.0], [1.0], [1.0], [-1.0], [1.0], [1.0], [1.0]], 10, axis=0)
    equal, sources = np.zeros(80, dtype=bool), np.repeat(np.arange(8), 10)
    together = agreement(rows, equal, sources, np.ones(1))
    alone = agreement(rows, equal, np.arange(80), np.ones(1))
    assert together.share == alone.share == 0.75
    # Ten times the same of each of eight sources is eight choices, but that their own mean is taken from them.
    assert together.effect == pytest.approx(10 * 8 / 7)
    assert alone.interval == pytest.approx(wilson(60, 80), abs=2e-3)
    assert together.interval == pytest.approx(wilson(5.25, 7))
    all_alike = agreement(np.ones((80, 1)), equal, sources, np.ones(1))
    assert all_alike.interval == pytest.approx(wilson(8, 8))
    assert agreement(rows[:0], equal[:0], sources[:0], np.ones(1)).interval == (0.0, 1.0)


def test_choices_by_chance_are_not_learnt() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(600, 4))
    found = held_out(rows, np.zeros(600, dtype=bool), np.arange(600), (0.1, 10.0, 1000.0), folds=5, seed=0)
    assert found is not None
    assert 0.43 < found.share < 0.57


def test_the_fit_is_where_the_gradient_says() -> None:
    rows, equal, _ = simulated(300)
    equal = np.arange(300) % 10 == 0
    scale = np.sqrt((rows**2).mean(axis=0))
    weights = fit(rows, equal, penalty=3.0)

    def loss(w: FloatArray) -> float:
        margin = rows @ w
        own = np.where(equal, 0.5, 1.0) * np.logaddexp(0, -margin) + np.where(equal, 0.5, 0.0) * np.logaddexp(0, margin)
        return float(own.sum() + 1.5 * ((w * scale) ** 2).sum())

    for k in range(4):
        step = 1e-4 * np.eye(4)[k]
        assert loss(weights + step) > loss(weights) - 1e-9
        if weights[k] > 1e-4:
            assert loss(weights - step) > loss(weights) - 1e-9


def test_ties_pull_towards_nothing() -> None:
    rows, equal, _ = simulated(400)
    tied = fit(np.vstack([rows, rows]), np.repeat([False, True], 400), penalty=1.0)
    assert tied.sum() < fit(rows, equal, penalty=1.0).sum()
    assert fit(rows, ~equal, penalty=1.0).tolist() == pytest.approx([0, 0, 0, 0], abs=1e-6)


def test_contradictions_cancel_and_say_so() -> None:
    rows, _, _ = simulated(100)
    both = compared(np.vstack([rows, -rows]), np.zeros(200), np.arange(200))
    with pytest.raises(BadInput, match="fit no weights"):
        fitted(both, OPTIONS, default={})
    one, two = (Choice(SOURCE, *pair) for pair in (sides(), sides()[::-1]))
    assert contradictions([one, one]) == 0
    assert contradictions([one, two, one]) == 1
    tie = replace(two, equal=True)
    assert contradictions([one, tie, tie, replace(one, equal=True)]) == 0


def sides() -> tuple[object, object]:
    from rerank.types import Candidate

    return Candidate(SHORT), Candidate(LONG)


def test_a_component_that_never_differs_gets_nothing_and_is_named() -> None:
    rows, equal, groups = simulated(500)
    rows[:, 1] = 0
    found = fitted(compared(rows, equal, groups), OPTIONS, default={"alpha": 1.0})
    assert found.weights["beta"] == 0
    assert any("No choice differs in beta" in line for line in warnings_on([], compared(rows, equal, groups)))


def test_few_choices_and_one_source_are_warned_of() -> None:
    rows, equal, _ = simulated(8)
    alone = compared(rows, equal, np.zeros(8))
    text = "\n".join(warnings_on([], alone))
    assert "Only 8 decided choices for 4 weights" in text
    assert "All choices are on one source" in text
    assert fitted(alone, OPTIONS, default={"alpha": 1.0}).held_out is None


def test_weights_that_are_no_better_than_the_default_are_warned_of() -> None:
    half = Agreement(50, 100)
    found = Preferred({}, 1.0, half, default=Agreement(60, 100), equal_weights=Agreement(40, 100))
    assert "no better than the default preset: keep" in _no_better(found)[0]
    assert _no_better(replace(found, default=Agreement(40, 100))) == []
    assert _no_better(replace(found, held_out=None)) == []


def test_nothing_decided_is_an_error() -> None:
    rows, equal, groups = simulated(5)
    with pytest.raises(BadInput, match="No choice is left"):
        fitted(compared(rows, ~equal, groups), OPTIONS, default={})
    with pytest.raises(BadInput, match="No choice is left"):
        fitted(compared(rows[:0], equal[:0], groups[:0]), OPTIONS, default={})


def test_wilson_interval() -> None:
    low, high = wilson(50, 100)
    assert (low, high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))
    assert wilson(0, 0) == (0.0, 1.0)


def write(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "choices.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_choices_are_read_from_jsonl_and_csv(tmp_path: Path) -> None:
    good = {"source": SOURCE, "preferred": SHORT, "other": {"text": LONG, "logprob": -2.5, "risk": 0.1}}
    tie = {"source": SOURCE, "preferred": SHORT, "other": LONG, "equal": True}
    same = {"source": SOURCE, "preferred": SHORT, "other": f" {SHORT}\n"}
    bad = [{"source": SOURCE, "preferred": SHORT}, {**good, "source": " "}, {**good, "equal": "perhaps"}]
    wrong = {**good, "other": {"text": LONG, "risk": "high"}}
    choices, count = read_choices(write(tmp_path, good, tie, same, *bad, wrong), most_bad=0.9)
    assert len(choices) == 2
    assert choices[0].other.logprob == -2.5
    assert [choice.equal for choice in choices] == [False, True]
    assert [(row.line, row.reason) for _, row in count.first] == [
        (3, f"both sides are the same text: {SHORT!r}"),
        (4, "no other"),
        (5, "no source"),
        (6, "equal is 'perhaps', neither true nor false"),
        (7, "other.risk is 'high', no number"),
    ]
    cut = write(tmp_path, good, {**good, "preferred": {"text": "\ud800"}})
    assert [row.reason for _, row in read_choices(cut, most_bad=0.5)[1].first] == [
        "it holds half a surrogate pair, which is no text"
    ]
    table = tmp_path / "choices.csv"
    table.write_text(f"source,preferred,other,equal\n{SOURCE},{SHORT},{LONG},\n{SOURCE},{SHORT},{LONG},yes\n")
    assert [choice.equal for choice in read_choices(table)[0]] == [False, True]


def scored(analyzer: Analyzer, texts: dict[str, float]) -> tuple[Pipeline, dict[str, Result]]:
    scorers = [FakeScorer("similarity", texts), FakeScorer("caution", {}, default=0.5)]
    generator = ListGenerator({SOURCE: [SHORT, LONG]})
    pipeline = Pipeline(Options(best=1), analyzer=analyzer, generator=generator, scorers=scorers)
    return pipeline, {SOURCE: pipeline.run([SOURCE])[0]}


def test_differences_are_log_ratios_with_a_floor(analyzer: Analyzer, tmp_path: Path) -> None:
    pipeline, results = scored(analyzer, {SHORT: 0.8, LONG: 0.0, SOURCE: 0.4})
    choices, _ = read_choices(
        write(
            tmp_path,
            {"source": SOURCE, "preferred": SHORT, "other": LONG},
            {"source": SOURCE, "preferred": SOURCE, "other": SHORT},
        )
    )
    found = compare(choices, results, pipeline)
    assert found.components == ("similarity", "caution")
    np.testing.assert_allclose(found.differences[:, 0], [np.log(0.8 / LEAST), np.log(0.5)])
    assert found.groups.tolist() == [0, 0]
    assert found.unknown == 0


def test_texts_from_elsewhere_are_scored_but_for_what_only_the_generator_knows(
    analyzer: Analyzer, tmp_path: Path
) -> None:
    mine = "Большой дом стоит на берегу."
    pipeline, results = scored(analyzer, {SHORT: 0.8, LONG: 0.9, mine: 0.2})
    calls = pipeline.scorers[1]
    assert isinstance(calls, FakeScorer)
    object.__setattr__(calls, "values", {mine: 0.25})
    choices, _ = read_choices(write(tmp_path, {"source": SOURCE, "preferred": SHORT, "other": mine}))
    found = compare(choices, results, pipeline)
    assert found.unknown == 1
    np.testing.assert_allclose(found.differences, [[np.log(4), 0.0]])
    assert any("not the generator's" in line for line in warnings_on(choices, found))


def test_choices_on_blocked_texts_are_left_out_and_counted(analyzer: Analyzer, tmp_path: Path) -> None:
    false = "Старый дом не стоит на берегу реки."
    pipeline, results = scored(analyzer, {})
    choices, _ = read_choices(write(tmp_path, {"source": SOURCE, "preferred": false, "other": SHORT}))
    found = compare(choices, results, pipeline)
    assert len(found) == 0
    assert sum(found.blocked.values()) == 1
    assert any("1 choices left out" in line for line in warnings_on(choices, found))


def test_a_source_of_several_sentences_is_scored_whole_without_its_draws(analyzer: Analyzer, tmp_path: Path) -> None:
    whole = f"{SOURCE} Рядом с домом растёт высокий дуб."
    scorers = [FakeScorer("similarity", {SHORT: 0.8, whole: 0.4}), FakeScorer("caution", {SHORT: 0.1}, default=0.5)]
    generator = ListGenerator({SOURCE: [SHORT, LONG]})
    pipeline = Pipeline(Options(best=1), analyzer=analyzer, generator=generator, scorers=scorers)
    results = {whole: pipeline.run([whole])[0]}
    assert len(results[whole].sentences) == 2
    choices, _ = read_choices(write(tmp_path, {"source": whole, "preferred": SHORT, "other": whole}))
    found = compare(choices, results, pipeline)
    # It was drawn for the first sentence alone: the generator has proposed no such rewrite of the whole.
    assert found.unknown == 1
    np.testing.assert_allclose(found.differences, [[np.log(2), 0.0]])
