"""Selection: what the order of candidates, ties, blocks and weights do to the choice."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.errors import BadInput, BadWeights
from rerank.select import Selection, diverse_n_best, n_best, rank, select
from rerank.types import ScoreTable
from rerank.weights import Weights
from tests.fakes import column, table

NAMES = ("similarity", "length", "lexical")
FACTOR = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])
ROWS = st.lists(st.tuples(FACTOR, FACTOR, FACTOR), min_size=1, max_size=8)
WEIGHTS = st.tuples(*[st.sampled_from([0.0, 0.2, 1.0, 1.5, 3.0])] * 3)


def weighted(values: tuple[float, ...]) -> Weights:
    return Weights(dict(zip(NAMES, values, strict=True)))


@given(ROWS, WEIGHTS, st.sampled_from(NAMES), st.floats(0.01, 10))
def test_raising_a_weight_never_lowers_that_component_in_the_winner(
    rows: list[tuple[float, ...]], weights: tuple[float, ...], name: str, more: float
) -> None:
    # At a weight of 0 the component is out of the product, zeros included; what is raised must be in it.
    before = weighted(weights)
    before = before.with_(name, max(before[name], 0.2))
    scores = table(rows, NAMES)
    first = select(scores, before, threshold=0)
    second = first.reweight(before.with_(name, before[name] + more))
    if first.index is not None and second.index is not None:
        values = column(scores, name)
        # Two candidates may be equal but for rounding: then either may win.
        tied = math.isclose(first.ranked.totals[first.index], first.ranked.totals[second.index], rel_tol=1e-12)
        assert values[second.index] >= values[first.index] or tied


@given(ROWS, WEIGHTS, WEIGHTS)
def test_reweighting_equals_a_fresh_run(
    rows: list[tuple[float, ...]], first: tuple[float, ...], second: tuple[float, ...]
) -> None:
    again = select(table(rows, NAMES), weighted(first)).reweight(weighted(second))
    fresh = select(table(rows, NAMES), weighted(second))
    assert (again.index, again.reason) == (fresh.index, fresh.reason)
    assert again.ranked.order == fresh.ranked.order
    assert (again.ranked.totals == fresh.ranked.totals).all()


@given(ROWS, WEIGHTS, st.randoms(use_true_random=False), st.data())
@settings(deadline=None)
def test_the_order_of_candidates_is_irrelevant(
    rows: list[tuple[float, ...]], weights: tuple[float, ...], rng: random.Random, data: st.DataObject
) -> None:
    blocked = data.draw(st.lists(st.sampled_from(["", "", "changed a fact"]), min_size=len(rows), max_size=len(rows)))
    scores = table(rows, NAMES, blocked=blocked)
    order = list(range(len(rows)))
    rng.shuffle(order)
    shuffled = scores.select(order)
    a, b = select(scores, weighted(weights)), select(shuffled, weighted(weights))
    assert chosen(a) == chosen(b)
    assert a.reason == b.reason
    assert texts(scores, a.ranked.order) == texts(shuffled, b.ranked.order)
    for n in (1, 3):
        assert texts(scores, diverse_n_best(a.ranked, n)) == texts(shuffled, diverse_n_best(b.ranked, n))


def chosen(selection: Selection) -> str:
    table = selection.ranked.table
    return table.source if selection.index is None else table.candidates[selection.index].text


def texts(scores: ScoreTable, rows: tuple[int, ...]) -> list[str]:
    return [scores.candidates[row].text for row in rows]


def test_ties_go_by_text_whatever_the_order() -> None:
    for order in itertools.permutations(["б", "а", "в"]):
        scores = table([[0.5]] * 3, ["length"], texts=order)
        ranked = rank(scores, Weights({"length": 1}))
        assert texts(scores, ranked.order) == ["а", "б", "в"]
        assert texts(scores, n_best(ranked, 2)) == ["а", "б"]


def test_blocked_candidates_are_never_chosen() -> None:
    scores = table([[0.9], [0.85]], ["length"], blocked=["alters 1861", ""])
    assert select(scores, Weights({"length": 1})).index == 1
    everything = table([[0.9], [0.95]], ["length"], blocked=["alters 1861", "alters 1861"])
    selection = select(everything, Weights({"length": 1}))
    assert selection.fell_back
    assert "blocked" in selection.reason
    assert "1861" in selection.reason
    assert diverse_n_best(selection.ranked, 3) == ()


def test_a_candidate_must_beat_the_threshold_times_the_source() -> None:
    weights = Weights({"length": 1})
    scores = table([[0.5]], ["length"], own=[0.5])
    assert select(scores, weights, threshold=0.99).index == 0
    assert select(scores, weights, threshold=1.0).fell_back
    kept = select(scores, weights, threshold=2.0)
    assert kept.fell_back
    assert kept.score == pytest.approx(0.5)
    assert "scores above 1 (the best 0.5, the source itself 0.5)" in kept.reason


def test_scores_do_not_shrink_with_the_weights() -> None:
    scores = table([[0.9, 0.5], [0.6, 0.7]], ["similarity", "length"], own=[0.5, 0.5])
    light, heavy = (select(scores, Weights({"similarity": w, "length": 2 * w})) for w in (1, 15))
    assert light.index == heavy.index == 1
    for ranked in (light.ranked, heavy.ranked):
        assert [ranked.score(i) for i in (0, 1, None)] == pytest.approx(
            [(0.9 * 0.5**2) ** (1 / 3), (0.6 * 0.7**2) ** (1 / 3), 0.5]
        )
    assert light.ranked.totals[0] == pytest.approx(math.log(0.9 * 0.5**2))
    assert select(scores, Weights({"similarity": 0})).score == 1


def test_the_threshold_is_one_of_the_product_not_of_the_score() -> None:
    # 0.85² < 0.8 × 0.95², though 0.85 > 0.8 × 0.95.
    kept = select(table([[0.85]], ["length"], own=[0.95]), Weights({"length": 3}))
    assert kept.fell_back
    assert f"scores above {0.8 ** (1 / 3) * 0.95:.4g} " in kept.reason


def test_a_score_of_zero_is_never_chosen() -> None:
    assert select(table([[0.0]], ["length"], own=[0.0]), Weights({"length": 1}), threshold=0).fell_back
    assert select(table([[0.1]], ["length"], own=[0.0]), Weights({"length": 1})).index == 0


def test_no_candidates_means_the_source() -> None:
    selection = select(table([], NAMES), Weights({"length": 1}))
    assert selection.fell_back
    assert selection.reason == "there is no candidate"


@pytest.mark.parametrize("threshold", [-0.1, math.nan, math.inf])
def test_a_bad_threshold_is_refused(threshold: float) -> None:
    with pytest.raises(BadWeights, match="threshold"):
        select(table([[1.0]], ["length"]), Weights({"length": 1}), threshold=threshold)


def test_a_diverse_n_best_prefers_other_words() -> None:
    scores = table([[0.9], [0.89], [0.7]], ["length"], texts=["кот сидит дома", "кот сидит дома.", "пёс лает"])
    ranked = rank(scores, Weights({"length": 1}))
    assert n_best(ranked, 2) == (0, 1)
    assert diverse_n_best(ranked, 2, diversity=0) == (0, 1)
    assert diverse_n_best(ranked, 2) == (0, 2)
    assert sorted(diverse_n_best(ranked, 9)) == [0, 1, 2]


def test_bad_counts_and_diversity_are_refused() -> None:
    ranked = rank(table([[0.9]], ["length"]), Weights({"length": 1}))
    with pytest.raises(BadInput, match="-1"):
        n_best(ranked, -1)
    with pytest.raises(BadInput, match="diversity"):
        diverse_n_best(ranked, 1, diversity=1.5)
