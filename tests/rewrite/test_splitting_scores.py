"""Figures of splits: against sacrebleu and EASSE's protocol, figures made by hand, and known ones on real sets."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from rerank.english import EnglishAnalyzer
from rewrite.datasets import Example
from rewrite.errors import BadInput
from rewrite.evaluate.harness import HarnessReport, evaluate
from rewrite.evaluate.multi_bleu import BLEU, References
from rewrite.evaluate.resampling import Bootstrap, resampled_totals
from rewrite.evaluate.sets import EvaluationSet, load_set
from rewrite.evaluate.splitting_corpora import SETS
from rewrite.evaluate.splitting_scoring import SplitScoring
from tests.english import bundled
from tests.paths import need_data
from tests.sari import corpus_sari

sacrebleu = pytest.importorskip("sacrebleu", reason="needs sacrebleu: the extra eval")


@pytest.fixture(scope="module")
def analyzer() -> EnglishAnalyzer:
    return bundled()


ONE = Example(
    "Crace sang in Rome , and she left in 1990 .",
    ("Crace sang in Rome . She left in 1990 .", "Crace sang in Rome . Then she left in 1990 ."),
    sentences=2,
)
TWO = Example("He met Dr. Hill , who was old .", ("He met Dr. Hill . Dr. Hill was old .",), sentences=2)
TOY = EvaluationSet("toy", (ONE, TWO))
MINE = ["Crace sang in Rome. She left in 1990.", "He met Hill , who was very tall ."]


def evaluate_splitting(
    data: EvaluationSet,
    systems: dict[str, list[str]] | None = None,
    *,
    samples: int = 1000,
    analyzer: EnglishAnalyzer | None = None,
) -> HarnessReport:
    return evaluate(data, partial(SplitScoring, analyzer=analyzer), systems, bootstrap=Bootstrap(samples))


def _figures(report: HarnessReport, system: str) -> dict[str, float]:
    (row,) = (row for row in report.rows if row.system == system)
    return dict(row.figures)


def test_figures_are_those_made_by_hand(analyzer: EnglishAnalyzer) -> None:
    report = evaluate_splitting(TOY, {"mine": MINE}, analyzer=analyzer)
    figures = _figures(report, "mine")
    assert figures["exact"] == 50  # the first, but for the spaces before its marks
    assert figures["unchanged"] == 0
    assert figures["copied"] == 50  # the second lost Dr.
    assert (figures["dropped"], figures["dropped_words"]) == (50, 1)  # Dr. and old
    assert (figures["invented"], figures["invented_words"]) == (50, 0.5)  # tall
    assert figures["sentences"] == 1.5
    # Crace sang in Rome. She left in nine-teen …: 8 words, 7 syllables (a number has none) in 2 sentences. He met Hill,
    # who was ve-ry tall: 7 words, 8 syllables.
    grades = [0.39 * 4 + 11.8 * 7 / 8 - 15.59, 0.39 * 7 + 11.8 * 8 / 7 - 15.59]
    assert figures["grade"] == pytest.approx(sum(grades) / 2)
    assert figures["tokens"] == pytest.approx((10 + 9) / 3)
    streams = [[ONE.references[0], TWO.references[0]], [ONE.references[1], None]]
    assert figures["bleu"] == pytest.approx(sacrebleu.BLEU(tokenize="13a").corpus_score(MINE, streams).score)
    sari = corpus_sari([ONE.source, TWO.source], MINE, [ONE.references, TWO.references])
    measured = [figures[name] for name in ("sari", "sari_add", "sari_keep", "sari_delete")]
    assert measured == pytest.approx(list(sari.values()))


def test_echo_halves_and_reference_are_always_there(analyzer: EnglishAnalyzer) -> None:
    report = evaluate_splitting(TOY, analyzer=analyzer)
    assert [(row.system, row.kind) for row in report.rows] == [
        ("echo", "baseline"),
        ("halves", "baseline"),
        ("reference", "control"),
    ]
    echo, cut, reference = (_figures(report, name) for name in ("echo", "halves", "reference"))
    assert (echo["unchanged"], echo["copied"], echo["dropped"], echo["invented"]) == (100, 100, 0, 0)
    assert (echo["sentences"], cut["sentences"], reference["sentences"]) == (1, 2, 2)
    assert (cut["copied"], cut["dropped"], cut["invented"]) == (100, 0, 0)
    assert report.differences == ()


def test_the_reference_is_scored_against_the_others(analyzer: EnglishAnalyzer) -> None:
    figures = _figures(evaluate_splitting(TOY, analyzer=analyzer), "reference")
    first = [ONE.references[0], TWO.references[0]]
    # The first of ONE against its second; the only one of TWO against itself.
    others = [ONE.references[1], TWO.references[0]]
    assert figures["bleu"] == pytest.approx(sacrebleu.BLEU(tokenize="13a").corpus_score(first, [others]).score)
    assert figures["exact"] == 50
    sari = corpus_sari([ONE.source, TWO.source], first, [[other] for other in others])
    assert figures["sari"] == pytest.approx(sari["sari"])


def test_marks_between_sentences_are_counted_and_are_no_words(analyzer: EnglishAnalyzer) -> None:
    plain = evaluate_splitting(TOY, {"mine": ["Crace sang . She left .", TWO.source]}, analyzer=analyzer)
    marked = evaluate_splitting(TOY, {"mine": ["Crace sang . <::::> She left .", TWO.source]}, analyzer=analyzer)
    assert _figures(plain, "mine") == _figures(marked, "mine")
    three = evaluate_splitting(TOY, {"mine": ["Crace <SEP> sang . <SEP> She left .", TWO.source]}, analyzer=analyzer)
    assert _figures(three, "mine")["sentences"] == 2


def test_outputs_that_change_a_fact_are_counted(analyzer: EnglishAnalyzer) -> None:
    changed = ["Crace sang in Rome . She left in 1991 .", "He never met Dr. Hill ."]
    report = evaluate_splitting(TOY, {"one": [MINE[0], changed[1]], "both": changed}, analyzer=analyzer)
    shares = {row.system: row.figures["changed_facts"] for row in report.rows}
    assert shares == {"echo": 0, "halves": 0, "reference": 0, "one": 50, "both": 100}


def test_marks_say_how_long_the_sentences_are_that_have_a_grade(analyzer: EnglishAnalyzer) -> None:
    data = EvaluationSet("toy", (TWO,))
    rows = evaluate_splitting(data, {"none": ["He left he slept"], "marked": ["He left <SEP> he slept"]})
    # Four words of one syllable, in one sentence and in two.
    grades = [0.39 * 4 + 11.8 - 15.59, 0.39 * 2 + 11.8 - 15.59]
    assert [_figures(rows, name)["grade"] for name in ("none", "marked")] == pytest.approx(grades)


def test_intervals_are_those_of_scoring_each_sample_anew(analyzer: EnglishAnalyzer) -> None:
    examples = tuple(
        Example(f"He saw {i} mills , and {i} left .", (f"He saw {i} mills . {i} left .",)) for i in range(9)
    )
    data = EvaluationSet("toy", examples)
    outputs = [example.source if i % 3 else example.references[0] for i, example in enumerate(examples)]
    scoring = SplitScoring(data, analyzer=analyzer)
    samples = scoring.figures(resampled_totals(scoring.statistics(outputs), samples=20, seed=5))
    draws = np.random.default_rng(5).multinomial(9, np.full(9, 1 / 9), size=20)
    sources = [example.source for example in examples]
    for draw, figures in zip(draws, samples, strict=True):
        drawn = [k for k, times in enumerate(draw) for _ in range(times)]
        texts, gold = [outputs[k] for k in drawn], [examples[k].references[0] for k in drawn]
        named = dict(zip(SplitScoring.FIGURES, figures.tolist(), strict=True))
        assert named["bleu"] == pytest.approx(sacrebleu.BLEU(tokenize="13a").corpus_score(texts, [gold]).score)
        again = corpus_sari([sources[k] for k in drawn], texts, [[reference] for reference in gold])
        assert named["sari"] == pytest.approx(again["sari"])
        assert named["exact"] == pytest.approx(100 * sum(k % 3 == 0 for k in drawn) / 9)


def test_differences_are_paired(analyzer: EnglishAnalyzer) -> None:
    report = evaluate_splitting(TOY, {"mine": MINE, "same": MINE}, analyzer=analyzer)
    differences = {
        (difference.system, difference.baseline, difference.figure): difference for difference in report.differences
    }
    assert {(system, baseline) for system, baseline, _ in differences} == {
        ("mine", "echo"),
        ("mine", "halves"),
        ("mine", "same"),
        ("same", "echo"),
        ("same", "halves"),
    }
    twins = differences["mine", "same", "bleu"]
    assert (twins.value, twins.interval.low, twins.interval.high) == (0, 0, 0)
    difference = differences["mine", "echo", "sari"]
    assert difference.value == pytest.approx(_figures(report, "mine")["sari"] - _figures(report, "echo")["sari"])
    assert difference.interval.low <= difference.value <= difference.interval.high


def test_what_cannot_be_evaluated_is_refused() -> None:
    with pytest.raises(BadInput, match="mine gives 1 outputs for 2 sources"):
        evaluate_splitting(TOY, {"mine": ["A"]})
    with pytest.raises(BadInput, match="nothing to evaluate"):
        evaluate_splitting(EvaluationSet("toy", ()))


def test_an_empty_output_has_figures_too(analyzer: EnglishAnalyzer) -> None:
    figures = _figures(evaluate_splitting(TOY, {"mine": ["", ""]}, analyzer=analyzer), "mine")
    assert (figures["bleu"], figures["sentence_bleu"], figures["sentences"], figures["tokens"]) == (0, 0, 0, 0)
    assert (figures["copied"], figures["dropped"], figures["invented"], figures["grade"]) == (0, 100, 0, 0)


@pytest.mark.parametrize(
    ("part", "rows", "sari", "bleu"),
    [("validation", (4001, 5000), 30.21, 74.27), ("tune", None, 30.25, 73.37)],
)
def test_echo_has_its_known_figures_on_wikisplit(
    part: str, rows: tuple[int, int] | None, sari: float, bleu: float
) -> None:
    data = load_set(SETS, "wikisplit", need_data("wikisplit"), part=part, rows=rows)
    sources = [example.source for example in data.examples]
    assert corpus_sari(sources, sources, [e.references for e in data.examples])["sari"] == pytest.approx(
        sari, abs=0.006
    )
    rows = np.array([References(example.references).statistics(example.source) for example in data.examples])
    assert BLEU.of(rows)["bleu"] == pytest.approx(bleu, abs=0.006)


def test_baselines_have_their_known_figures_on_desse(analyzer: EnglishAnalyzer) -> None:
    data = load_set(SETS, "desse", need_data("desse_minwiki").parent)
    report = evaluate_splitting(data, samples=50, analyzer=analyzer)
    echo, cut = _figures(report, "echo"), _figures(report, "halves")
    assert [echo[name] for name in ("bleu", "sari", "exact")] == pytest.approx([74.24, 29.23, 11.6], abs=0.06)
    assert [cut[name] for name in ("bleu", "sari", "sentences")] == pytest.approx([69.73, 43.50, 2.0], abs=0.06)
    assert (cut["copied"], cut["dropped"], cut["invented"]) == (100, 0, 0)
