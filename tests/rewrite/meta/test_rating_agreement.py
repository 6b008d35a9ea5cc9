"""Coefficients and levels: by hand, against scipy, and where nothing is defined."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy import stats

from rewrite.errors import MissingExtra
from rewrite.evaluate.meta.rating_agreement import Agreement, agreement, coefficient, undefined
from rewrite.evaluate.resampling import Bootstrap, Interval, interval_of

NAN = np.nan
SPEARMAN = coefficient("spearman")
SMALL = Bootstrap(samples=200, seed=1)
LACK = "a text or a rating of one of the {} systems"


def interval(estimate: Agreement) -> Interval:
    return interval_of(estimate.value, estimate.samples)


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def test_coefficients_by_hand() -> None:
    scores, ratings = floats(1, 2, 3, 9), floats(1, 3, 2, 4)
    # Rank differences 0, 1, 1, 0: 1 - 6 * 2 / (4 * 15). Five of six pairs agree, one does not.
    assert SPEARMAN(scores, ratings) == pytest.approx(0.8)
    assert coefficient("kendall")(scores, ratings) == pytest.approx(4 / 6)
    # Deviations -2.75 -1.75 -.75 5.25 and -1.5 .5 -.5 1.5: 11.5 / sqrt(38.75 * 5).
    assert coefficient("pearson")(scores, ratings) == pytest.approx(11.5 / np.sqrt(38.75 * 5))
    # Of the pairs (2, 1), (2, 2), (3, 1), (3, 2) one is a tie.
    assert coefficient("auc")(floats(2, 3, 1, 2), floats(1, 1, 0, 0)) == pytest.approx(3.5 / 4)


def test_ties_are_as_scipy_has_them() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores, ratings = rng.integers(0, 4, (2, 9)).astype(float)
        assert SPEARMAN(scores, ratings) == pytest.approx(stats.spearmanr(scores, ratings).statistic)
        assert coefficient("kendall")(scores, ratings) == pytest.approx(stats.kendalltau(scores, ratings).statistic)
        assert coefficient("pearson")(scores, ratings) == pytest.approx(stats.pearsonr(scores, ratings).statistic)
        high = ratings == ratings.max()
        u = stats.mannwhitneyu(scores[high], scores[~high]).statistic
        assert coefficient("auc")(scores, high.astype(float)) == pytest.approx(u / (high.sum() * (~high).sum()))


def test_what_has_no_coefficient_says_why() -> None:
    assert undefined(floats(1), floats(1)) == "fewer than two rated texts"
    assert undefined(floats(0.1 + 0.2, 0.3), floats(1, 2)) == "constant scores"
    assert undefined(floats(1, 2), floats(0, 0)) == "constant ratings"
    assert undefined(floats(1, 2), floats(1, 1.001)) == ""


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rewrite-rerank\[eval\]'"):
        coefficient("spearman")


SCORES = np.array([[1, 2, 3], [3, 1, 2], [5, 5, 5], [1, 2, 3], [1, NAN, NAN]], dtype=float)
RATINGS = np.array([[1, 2, 3], [1, 2, 3], [1, 2, 3], [4, 4, 4], [1, NAN, NAN]], dtype=float)


def test_summary_level_is_the_mean_of_the_documents_that_have_one() -> None:
    estimate = agreement("summary", SCORES, RATINGS, SPEARMAN, SMALL)
    # 1, and for ranks 3 1 2 against 1 2 3: 1 - 6 * 6 / (3 * 8).
    assert estimate.value == pytest.approx((1 - 0.5) / 2)
    assert (estimate.used, estimate.total, estimate.unit) == (2, 5, "documents")
    # A sample of five that has neither of the two documents has no mean: (3/5)^5 = 8 % of them.
    lost = int(np.isnan(estimate.samples).sum())
    assert 4 <= lost <= 32
    assert estimate.remark == (
        "2 of 5 documents: 1 with constant scores, 1 with constant ratings, 1 with fewer than two rated texts"
    )
    assert interval(estimate).to_json() == pytest.approx([-0.5, 1])


def test_system_level_leaves_out_documents_that_lack_a_system() -> None:
    estimate = agreement("system", SCORES, RATINGS, SPEARMAN, SMALL)
    # Sums of four documents: 10, 10, 13 against 7, 10, 13; ranks 1.5 1.5 3 against 1 2 3.
    assert estimate.value == pytest.approx(stats.spearmanr([10, 10, 13], [7, 10, 13]).statistic)
    assert estimate.used == 4
    assert estimate.remark.startswith("4 of 5 documents: 1 lacks a text or a rating of one of the 3 systems")


def test_pooled_level_takes_all_rated_texts() -> None:
    ratings = RATINGS.copy()
    ratings[0, 0] = NAN
    estimate = agreement("pooled", SCORES, ratings, SPEARMAN, SMALL)
    known = np.isfinite(ratings)
    assert estimate.value == pytest.approx(stats.spearmanr(SCORES[known], ratings[known]).statistic)
    assert (estimate.used, estimate.total, estimate.remark) == (12, 13, "12 of 13 texts: 1 is not rated")


@pytest.mark.parametrize(
    ("level", "scores", "ratings", "why"),
    [
        ("summary", [[1.0], [2.0]], [[1.0], [2.0]], "undefined: 2 with fewer than two rated texts"),
        ("summary", [[1.0, 1.0]], [[1.0, 2.0]], "undefined: 1 with constant scores"),
        ("system", [[1.0], [2.0]], [[1.0], [2.0]], "undefined: there is one system"),
        ("system", [[1.0, 2.0], [2.0, 1.0]], [[1.0, 2.0], [1.0, 2.0]], "undefined: constant scores"),
        ("system", [[1.0, 2.0]], [[1.0, NAN]], "undefined: one text alone is rated"),
        ("system", [[1.0, 2.0, NAN]], [[1.0, 2.0, NAN]], "undefined: 1 lacks " + LACK.format(3)),
        ("system", [[1.0, NAN], [NAN, 1.0]], [[1.0, NAN], [NAN, 1.0]], "undefined: 2 lack " + LACK.format(2)),
        ("pooled", [[1.0], [1.0]], [[1.0], [2.0]], "undefined: constant scores"),
        ("pooled", [[1.0], [2.0]], [[NAN], [1.0]], "undefined: one text alone is rated"),
    ],
)
def test_what_is_undefined_says_why(level: str, scores: list[object], ratings: list[object], why: str) -> None:
    estimate = agreement(level, np.array(scores), np.array(ratings), SPEARMAN, SMALL)
    assert np.isnan(estimate.value)
    assert interval(estimate).to_json() is None
    assert estimate.remark == why


@pytest.mark.parametrize("level", ["summary", "system", "pooled"])
def test_intervals_are_those_of_documents_drawn_by_hand(level: str) -> None:
    rng = np.random.default_rng(3)
    scores, ratings = rng.random((2, 8, 4))
    estimate = agreement(level, scores, ratings, SPEARMAN, SMALL)
    draws = np.random.default_rng(1).multinomial(8, np.full(8, 1 / 8), size=200)
    drawn = np.repeat(np.arange(8), draws[0])
    if level == "summary":
        expected = np.mean([stats.spearmanr(scores[d], ratings[d]).statistic for d in drawn])
    elif level == "system":
        expected = stats.spearmanr(scores[drawn].mean(axis=0), ratings[drawn].mean(axis=0)).statistic
    else:
        expected = stats.spearmanr(scores[drawn].ravel(), ratings[drawn].ravel()).statistic
    assert estimate.samples[0] == pytest.approx(expected)
    assert interval(estimate).low == pytest.approx(np.quantile(estimate.samples, 0.025))
    assert estimate.remark == ""


@pytest.mark.parametrize("level", ["summary", "system", "pooled"])
def test_of_one_document_there_is_a_figure_and_no_interval(level: str) -> None:
    scores, ratings = np.array([[1.0, 2.0, 3.0], [NAN] * 3]), np.array([[1.0, 3.0, 2.0], [1.0, 2.0, 3.0]])
    estimate = agreement(level, scores, ratings, SPEARMAN, SMALL)
    assert estimate.value == pytest.approx(0.5)
    assert interval(estimate).to_json() is None
    assert estimate.remark.endswith("of one document, so no interval")
    whole = agreement(level, np.array([[1.0, 2.0, 3.0]] * 2), ratings, SPEARMAN, SMALL)
    assert interval(whole).to_json() is not None
    assert whole.remark == ""


@pytest.mark.parametrize(("level", "of"), [("summary", "documents"), ("system", "documents"), ("pooled", "texts")])
def test_an_aspect_that_nobody_rated_is_undefined(level: str, of: str) -> None:
    estimate = agreement(level, SCORES, np.full_like(SCORES, NAN), SPEARMAN, SMALL)
    assert np.isnan(estimate.value)
    assert (interval(estimate).to_json(), estimate.used, estimate.unit) == (None, 0, of)
    assert estimate.remark == "undefined: no text is rated"


@pytest.mark.parametrize("level", ["summary", "system", "pooled"])
def test_an_aspect_that_one_text_alone_is_rated_in_says_so(level: str) -> None:
    ratings = np.full_like(SCORES, NAN)
    ratings[1, 2] = 4
    estimate = agreement(level, SCORES, ratings, SPEARMAN, SMALL)
    assert np.isnan(estimate.value)
    assert estimate.remark == "undefined: one text alone is rated"


def test_one_is_told_in_the_singular() -> None:
    scores, ratings = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]]), np.array([[1.0, 2.0, 3.0], [1.0, 2.0, NAN]])
    single = Bootstrap(samples=1)
    assert agreement("system", scores, ratings, SPEARMAN, single).remark == (
        "1 of 2 documents: 1 lacks a text or a rating of one of the 3 systems; of one document, so no interval"
    )
    assert (
        agreement("summary", scores[:1], np.ones((1, 3)), SPEARMAN, single).remark
        == "undefined: 1 with constant ratings"
    )
