"""What a draw is accepted by, and how `caution` uses it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.likelihood import Caution
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.acceptance.text_acceptance import TEXT_FEATURES, TextCaution, is_drawn, text_features
from rewrite.acceptance.verdict import LineAcceptance

SOURCE = "The municipality, which had two bridges, may commence the construction of a third in 1903."
RUSSIAN = "Старый дом, который построил поэт, стоит у большой реки."
EDITED = Candidate("The municipality had two bridges.", "edits", 1.0, 9, risk=0.5)


def drawn(text: str, *, logprob: float = -4.0, count: int = 1, certainty: float | None = None) -> Candidate:
    return Candidate(text, "ct2", logprob, 16, count=count, certainty=certainty)


def read(*candidates: Candidate) -> list[dict[str, float]]:
    rows = text_features(candidates)
    assert rows.shape == (len(candidates), len(TEXT_FEATURES))
    return [dict(zip(TEXT_FEATURES, row, strict=True)) for row in rows.tolist()]


def weighing(name: str, weight: float) -> LineAcceptance:
    """A line for which only one feature counts."""
    weights = dict.fromkeys(TEXT_FEATURES, 0.0) | {name: weight}
    low, high = dict.fromkeys(TEXT_FEATURES, -100.0), dict.fromkeys(TEXT_FEATURES, 100.0)
    return LineAcceptance(weights, 0.0, low, high)


def test_how_sure_the_model_of_verdicts_is_counts_by_its_log_odds() -> None:
    text, chances = "The town has two bridges.", (0.5, 0.9, 1.0, 0.0, None)
    rows = read(*(drawn(text, certainty=chance) for chance in chances))
    assert [row["certainty"] for row in rows] == pytest.approx([0.0, math.log(9), 7.0, -7.0, 0.0])


def test_the_account_of_the_model_that_drew_counts_by_token_and_in_all() -> None:
    likeliest, unlikely, hopeless = read(
        replace(drawn("The town had two bridges.", logprob=-4.0), least_logprob=-2.5),
        drawn("The town may begin a third.", logprob=-32.0),
        replace(drawn("A third town.", logprob=-1_600.0), least_logprob=-50.0),
    )
    account = ("logprob", "logprob_all", "least", "likeliest")
    assert [likeliest[name] for name in account] == [-0.25, -4.0, -2.5, 0.0]
    # Where it is not told which token was the least probable, each was as probable as they all were on average.
    assert [unlikely[name] for name in account] == [-2.0, -32.0, -2.0, 1.75]
    # What is beyond all doubt is not told apart further.
    assert [hopeless[name] for name in account] == [-6.0, -60.0, -12.0, 5.75]


def test_a_text_counts_for_more_the_oftener_it_and_its_words_were_drawn() -> None:
    often, alike, far = read(
        drawn("The town had two bridges.", count=2),
        drawn("A town had two bridges."),
        drawn("Construction began late."),
    )
    assert [row["share"] for row in (often, alike, far)] == [0.5, 0.25, 0.25]
    # Four words of five are the same.
    assert often["consensus"] == pytest.approx((0.8 + 0) / 2)
    assert alike["consensus"] == pytest.approx((0.8 + 0.8 + 0) / 3)
    assert far["consensus"] == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [("The town had bridges.", "the town, had: Bridges"), ("Её дом построен.", "ее Дом — построен")],
    ids=["English", "Russian"],
)
def test_marks_capitals_and_dots_make_no_other_words(one: str, other: str) -> None:
    first, second = read(drawn(one), drawn(other))
    assert first["consensus"] == second["consensus"] == 1


def test_a_draw_that_is_alone_disagrees_with_none_and_no_draws_have_no_features() -> None:
    (alone,) = read(drawn(SOURCE))
    assert (alone["consensus"], alone["share"], alone["likeliest"]) == (1, 1, 0)
    assert read() == []


@pytest.mark.parametrize("generator", ["edits", "edits-lm", "splitter", "splitter-lm", "deletion", "templates"])
def test_a_probability_of_a_generator_of_this_package_is_its_own_account(generator: str) -> None:
    assert not is_drawn(Candidate("A town.", generator, -1.0))
    assert is_drawn(Candidate("A town.", "ct2", -1.0))
    assert not is_drawn(Candidate("A town.", "ct2"))


def test_caution_is_the_chance_of_the_line_for_drawn_texts_and_the_account_of_edits_for_theirs() -> None:
    context = Context(EnglishAnalyzer())
    pool = [EDITED, drawn("A town.", certainty=0.9), drawn("The town.", certainty=0.5), Candidate("Town.", "other")]
    found = TextCaution(weighing("certainty", 1.0)).score(SOURCE, pool, context)
    plain = Caution().score(SOURCE, pool, context)
    assert found[[0, 3]].tolist() == plain[[0, 3]].tolist()
    assert plain[1] == plain[2] == 1
    assert found[1:3] == pytest.approx([0.9, 0.5])


def test_edits_are_no_part_of_the_pool_that_a_draw_is_compared_with() -> None:
    context = Context(EnglishAnalyzer())
    first, second = drawn("A town had bridges.", count=3), drawn("The town had bridges.")
    shares = TextCaution(weighing("share", 1.0))
    alone, beside = (shares.score(SOURCE, pool, context) for pool in ([first, second], [first, EDITED, second]))
    assert alone == pytest.approx(1 / (1 + np.exp([-0.75, -0.25])))
    assert beside[[0, 2]].tolist() == alone.tolist()


def test_a_hopeless_draw_is_left_a_little(analyzer: Analyzer) -> None:
    pool = [drawn("Дом.", certainty=0.0)]
    assert TextCaution(weighing("certainty", 10.0)).score(RUSSIAN, pool, Context(analyzer)).tolist() == [1e-6]


def test_a_pool_without_drawn_texts_is_scored_as_ever() -> None:
    assert TextCaution().score(SOURCE, [EDITED], Context(EnglishAnalyzer())).tolist() == pytest.approx([np.exp(-0.5)])


def test_english_draws_that_the_model_of_verdicts_doubts_hardly_pass() -> None:
    text = "The municipality, which had two bridges, {} begin to build a third in 1903."
    pool = [drawn(text.format("may"), certainty=0.9), drawn(text.format("did not"), certainty=0.1)]
    passed, doubted = TextCaution().score(SOURCE, pool, Context(EnglishAnalyzer()))
    assert 0 < doubted < 0.5 < passed < 1


def test_russian_draws_count_by_what_the_model_that_drew_them_says(analyzer: Analyzer) -> None:
    pool = [
        replace(drawn("Дом, который построил поэт, стоит у реки.", logprob=-0.5), least_logprob=-0.2, count=5),
        replace(drawn("Поэт построил реку у дома.", logprob=-24.0), least_logprob=-6.0),
    ]
    passed, doubted = TextCaution().score(RUSSIAN, pool, Context(analyzer))
    assert 0 < doubted < 0.1 < 0.5 < passed < 1


def test_no_text_is_parsed_for_it() -> None:
    assert TextCaution().needs == Caution.needs
    assert "texts" in TextCaution().signature()
