"""What probabilities say of candidates: likelihood, fluency, consensus, caution."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rerank.analysis import Analyzer
from rerank.likelihood import Caution, Consensus, Fluency, Likelihood
from rerank.scorer import Context
from rerank.select import select
from rerank.types import Candidate, FloatArray
from rerank.weights import Weights
from tests.fakes import column, score_table

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


class _Letters:
    """Each letter is a token of probability one half."""

    def signature(self) -> str:
        return "letters"

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        return [(len(text) * math.log(0.5), len(text)) for text in texts]


def fluency(scorer: Fluency, candidates: Sequence[Candidate]) -> tuple[list[float], float]:
    table = score_table("источник", candidates, [scorer], Context(Analyzer()))
    return column(table, "fluency").tolist(), float(table.source_values[0])


def test_a_model_gives_the_geometric_mean_of_its_token_probabilities() -> None:
    values, own = fluency(Fluency(model=_Letters()), [Candidate("а"), Candidate("длинный текст", logprob=-99.0)])
    assert values == pytest.approx([0.5, 0.5])
    assert own == pytest.approx(0.5)


def test_without_a_model_the_generator_s_own_account_counts() -> None:
    values, own = fluency(
        Fluency(),
        [
            Candidate("а", logprob=-2.0, tokens=4, source_logprob=-1.0),
            Candidate("б", logprob=-8.0, tokens=4, source_logprob=-1.0),
        ],
    )
    assert values == pytest.approx([math.exp(-0.5), math.exp(-2.0)])
    assert own == pytest.approx(math.exp(-0.25))


def test_fluency_counts_the_source_in_its_own_tokens() -> None:
    values, own = fluency(Fluency(), [Candidate("а", logprob=-5.0, tokens=5, source_logprob=-20.0, source_tokens=20)])
    assert [*values, own] == pytest.approx([math.exp(-1.0)] * 2)


def test_who_gives_no_account_neither_gains_nor_loses() -> None:
    pool = [Candidate("а", logprob=-2.0, tokens=2), Candidate("б", logprob=-4.0, tokens=2), Candidate("в")]
    values, own = fluency(Fluency(), pool)
    assert values[2] == own == pytest.approx(math.exp(-1.5))
    assert fluency(Fluency(), [Candidate("а")]) == ([1.0], 1.0)


def test_values_stay_in_range_and_the_signature_names_the_model() -> None:
    assert fluency(Fluency(), [Candidate("а", logprob=-1e6, tokens=1)])[0] == [1e-9]
    assert Fluency().signature() != Fluency(model=_Letters()).signature() == "fluency:letters"


SOURCE = "Tom came and he saw it and left."
EARLY = [f"Tom came.\n{said} saw it and left." for said in ("He", "Tom", "And he", "This")]
LATE = "Tom came and he saw it.\nHe left."


def pool(late: float, *early: float) -> list[Candidate]:
    told = [Candidate(text, logprob=np.log(p), tokens=1) for text, p in zip(EARLY, early, strict=False)]
    return [Candidate(LATE, logprob=np.log(late), tokens=1), *told]


def consensus(candidates: list[Candidate]) -> FloatArray:
    return Consensus().score(SOURCE, candidates, CONTEXT)


def test_four_ways_to_cut_in_one_place_win_over_a_likelier_cut_in_another() -> None:
    values = consensus(pool(0.3, 0.2, 0.18, 0.16, 0.16))
    assert values.argmax() != 0
    assert values.max() == 1.0
    assert values[0] < min(values[1:])


def test_one_that_has_nearly_all_of_the_probability_wins() -> None:
    assert consensus(pool(0.97, 0.01, 0.01, 0.005, 0.005)).argmax() == 0


def test_the_values_are_the_expected_gains() -> None:
    # Two candidates: s = ½ F1 of what is added + ½ F1 of what is taken, counted by hand.
    source = "a b"
    one, other = Candidate("a c", logprob=np.log(0.75), tokens=1), Candidate("a d", logprob=np.log(0.25), tokens=1)
    # Added: {c, a c} and {d, a d}, nothing in common; taken: {b, a b} of both. So s = ½.
    gains = [0.75 + 0.25 * 0.5, 0.25 + 0.75 * 0.5]
    assert Consensus().score(source, [one, other], CONTEXT) == pytest.approx([1.0, gains[1] / gains[0]])


def test_the_order_of_the_pool_does_not_matter() -> None:
    given = pool(0.3, 0.2, 0.2, 0.2, 0.1)
    assert consensus(given[::-1])[::-1] == pytest.approx(consensus(given))


def test_the_source_and_what_has_no_probability_have_one() -> None:
    told = [*pool(0.5, 0.5), Candidate("Tom came."), Candidate(SOURCE, logprob=-9.0, tokens=1)]
    assert consensus(told)[2:] == pytest.approx([1.0, 1.0])
    table = score_table(SOURCE, told[:3], [Consensus()], CONTEXT)
    assert table.source_values[0] == 1.0
    assert consensus([Candidate("Tom came.")]) == pytest.approx([1.0])
    assert len(consensus([])) == 0


def test_values_stay_in_range_for_candidates_with_nothing_in_common() -> None:
    told = [Candidate("x y", logprob=0.0, tokens=1), Candidate("p q", logprob=-60.0, tokens=1)]
    values = Consensus().score("a b", told, CONTEXT)
    assert values[0] == 1.0
    assert 1e-9 <= values[1] < 1.0


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
