"""Weights from choices: known ones are found again, few choices change little, bad choices are named."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rerank.errors import BadInput
from rerank.preference_weights import FEWEST, Preference, fit_weights
from rerank.types import Candidate, FloatArray, ScoreTable
from rerank.weights import Weights

_NAMES = ("meaning", "words", "length")
_START = Weights(dict.fromkeys(_NAMES, 2.0))


def _table(random: np.random.Generator, rows: int = 6) -> ScoreTable:
    candidates = tuple(Candidate(str(i)) for i in range(rows))
    return ScoreTable("?", candidates, _NAMES, random.uniform(0.1, 1, (rows, 3)), random.uniform(0.1, 1, 3))


def _choices(count: int, truth: FloatArray, *, seed: int = 0, threshold: float = 1.0) -> list[Preference]:
    """Pairs of rows, one of them the source at times, chosen with the odds of the model."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        table = _table(random)
        pair: list[int | None] = [int(row) for row in random.permutation(6)[:2]]
        if random.random() < 0.3:
            pair[1] = None
        utility = [
            math.log(threshold) + truth @ np.log(table.source_values)
            if row is None
            else truth @ np.log(table.values[row])
            for row in pair
        ]
        if random.random() > 1 / (1 + math.exp(utility[1] - utility[0])):
            pair.reverse()
        found.append(Preference(table, pair[0], (pair[1],), threshold))
    return found


def test_known_weights_are_found_again() -> None:
    truth = np.array([6.0, 0.0, 3.0])
    fit = fit_weights(_choices(4000, truth, threshold=0.8), _START)
    assert np.array(list(fit.weights.values())) == pytest.approx(truth, abs=0.35)
    assert fit.after > fit.before
    assert fit.after > 0.8


def test_ten_choices_do_not_run_away() -> None:
    random = np.random.default_rng(1)
    tables = [_table(random) for _ in range(FEWEST)]
    # All for the shortest: nothing but the prior bounds that weight.
    choices = [Preference(t, int(t.values[:, 2].argmax()), (int(t.values[:, 2].argmin()),)) for t in tables]
    fit = fit_weights(choices, _START)
    assert fit.weights["length"] > 2.5
    assert all(0 <= weight < 8 for weight in fit.weights.values())


def test_choices_that_agree_already_change_little() -> None:
    random = np.random.default_rng(2)
    choices = []
    for _ in range(30):
        table = _table(random)
        totals = 8 * np.log(table.values).sum(axis=1)
        choices.append(Preference(table, int(totals.argmax()), (int(totals.argmin()),)))
    fit = fit_weights(choices, Weights(dict.fromkeys(_NAMES, 8.0)))
    assert fit.before == fit.after == 1
    assert list(fit.weights.values()) == pytest.approx([8] * 3, abs=0.1)


def test_a_choice_over_many_counts_once() -> None:
    random = np.random.default_rng(3)
    tables = [_table(random) for _ in range(20)]
    once = [Preference(t, 0, (1,)) for t in tables]
    same = [Preference(t, 0, (1,) * 5) for t in tables]
    assert fit_weights(once, _START).weights == fit_weights(same, _START).weights


def test_a_zero_does_not_break_the_fit() -> None:
    tables = [_table(np.random.default_rng(i)) for i in range(12)]
    values = [np.where(np.arange(6)[:, None] == 1, 0.0, t.values) for t in tables]
    zeros = [ScoreTable("?", t.candidates, _NAMES, v, t.source_values) for t, v in zip(tables, values, strict=True)]
    assert fit_weights([Preference(t, 0, (1,)) for t in zeros], _START).after == 1


@pytest.mark.parametrize(
    ("preferred", "over", "message"),
    [
        (6, (0,), r"choices\[10\]: there is no row 6"),
        (0, (-1,), r"choices\[10\]: there is no row -1"),
        (None, (None,), r"choices\[10\]: a row is preferred to others than itself"),
        (0, (), "preferred to others"),
    ],
)
def test_bad_choices_are_named(preferred: int | None, over: tuple[int | None, ...], message: str) -> None:
    choices = _choices(FEWEST, np.ones(3))
    with pytest.raises(BadInput, match=message):
        fit_weights([*choices, Preference(choices[0].table, preferred, over)], _START)


def test_too_few_choices_and_other_components() -> None:
    choices = _choices(FEWEST, np.ones(3))
    with pytest.raises(BadInput, match="There are 9 choices"):
        fit_weights(choices[1:], _START)
    other = ScoreTable("?", (Candidate("a"),), ("other",), np.ones((1, 1)), np.ones(1))
    with pytest.raises(BadInput, match="components other"):
        fit_weights([*choices, Preference(other, 0, (None,))], _START)
