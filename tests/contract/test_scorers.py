"""What every registered scorer promises, whatever it measures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rerank.analysis import LAYERS, Analyzer
from rerank.rank import CANDIDATES, REFERENCES
from rerank.registry import create_scorer, known_scorers
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray

SOURCE = "14 декабря 1944 года Оскар Шефер женился на знатной македонянке, и положение стало угрожающим для царевича."
# Sentence encoders compute in float32, and a batch may add in another order.
FLOAT32 = 1e-6
TEXTS = (
    "Оскар Шефер женился на македонянке.",
    "Положение стало угрожающим.",
    "",
    "   ",
    "😀🎉",
    "Он сказал: 😀!",
    "hello world",
    "...",
    "Шефер женился. Положение стало угрожающим для царевича.",
    "1944",
    "ё" * 300,
    "слово " * 450,
    SOURCE,
)


@pytest.fixture(params=known_scorers())
def scorer(request: pytest.FixtureRequest) -> Scorer:
    made: Scorer = create_scorer(request.param)
    return made


@pytest.fixture
def context(analyzer: Analyzer) -> Context:
    return Context(analyzer, references=("Оскар женился.",))


def pool(texts: Sequence[str]) -> list[Candidate]:
    return [Candidate(text, logprob=-2.0 * i - 1, tokens=len(text) + 1, risk=i / 2) for i, text in enumerate(texts)]


def score(scorer: Scorer, texts: Sequence[str], context: Context, source: str = SOURCE) -> FloatArray:
    return scorer.score(source, pool(texts), context)


def test_it_is_a_scorer_that_says_who_it_is(scorer: Scorer) -> None:
    assert isinstance(scorer, Scorer)
    assert scorer.name in known_scorers()
    assert scorer.needs <= {*LAYERS, REFERENCES, CANDIDATES}
    assert scorer.range[0] < scorer.range[1]
    assert scorer.signature().strip()
    assert "\n" not in scorer.signature()
    assert scorer.signature() == create_scorer(scorer.name).signature()


@pytest.mark.parametrize("source", [SOURCE, "", "😀", "hello", "слово " * 450])
def test_shape_and_range(scorer: Scorer, context: Context, source: str) -> None:
    values = score(scorer, TEXTS, context, source)
    assert values.shape == (len(TEXTS),)
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    low, high = scorer.range
    assert ((values >= low) & (values <= high)).all()


def test_no_candidates(scorer: Scorer, context: Context) -> None:
    assert score(scorer, [], context).shape == (0,)


def test_batch_equals_single(scorer: Scorer, context: Context) -> None:
    if CANDIDATES in scorer.needs:
        pytest.skip("looks at the whole pool by design")
    alone = [scorer.score(SOURCE, [candidate], context)[0] for candidate in pool(TEXTS)]
    together = score(scorer, TEXTS, context)
    if scorer.needs & set(LAYERS):
        # The winner-only search scores such candidates in smaller lots and promises the same choice.
        assert together.tolist() == alone
    else:
        assert together == pytest.approx(alone, abs=FLOAT32)


def test_values_follow_the_order_of_candidates(scorer: Scorer, context: Context) -> None:
    candidates = pool(TEXTS)
    order = list(reversed(range(len(TEXTS))))
    straight = scorer.score(SOURCE, candidates, context)
    back = scorer.score(SOURCE, [candidates[i] for i in order], context)
    assert back == pytest.approx(straight[order], abs=FLOAT32)


def test_scoring_twice_gives_the_same(scorer: Scorer, context: Context) -> None:
    assert score(scorer, TEXTS, context).tolist() == score(scorer, TEXTS, context).tolist()


def test_two_texts_alike_have_one_value(scorer: Scorer, context: Context) -> None:
    twins = [Candidate(TEXTS[0], logprob=-1.0, tokens=3, risk=1.5)] * 2
    values = scorer.score(SOURCE, twins, context)
    assert values[0] == pytest.approx(values[1], abs=FLOAT32)
