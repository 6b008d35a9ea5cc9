"""What the acceptance model of English draws looks at."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rerank.english import EnglishAnalyzer
from rerank.likelihood import Caution
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.acceptance.english_texts import ENGLISH_TEXT_FEATURES, EnglishTextReader
from rewrite.acceptance.text_acceptance import TextCaution

SOURCE = "The municipality, which had two bridges, may commence the construction of a third in 1903."


@pytest.fixture(scope="module")
def context() -> Context:
    return Context(EnglishAnalyzer())


def drawn(text: str, *, logprob: float = -4.0, count: int = 1, certainty: float | None = None) -> Candidate:
    return Candidate(text, "ct2", logprob, 16, count=count, certainty=certainty)


def read(context: Context, *candidates: Candidate) -> list[dict[str, float]]:
    rows = EnglishTextReader().features(SOURCE, candidates, context)
    assert rows.shape == (len(candidates), len(ENGLISH_TEXT_FEATURES))
    return [dict(zip(ENGLISH_TEXT_FEATURES, row, strict=True)) for row in rows.tolist()]


def test_how_sure_the_model_of_verdicts_is_counts_by_its_log_odds(context: Context) -> None:
    text, chances = "The town has two bridges.", (0.5, 0.9, 1.0, 0.0, None)
    rows = read(context, *(drawn(text, certainty=chance) for chance in chances))
    assert [row["certainty"] for row in rows] == pytest.approx([0.0, math.log(9), 7.0, -7.0, 0.0])


def test_the_account_of_the_model_that_drew_counts_by_token_and_in_all(context: Context) -> None:
    likeliest, unlikely, hopeless = read(
        context,
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


def test_a_text_counts_for_more_the_oftener_it_and_its_words_were_drawn(context: Context) -> None:
    often, alike, far = read(
        context,
        drawn("The town had two bridges.", count=2),
        drawn("A town had two bridges."),
        drawn("Construction began late."),
    )
    assert [row["share"] for row in (often, alike, far)] == [0.5, 0.25, 0.25]
    # Four words of five are the same.
    assert often["consensus"] == pytest.approx((0.8 + 0) / 2)
    assert alike["consensus"] == pytest.approx((0.8 + 0.8 + 0) / 3)
    assert far["consensus"] == 0


def test_marks_and_capitals_make_no_other_words(context: Context) -> None:
    first, second = read(context, drawn("The town had bridges."), drawn("the town, had: Bridges"))
    assert first["consensus"] == second["consensus"] == 1


def test_a_draw_that_is_alone_disagrees_with_none_and_no_draws_have_no_features(context: Context) -> None:
    (alone,) = read(context, drawn(SOURCE))
    assert (alone["consensus"], alone["share"], alone["likeliest"]) == (1, 1, 0)
    assert read(context) == []


def test_caution_tells_what_a_reader_would_pass_from_what_he_would_not(context: Context) -> None:
    text = "The municipality, which had two bridges, {} begin to build a third in 1903."
    pool = [drawn(text.format("may"), certainty=0.9), drawn(text.format("did not"), certainty=0.1)]
    passed, doubted = TextCaution(EnglishTextReader()).score(SOURCE, pool, context)
    assert 0 < doubted < 0.5 < passed < 1


def test_no_text_is_parsed_for_it() -> None:
    caution = TextCaution(EnglishTextReader())
    assert caution.needs == Caution.needs
    assert "texts" in caution.signature()
