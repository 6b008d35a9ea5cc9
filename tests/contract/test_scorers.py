"""What every registered scorer promises, whatever it measures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rerank.analysis import LAYERS, Analyzer
from rerank.rank import CANDIDATES
from rerank.registry import create_scorer, known_scorers
from rerank.scorer import Context, Limited, Scorer
from rerank.types import Candidate, FloatArray
from rewrite.task_options import EVALUATED_COMPONENTS, MASKED_COMPONENTS

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
def options(request: pytest.FixtureRequest) -> dict[str, str]:
    """The name of a scorer and its options; to those by masked language model a tiny one is given."""
    if request.param in EVALUATED_COMPONENTS:
        # A bundled one knows one language; the texts are of several.
        return {"name": request.param, "language": "ru"}
    if request.param not in MASKED_COMPONENTS:
        return {"name": request.param}
    if request.param == "bertscore":
        pytest.importorskip("bert_score", reason="needs bert-score: pip install 'rewrite-rerank[ndd]'")
    folder = request.getfixturevalue("tiny_masked_model")("bert")
    return {"name": request.param, "model": f"hf:{folder}"}


@pytest.fixture
def scorer(options: dict[str, str]) -> Scorer:
    return create_scorer(**options)


@pytest.fixture
def texts(scorer: Scorer) -> list[str]:
    """What the scorer says it can score."""
    unfit = scorer.unfit(TEXTS) if isinstance(scorer, Limited) else {}
    assert set(unfit) <= {TEXTS.index("слово " * 450)}
    return [text for i, text in enumerate(TEXTS) if i not in unfit]


@pytest.fixture
def context(analyzer: Analyzer) -> Context:
    return Context(analyzer)


def pool(texts: Sequence[str]) -> list[Candidate]:
    return [Candidate(text, logprob=-2.0 * i - 1, tokens=len(text) + 1, risk=i / 2) for i, text in enumerate(texts)]


def score(scorer: Scorer, texts: Sequence[str], context: Context, source: str = SOURCE) -> FloatArray:
    return scorer.score(source, pool(texts), context)


def test_it_is_a_scorer_that_says_who_it_is(scorer: Scorer, options: dict[str, str]) -> None:
    assert isinstance(scorer, Scorer)
    assert scorer.name in known_scorers()
    assert scorer.needs <= {*LAYERS, CANDIDATES}
    assert scorer.range[0] < scorer.range[1]
    assert scorer.signature().strip()
    assert "\n" not in scorer.signature()
    assert scorer.signature() == create_scorer(**options).signature()


@pytest.mark.parametrize("source", [SOURCE, "", "😀", "hello", "слово " * 450])
def test_shape_and_range(scorer: Scorer, texts: list[str], context: Context, source: str) -> None:
    if isinstance(scorer, Limited) and scorer.unfit([source]):
        pytest.skip("says that it cannot score the source")
    values = score(scorer, texts, context, source)
    assert values.shape == (len(texts),)
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    low, high = scorer.range
    assert ((values >= low) & (values <= high)).all()


def test_no_candidates(scorer: Scorer, context: Context) -> None:
    assert score(scorer, [], context).shape == (0,)


def test_batch_equals_single(scorer: Scorer, texts: list[str], context: Context) -> None:
    if CANDIDATES in scorer.needs:
        pytest.skip("looks at the whole pool by design")
    alone = [scorer.score(SOURCE, [candidate], context)[0] for candidate in pool(texts)]
    together = score(scorer, texts, context)
    if scorer.needs & set(LAYERS):
        # A pool in two parts promises the same choice.
        assert together.tolist() == alone
    else:
        assert together == pytest.approx(alone, abs=FLOAT32)


def test_values_follow_the_order_of_candidates(scorer: Scorer, texts: list[str], context: Context) -> None:
    candidates = pool(texts)
    order = list(reversed(range(len(texts))))
    straight = scorer.score(SOURCE, candidates, context)
    back = scorer.score(SOURCE, [candidates[i] for i in order], context)
    assert back == pytest.approx(straight[order], abs=FLOAT32)


def test_scoring_twice_gives_the_same(scorer: Scorer, texts: list[str], context: Context) -> None:
    assert score(scorer, texts, context).tolist() == score(scorer, texts, context).tolist()


def test_two_texts_alike_have_one_value(scorer: Scorer, context: Context) -> None:
    twins = [Candidate(TEXTS[0], logprob=-1.0, tokens=3, risk=1.5)] * 2
    values = scorer.score(SOURCE, twins, context)
    assert values[0] == pytest.approx(values[1], abs=FLOAT32)
