"""The probability of a text per token."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from rerank.analysis import Analyzer
from rerank.likelihood import Fluency
from rerank.rank import score_table
from rerank.scorer import Context
from rerank.types import Candidate


class _Letters:
    """Each letter is a token of probability one half."""

    def signature(self) -> str:
        return "letters"

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        return [(len(text) * math.log(0.5), len(text)) for text in texts]


def column(scorer: Fluency, candidates: Sequence[Candidate]) -> tuple[list[float], float]:
    table = score_table("источник", candidates, [scorer], Context(Analyzer()))
    return table.column("fluency").tolist(), float(table.source_values[0])


def test_a_model_gives_the_geometric_mean_of_its_token_probabilities() -> None:
    values, own = column(Fluency(model=_Letters()), [Candidate("а"), Candidate("длинный текст", logprob=-99.0)])
    assert values == pytest.approx([0.5, 0.5])
    assert own == pytest.approx(0.5)


def test_without_a_model_the_generator_s_own_account_counts() -> None:
    values, own = column(
        Fluency(),
        [
            Candidate("а", logprob=-2.0, tokens=4, source_logprob=-1.0),
            Candidate("б", logprob=-8.0, tokens=4, source_logprob=-1.0),
        ],
    )
    assert values == pytest.approx([math.exp(-0.5), math.exp(-2.0)])
    assert own == pytest.approx(math.exp(-0.25))


def test_the_source_is_counted_in_its_own_tokens() -> None:
    values, own = column(Fluency(), [Candidate("а", logprob=-5.0, tokens=5, source_logprob=-20.0, source_tokens=20)])
    assert [*values, own] == pytest.approx([math.exp(-1.0)] * 2)


def test_who_gives_no_account_neither_gains_nor_loses() -> None:
    pool = [Candidate("а", logprob=-2.0, tokens=2), Candidate("б", logprob=-4.0, tokens=2), Candidate("в")]
    values, own = column(Fluency(), pool)
    assert values[2] == own == pytest.approx(math.exp(-1.5))
    assert column(Fluency(), [Candidate("а")]) == ([1.0], 1.0)


def test_values_stay_in_range_and_the_signature_names_the_model() -> None:
    assert column(Fluency(), [Candidate("а", logprob=-1e6, tokens=1)])[0] == [1e-9]
    assert Fluency().signature() != Fluency(model=_Letters()).signature() == "fluency:letters"
