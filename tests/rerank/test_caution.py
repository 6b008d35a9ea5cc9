"""Caution: what a generator holds against its own candidates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rerank.analysis import Analyzer
from rerank.likelihood import Caution
from rerank.rank import score_table
from rerank.scorer import Context
from rerank.types import Candidate

CONTEXT = Context(Analyzer())


def caution(*risks: float) -> list[float]:
    values: list[float] = Caution().score("s", [Candidate("t", risk=risk) for risk in risks], CONTEXT).tolist()
    return values


def test_one_point_of_risk_costs_a_factor_of_e() -> None:
    assert caution(0.0, 1.0, 2.0, 1e9) == pytest.approx([1.0, 0.36787944, 0.13533528, 1e-6])


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_more_risk_never_scores_better(a: float, b: float) -> None:
    low, high = sorted((a, b))
    less, more = caution(low, high)
    assert 1e-6 <= more <= less <= 1.0


@given(st.floats(0, 5), st.floats(0, 5))
def test_risks_add_up_as_factors(a: float, b: float) -> None:
    both, one, other = caution(a + b, a, b)
    assert both == pytest.approx(one * other)


def test_the_source_and_candidates_of_other_systems_risk_nothing() -> None:
    table = score_table("s", [Candidate("t")], [Caution()], CONTEXT)
    assert table.values.tolist() == [[1.0]]
    assert table.source_values.tolist() == [1.0]
