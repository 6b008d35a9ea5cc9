"""How many sentences there are and how long the longest is, by their formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.errors import BadInput
from rerank.scorer import Context, Scorer
from rerank.structure import Brevity, Splits, sentence_words
from rerank.types import Candidate
from tests.contract import test_scorers as contract

TEXTS = ["One two three.", "One.\nTwo three.", "A.\nB.\nC.", "", "  \n ", "...", "a b c d e f\ng h"]


@pytest.fixture(params=[Splits, Brevity])
def scorer(request: pytest.FixtureRequest) -> Scorer:
    made: Scorer = request.param()
    return made


@pytest.fixture
def context(analyzer: Analyzer) -> Context:
    return Context(analyzer)


class TestContract:
    """What `tests/contract` asks of registered scorers; these have the splitter alone to build them."""

    def test_shape_range_and_type(self, scorer: Scorer, context: Context) -> None:
        assert isinstance(scorer, Scorer)
        contract.test_no_candidates(scorer, context)
        for source in ("", TEXTS[0], "слово " * 450):
            contract.test_shape_and_range(scorer, [*contract.TEXTS, *TEXTS], context, source)

    def test_order_and_neighbours_do_not_matter(self, scorer: Scorer, context: Context) -> None:
        texts = [*contract.TEXTS, *TEXTS]
        contract.test_batch_equals_single(scorer, texts, context)
        contract.test_values_follow_the_order_of_candidates(scorer, texts, context)
        contract.test_two_texts_alike_have_one_value(scorer, context)


def score(scorer: Scorer, context: Context, *texts: str) -> list[float]:
    values: list[float] = scorer.score("A source.", [Candidate(text) for text in texts], context).tolist()
    return values


@pytest.mark.parametrize("target", [1, 2, 5])
def test_splits_fall_off_with_the_distance_from_the_target(target: int, context: Context) -> None:
    texts = ["\n".join(["A word."] * count) for count in range(1, 8)]
    expected = [math.exp(-abs(count - target)) for count in range(1, 8)]
    assert score(Splits(target), context, *texts) == pytest.approx(expected)


def test_splits_of_a_long_text_stay_above_nought(context: Context) -> None:
    low, high = Splits.range
    assert score(Splits(2), context, "A.\n" * 500) == [low]
    assert low > 0
    assert score(Splits(2), context, "A.\nB.") == [high]


@pytest.mark.parametrize(
    ("words", "expected"), [([3, 4], 1.0), ([12, 1], 1.0), ([13, 12], 12 / 13), ([1, 24], 0.5), ([48], 0.25)]
)
def test_length_is_the_share_of_the_longest_sentence_that_was_asked_for(
    words: list[int], expected: float, context: Context
) -> None:
    text = "\n".join("w " * count + "." for count in words)
    assert score(Brevity(12), context, text) == pytest.approx([expected])
    assert score(Brevity(6), context, text) == pytest.approx([min(1.0, 6 / max(words))])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("He didn't pay $1,300.50 — not at 5.30 p.m.", [8]),
        ("A well-known man.\n\nHe left.\n", [3, 2]),
        ("...", [0]),
        ("", []),
    ],
)
def test_marks_are_no_words_and_empty_lines_no_sentences(text: str, counts: list[int]) -> None:
    assert sentence_words(text) == counts


@pytest.mark.parametrize("made", [Splits, Brevity])
@pytest.mark.parametrize("value", [0, -3])
def test_a_target_below_one_is_refused(made: type[Splits] | type[Brevity], value: int) -> None:
    with pytest.raises(BadInput, match=f"{made.name} is {value}"):
        made(value)


def test_the_signature_tells_the_target() -> None:
    assert Splits(2).signature() != Splits(3).signature()
    assert Brevity(12).signature() != Brevity(20).signature()
    assert np.isfinite([*Splits.range, *Brevity.range]).all()
