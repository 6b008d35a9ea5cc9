"""Likelihood: candidates against each other and against the source, by the generator's own probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rerank.analysis import Analyzer
from rerank.likelihood import Likelihood
from rerank.rank import score_table
from rerank.scorer import Context
from rerank.select import select
from rerank.types import Candidate, FloatArray
from rerank.weights import Weights

CONTEXT = Context(Analyzer())


def score(pool: list[Candidate], source: str = "s") -> FloatArray:
    return Likelihood().score(source, pool, CONTEXT)


def own_value(pool: list[Candidate], source: str = "s") -> float:
    return float(score_table(source, pool, [Likelihood()], CONTEXT).source_values[0])


def test_values_are_relative_to_the_best_of_the_pool() -> None:
    pool = [
        Candidate("a", logprob=-2.0, tokens=2),
        Candidate("b", logprob=-4.0, tokens=2),
        Candidate("one two", logprob=-6.0),
        Candidate("no probability"),
        Candidate("never", logprob=-1e6, tokens=1),
    ]
    assert score(pool) == pytest.approx([1.0, np.exp(-1.0), np.exp(-2.0), 1.0, 1e-9])


@given(st.lists(st.floats(-40, 5), min_size=1, max_size=6), st.floats(-3, 3))
def test_only_differences_count(logprobs: list[float], shift: float) -> None:
    plain = score([Candidate("t", logprob=x, tokens=2) for x in logprobs])
    shifted = score([Candidate("t", logprob=x + shift, tokens=2) for x in logprobs])
    assert plain == pytest.approx(shifted, rel=1e-6)
    assert plain.max() == 1.0


def test_the_source_has_the_probability_that_the_generator_gives_it() -> None:
    pool = [Candidate("a", logprob=-2.0, tokens=2, source_logprob=-6.0), Candidate("b", logprob=-3.0, tokens=2)]
    assert own_value(pool) == pytest.approx(np.exp(-2.0))


def test_the_source_is_counted_in_its_own_tokens() -> None:
    pool = [Candidate("a", logprob=-5.0, tokens=5, source_logprob=-20.0, source_tokens=20)]
    assert own_value(pool) == 1.0


def test_candidates_fall_behind_a_source_that_is_likelier() -> None:
    pool = [Candidate("a", logprob=-4.0, tokens=2, source_logprob=-2.0), Candidate("b", logprob=-6.0, tokens=2)]
    table = score_table("s", pool, [Likelihood()], CONTEXT)
    assert table.source_values.tolist() == [1.0]
    assert table.values[:, 0] == pytest.approx([np.exp(-1.0), np.exp(-2.0)])
    weights = Weights({"likelihood": 2.0})
    assert select(table, weights).fell_back


def test_a_source_of_unknown_probability_has_one() -> None:
    assert own_value([Candidate("a", logprob=-2.0, tokens=2)]) == 1.0
    assert own_value([Candidate("a")]) == 1.0
    assert own_value([]) == 1.0


def test_a_source_in_the_pool_has_the_value_of_its_row() -> None:
    pool = [Candidate("a", logprob=-2.0, tokens=2, source_logprob=-9.0), Candidate("s", logprob=-4.0, tokens=2)]
    assert own_value(pool) == score(pool)[1] == pytest.approx(np.exp(-1.0))
