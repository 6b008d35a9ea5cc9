"""The weighted product against its definition."""

from __future__ import annotations

import math

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rerank.combine import geometric_mean, log_totals, weight_vector
from rerank.errors import BadWeights
from rerank.types import FloatArray
from rerank.weights import Weights

VALUES = arrays(np.float64, (4, 3), elements=st.one_of(st.just(0.0), st.floats(1e-6, 1)))
SETTINGS = arrays(np.float64, (5, 3), elements=st.one_of(st.just(0.0), st.floats(0.001, 20)))


@hypothesis.settings(max_examples=25, deadline=None)
@given(VALUES, SETTINGS)
def test_many_settings_equal_single_ones_to_the_last_bit(values: FloatArray, settings: FloatArray) -> None:
    together = log_totals(values, settings)
    assert together.shape == (5, 4)
    for row, setting in zip(together, settings, strict=True):
        assert (row == log_totals(values, setting)).all()
    one_by_one = [log_totals(values[[i]], settings)[:, 0] for i in range(4)]
    assert (together == np.stack(one_by_one, axis=1)).all()


@hypothesis.settings(max_examples=25, deadline=None)
@given(VALUES, SETTINGS)
def test_totals_are_logs_of_the_product(values: FloatArray, settings: FloatArray) -> None:
    expected = [math.prod(v**w for v, w in zip(row, settings[0], strict=True)) for row in values.tolist()]
    assert np.exp(log_totals(values, settings[0])) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@hypothesis.settings(max_examples=25, deadline=None)
@given(VALUES, SETTINGS)
def test_the_geometric_mean_lies_among_its_values_and_orders_as_totals_do(
    values: FloatArray, settings: FloatArray
) -> None:
    for setting in settings:
        names = [name for name, weight in zip("abc", setting, strict=True) if weight > 0]
        weights = Weights(dict(zip("abc", setting.tolist(), strict=True)))
        totals = log_totals(values, setting).tolist()
        scores = [geometric_mean(total, weights) for total in totals]
        for row, score in zip(values, scores, strict=True):
            counted = [row["abc".index(name)] for name in names] or [1.0]
            assert min(counted) * (1 - 1e-9) <= score <= max(counted) * (1 + 1e-9)
        order = sorted(range(4), key=totals.__getitem__)
        assert [scores[i] for i in order] == sorted(scores)


def test_the_geometric_mean_of_nothing_is_one_and_of_a_zero_zero() -> None:
    assert geometric_mean(0.0, Weights({"a": 0, "b": 0})) == geometric_mean(0.0, Weights({})) == 1.0
    assert geometric_mean(-math.inf, Weights({"a": 1})) == 0.0
    assert geometric_mean(2 * math.log(0.5) + 4 * math.log(0.25), Weights({"a": 2, "b": 4})) == pytest.approx(
        0.5 ** (5 / 3)
    )


def test_a_zero_value_counts_only_with_a_weight() -> None:
    values = np.array([[0.0, 0.5], [1.0, 0.5]])
    assert log_totals(values, np.array([1.0, 1.0])).tolist() == [-math.inf, math.log(0.5)]
    assert log_totals(values, np.array([0.0, 1.0])).tolist() == [math.log(0.5), math.log(0.5)]


@hypothesis.settings(max_examples=25, deadline=None)
@given(VALUES, SETTINGS, st.integers(0, 3), st.integers(0, 2), st.floats(0, 1))
def test_raising_a_value_never_lowers_a_total(
    values: FloatArray, settings: FloatArray, row: int, column: int, by: float
) -> None:
    raised = values.copy()
    raised[row, column] = min(1.0, raised[row, column] + by)
    assert (log_totals(raised, settings) >= log_totals(values, settings)).all()


def test_negative_factors_and_nan_are_refused() -> None:
    for bad in (-0.1, math.nan):
        with pytest.raises(ValueError, match="factors"):
            log_totals(np.array([[bad]]), np.array([1.0]))


def test_no_candidates() -> None:
    assert log_totals(np.empty((0, 2)), np.ones(2)).shape == (0,)
    assert log_totals(np.empty((0, 2)), np.ones((3, 2))).shape == (3, 0)


def test_a_weight_without_its_component_is_refused_unless_zero() -> None:
    assert weight_vector(Weights({"a": 2, "b": 0}), ["c", "a"]).tolist() == [0.0, 2.0]
    with pytest.raises(BadWeights, match=r"b=1 .*Scored: a"):
        weight_vector(Weights({"a": 2, "b": 1}), ["a"])
