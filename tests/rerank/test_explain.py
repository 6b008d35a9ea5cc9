"""The explanation agrees with the choice, and the flip is the smallest there is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.combine import weight_vector
from rerank.explain import Flip, explain, smallest_flip
from rerank.select import Selection, log_threshold, select
from rerank.weights import Weights
from tests.fakes import table

NAMES = ("similarity", "length", "lexical")
FACTOR = st.sampled_from([0.0, 0.2, 0.4, 0.5, 0.7, 0.8, 0.95, 1.0])
ROWS = st.lists(st.tuples(FACTOR, FACTOR, FACTOR), min_size=1, max_size=6)
WEIGHTS = st.tuples(*[st.sampled_from([0.0, 0.3, 1.0, 2.0])] * 3)
# Steps of the search that the closed form is checked against.
GRID = np.concatenate([np.linspace(0, 3, 301), np.linspace(3, 40, 371)])


def selection_of(rows: list[tuple[float, ...]], weights: tuple[float, ...], threshold: float) -> Selection:
    own = (0.8, 0.5, 0.7)
    blocked = ["" if i != 1 else "alters a number" for i in range(len(rows))]
    named = Weights(dict(zip(NAMES, weights, strict=True)))
    return select(table(rows, NAMES, own=own, blocked=blocked), named, threshold=threshold)


@given(ROWS, WEIGHTS, st.sampled_from([0.0, 0.8]))
@settings(deadline=None)
def test_the_flip_changes_the_choice_as_it_says(
    rows: list[tuple[float, ...]], weights: tuple[float, ...], threshold: float
) -> None:
    selection = selection_of(rows, weights, threshold)
    flip = smallest_flip(selection)
    if flip is not None:
        assert flip.after >= 0
        assert flip.index != selection.index
        assert not selection.ranked.table.blocked[flip.index]
        changed = selection.reweight(selection.ranked.weights.with_(flip.component, flip.after))
        assert changed.index == flip.index


@given(ROWS, WEIGHTS, st.sampled_from([0.0, 0.8]))
@settings(deadline=None, max_examples=12)
def test_no_smaller_change_of_one_weight_leads_to_another_candidate(
    rows: list[tuple[float, ...]], weights: tuple[float, ...], threshold: float
) -> None:
    selection = selection_of(rows, weights, threshold)
    flip = smallest_flip(selection)
    vector = weight_vector(selection.ranked.weights, NAMES)
    for k, name in enumerate(NAMES):
        for weight in GRID.tolist():
            if flip is not None and abs(weight - vector[k]) >= abs(flip.bound - flip.before) - 1e-9:
                continue
            index = selection.reweight(selection.ranked.weights.with_(name, weight)).index
            assert index is None or index == selection.index or _equal(selection, index, name, weight)


def _equal(selection: Selection, index: int, name: str, weight: float) -> bool:
    """Ties up to rounding may fall either way."""
    ranked = selection.reweight(selection.ranked.weights.with_(name, weight)).ranked
    if selection.index is not None:
        rival = float(ranked.totals[selection.index])
    else:
        rival = ranked.source_total + log_threshold(selection.threshold)
    return math.isclose(ranked.totals[index], rival, rel_tol=1e-9, abs_tol=1e-9)


def test_a_flip_worked_out_by_hand() -> None:
    # log a = (ln .9, ln .5), log b = (ln .45, ln .8): b wins once w₂ · ln(1.6) > ln 2, from w₂ = 1.4748 on.
    scores = table([[0.9, 0.5], [0.45, 0.8]], ["similarity", "length"], own=[0.1, 0.1])
    selection = select(scores, Weights({"similarity": 1, "length": 1}))
    assert selection.index == 0
    flip = smallest_flip(selection)
    bound = math.log(1.6) / math.log(2)
    assert flip is not None
    assert flip == Flip("similarity", 1.0, 0.67, flip.bound, 1)
    assert flip.bound == pytest.approx(bound)


def test_a_weight_of_zero_can_be_the_flip() -> None:
    scores = table([[0.5, 0.9], [0.0, 1.0]], ["similarity", "length"], own=[0.1, 0.1])
    flip = smallest_flip(select(scores, Weights({"similarity": 0.3, "length": 1})))
    assert flip is not None
    assert (flip.component, flip.after, flip.index) == ("similarity", 0.0, 1)


def test_no_single_change_helps_who_is_worse_throughout() -> None:
    scores = table([[0.9, 0.9], [0.5, 0.5]], ["similarity", "length"], texts=["a", "b"])
    explanation = explain(select(scores, Weights({"similarity": 1, "length": 1}), threshold=0.1))
    assert explanation.flip is None
    assert "No change of a single weight" in explanation.lines()[-1]


def test_words() -> None:
    scores = table([[0.9, 0.5, 0.3], [0.45, 0.8, 0.4]], ["similarity", "length", "depth"], own=[0.1, 0.1, 0.1])
    explanation = explain(select(scores, Weights({"similarity": 1, "length": 1})))
    text = "\n".join(explanation.lines())
    assert "Score 0.6708." in text
    assert "similarity 0.90 (weight 1) costs 5.1% of the score." in text
    assert "depth 0.30 does not count (weight 0)." in text
    assert "Runner-up, score 0.6: t1" in text
    assert "gains by similarity (×1.414)" in text
    assert "loses by length (×0.791)" in text
    assert "With similarity=0.67 (now 1) it would be: t1" in text
    product = math.prod(c.factor for c in explanation.contributions)
    assert product == pytest.approx(explanation.selection.score)


def test_a_kept_source_is_explained_too() -> None:
    scores = table([[0.5, 0.5]], ["similarity", "length"])
    explanation = explain(select(scores, Weights({"similarity": 1, "length": 1})))
    assert explanation.lines()[0].startswith("The source is kept: no candidate scores above 0.8944 (the best 0.5,")
    assert explanation.runner_up is not None
    assert explanation.runner_up.text == "t0"
    alone = explain(select(table([], ["length"]), Weights({"length": 1})))
    assert "There is no runner-up." in alone.lines()


def test_small_scores_keep_their_digits() -> None:
    scores = table([[0.000125], [0.0001]], ["length"], own=[0.0001])
    lines = explain(select(scores, Weights({"length": 3}))).lines()
    assert lines[0] == "Score 0.000125."
    assert "Runner-up, score 0.0001: t1" in lines
