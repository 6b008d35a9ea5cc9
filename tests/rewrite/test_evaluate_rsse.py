"""The RSSE evaluation: known figures for the baselines, curve and ablation from tables alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rerank.errors import BadInput
from rerank.types import Candidate
from rewrite.datasets import Example, load_rsse
from rewrite.evaluate.harness import HarnessReport, text_table
from rewrite.evaluate.resampling import Bootstrap
from rewrite.evaluate.rsse import (
    BASELINES,
    RsseScoring,
    ablation,
    choose_again,
    drop_every_third,
    evaluate_rsse,
    first_half,
    n_curve,
)
from rewrite.evaluate.sets import EvaluationSet
from rewrite.generators.base import Sampling
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result, SentenceResult
from tests import paths


class _Clauses:
    """Candidates made by cutting the source at its commas: first clause, first two, …"""

    name = "clauses"

    def describe(self) -> Mapping[str, object]:
        return {}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        return [[Candidate(text) for text in self._cut(source)][: sampling.n] for source in sources]

    def _cut(self, source: str) -> list[str]:
        parts = source.rstrip(".").split(", ")
        return [", ".join(parts[:k]) + "." for k in range(1, len(parts))]


class _Run:
    """One pipeline run over a few sources, shared by the tests below; counts how often it was run."""

    def __init__(self, analyzer: Analyzer, examples: list[Example]) -> None:
        self.examples = examples
        self.analyzer = analyzer
        self.runs = 0

    @cached_property
    def results(self) -> list[Result]:
        return Pipeline(Options(n=5), analyzer=self.analyzer, generator=_Clauses()).run(
            [example.source for example in self.examples]
        )

    def __call__(self, sources: Sequence[str]) -> list[Result]:
        self.runs += 1
        return self.results


@pytest.fixture(scope="module")
def rsse() -> Path:
    return paths.need_data("rsse", "dev_sents.csv")


@pytest.fixture(scope="module")
def run(analyzer: Analyzer, rsse: Path) -> _Run:
    return _Run(analyzer, [e for e in load_rsse(rsse) if e.source.count(", ") > 1][:60])


@pytest.fixture(scope="module")
def report(run: _Run) -> HarnessReport:
    return evaluate_rsse(run.examples, reranker=run, counts=(100, 5, 1), ablate=True, analyzer=run.analyzer)


def test_baselines_by_hand() -> None:
    assert first_half("один два три четыре пять") == "один два"
    assert drop_every_third("1 2 3 4 5 6 7") == "1 2 4 5 7"
    example = Example("Раз два.", ("Раз.", "Два."))
    assert [make(example) for make in BASELINES.values()] == ["Раз два.", "Раз", "Раз два.", "Раз."]


def test_baselines_on_rsse_dev_score_what_is_known(analyzer: Analyzer, rsse: Path) -> None:
    golden = json.loads((Path(__file__).parents[1] / "golden" / "sari.json").read_text())["rsse_dev"]
    examples = load_rsse(rsse)
    scoring = RsseScoring(EvaluationSet("rsse", tuple(examples), "ru"), analyzer=analyzer)
    for name, make in BASELINES.items():
        measured = scoring.measured([make(example) for example in examples], Bootstrap())
        sari, interval = measured.figures["sari"], measured.interval("sari")
        assert sari == pytest.approx(golden[name.replace(" ", "_")]["sari"], abs=1e-4)
        assert interval.low < sari < interval.high


def _of_kinds(report: HarnessReport, *kinds: str) -> dict[str, Mapping[str, float]]:
    return {row.system: row.figures for row in report.rows if row.kind in kinds}


def test_report_tells_word_salad_from_sentences(report: HarnessReport) -> None:
    figures = _of_kinds(report, "system", "baseline", "control")
    assert list(figures) == ["rewrite", *BASELINES]
    source, torn = figures["source"], figures["drop every third"]
    assert source["well_formed"] > 0.9
    assert source["changed_facts"] == 0
    assert source["unchanged"] == 1
    assert source["words"] == source["characters"] == 1
    assert figures["first half"]["well_formed"] < 0.1
    assert torn["well_formed"] < 0.2
    assert torn["words"] == pytest.approx(2 / 3, abs=0.03)
    problems = report.scoring.reasons("drop every third")["problems"]
    assert isinstance(problems, dict)
    assert problems["orphaned_modifier"] > 5
    assert [difference.baseline for difference in report.differences] == ["source", "first half", "drop every third"]


def test_curve_and_ablation_run_the_reranker_once(report: HarnessReport, run: _Run) -> None:
    assert run.runs == 1
    curve, without = _of_kinds(report, "curve"), _of_kinds(report, "ablation")
    sari = report.rows[0].figures["sari"]
    assert list(curve) == ["5", "1"]
    assert curve["5"]["sari"] == pytest.approx(sari)
    assert next(iter(without)) == "all components"
    assert {"all components - SimS", "all components - NS", "all components - LeS"} < set(without)
    assert without["all components"]["sari"] == pytest.approx(sari)
    assert "well_formed" not in curve["5"]


def test_choosing_again_equals_a_fresh_run(run: _Run) -> None:
    sources = [example.source for example in run.examples]
    weights = {"similarity": 0.0, "length": 4.0}
    fresh = Pipeline(Options(n=5, weights=weights), analyzer=run.analyzer, generator=_Clauses()).run(sources)
    assert choose_again(run.results, weights=weights) == [result.text for result in fresh]
    single = Pipeline(Options(n=1), analyzer=run.analyzer, generator=_Clauses()).run(sources)
    assert choose_again(run.results, n=1) == [result.text for result in single]
    assert choose_again(run.results) == [result.text for result in run.results]


def test_the_curve_counts_draws_and_not_different_texts(run: _Run) -> None:
    def late(sentence: SentenceResult) -> SentenceResult:
        # As if the last candidate had come with the 30th draw, all before it with the first three.
        table = sentence.table
        if table is None:
            return sentence
        candidates = tuple(
            replace(c, first=29 if i == len(table.candidates) - 1 else min(i, 2))
            for i, c in enumerate(table.candidates)
        )
        return replace(sentence, table=replace(table, candidates=candidates))

    results = [replace(r, sentences=tuple(map(late, r.sentences))) for r in run.results]
    assert list(n_curve(results, (30, 3, 31))) == ["30", "3"]
    assert choose_again(results, n=29) == choose_again(results, n=3)
    assert choose_again(results, n=30) == choose_again(run.results)


def test_ablating_changes_choices(run: _Run) -> None:
    assert len(set(map(tuple, ablation(run.results).values()))) > 1
    assert list(n_curve(run.results, (3, 2))) == ["3", "2"]


def test_text_and_json_hold_the_same_figures(report: HarnessReport, run: _Run) -> None:
    text, data = report.text(), json.loads(json.dumps(report.to_json()))
    assert text.startswith("rsse: 60 sources, ")
    lines = {line.split("  ")[0]: line.split() for line in text.splitlines()}
    for row in data[:-3]:
        assert f"{row['sari']:.2f}" in lines[row["system"]]
        assert "–".join(f"{end:.2f}" for end in row["intervals"]["sari"]) in lines[row["system"]]
    assert "all components - DS" in text
    assert "rewrite − first half" in text
    torn = next(row for row in data if row.get("system") == "drop every third")
    assert f"drop every third, problems: {next(iter(torn['problems']))} " in text
    assert data[0]["signature"] in text
    assert run.results[0].signature in text


def test_what_cannot_be_evaluated_is_refused(analyzer: Analyzer) -> None:
    examples = [Example("Раз два три.", ("Раз.",))]
    with pytest.raises(BadInput, match="2 outputs for 1 sources"):
        evaluate_rsse(examples, systems={"broken": lambda sources: ["а", "б"]}, analyzer=analyzer)
    with pytest.raises(BadInput, match="nothing to evaluate"):
        evaluate_rsse([], analyzer=analyzer)
    with pytest.raises(BadInput, match="need a reranker"):
        evaluate_rsse(examples, ablate=True, analyzer=analyzer)


def test_table_pads_its_columns() -> None:
    assert text_table(["a", "b"], [["long", "1"], ["x", "10"]]).split("\n") == [
        "a      b",
        "----  --",
        "long   1",
        "x     10",
    ]
