"""Consensus: what several likely candidates do together wins over one that is likelier alone."""

from __future__ import annotations

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.likelihood import Consensus
from rerank.rank import score_table
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

CONTEXT = Context(Analyzer())
SOURCE = "Tom came and he saw it and left."
EARLY = [f"Tom came.\n{said} saw it and left." for said in ("He", "Tom", "And he", "This")]
LATE = "Tom came and he saw it.\nHe left."


def pool(late: float, *early: float) -> list[Candidate]:
    told = [Candidate(text, logprob=np.log(p), tokens=1) for text, p in zip(EARLY, early, strict=False)]
    return [Candidate(LATE, logprob=np.log(late), tokens=1), *told]


def score(candidates: list[Candidate]) -> FloatArray:
    return Consensus().score(SOURCE, candidates, CONTEXT)


def test_four_ways_to_cut_in_one_place_win_over_a_likelier_cut_in_another() -> None:
    values = score(pool(0.3, 0.2, 0.18, 0.16, 0.16))
    assert values.argmax() != 0
    assert values.max() == 1.0
    assert values[0] < min(values[1:])


def test_one_that_has_nearly_all_of_the_probability_wins() -> None:
    assert score(pool(0.97, 0.01, 0.01, 0.005, 0.005)).argmax() == 0


def test_the_values_are_the_expected_gains() -> None:
    # Two candidates: s = ½ F1 of what is added + ½ F1 of what is taken, counted by hand.
    source = "a b"
    one, other = Candidate("a c", logprob=np.log(0.75), tokens=1), Candidate("a d", logprob=np.log(0.25), tokens=1)
    # Added: {c, a c} and {d, a d}, nothing in common; taken: {b, a b} of both. So s = ½.
    gains = [0.75 + 0.25 * 0.5, 0.25 + 0.75 * 0.5]
    assert Consensus().score(source, [one, other], CONTEXT) == pytest.approx([1.0, gains[1] / gains[0]])


def test_the_order_of_the_pool_does_not_matter() -> None:
    given = pool(0.3, 0.2, 0.2, 0.2, 0.1)
    assert score(given[::-1])[::-1] == pytest.approx(score(given))


def test_the_source_and_what_has_no_probability_have_one() -> None:
    told = [*pool(0.5, 0.5), Candidate("Tom came."), Candidate(SOURCE, logprob=-9.0, tokens=1)]
    assert score(told)[2:] == pytest.approx([1.0, 1.0])
    table = score_table(SOURCE, told[:3], [Consensus()], CONTEXT)
    assert table.source_values[0] == 1.0
    assert score([Candidate("Tom came.")]) == pytest.approx([1.0])
    assert len(score([])) == 0


def test_values_stay_in_range_for_candidates_with_nothing_in_common() -> None:
    told = [Candidate("x y", logprob=0.0, tokens=1), Candidate("p q", logprob=-60.0, tokens=1)]
    values = Consensus().score("a b", told, CONTEXT)
    assert values[0] == 1.0
    assert 1e-9 <= values[1] < 1.0
