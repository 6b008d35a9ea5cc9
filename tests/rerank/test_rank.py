"""Tables for many sources, and what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.analysis import Analyzer
from rerank.errors import BadInput, counted
from rerank.likelihood import Likelihood
from rerank.rank import score_tables, signature, spans
from rerank.registry import create_scorer
from rerank.scorer import Context, Scorer
from rerank.types import Candidate
from tests.fakes import FakeScorer, column, score_table

RUSIM = ("lexical", "depth", "length", "readability", "similarity", "entities")
COMPONENTS = (*RUSIM, "structure", "brevity", "likelihood", "caution")
SOURCE = "Положение стало угрожающим для царевича, когда Филипп женился на знатной македонянке Клеопатре."
TEXTS = (
    "Филипп женился на Клеопатре.",
    "Положение стало угрожающим.",
    "Положение стало угрожающим для царевича. Филипп женился на Клеопатре.",
    "",
    "Филипп женился.",
)


@pytest.fixture(scope="session")
def context(analyzer: Analyzer) -> Context:
    return Context(analyzer)


def all_scorers() -> list[Scorer]:
    return [create_scorer(name) for name in COMPONENTS]


def pool(texts: Sequence[str] = TEXTS) -> list[Candidate]:
    return [Candidate(text) for text in texts]


def test_a_table_holds_what_each_scorer_says(context: Context) -> None:
    scorers = all_scorers()
    table = score_table(SOURCE, pool(), scorers, context)
    assert table.components == COMPONENTS
    for scorer in scorers:
        assert (column(table, scorer.name) == scorer.score(SOURCE, pool(), context)).all()
    alone = [scorer.score(SOURCE, [Candidate(SOURCE)], context)[0] for scorer in scorers]
    assert table.source_values.tolist() == alone
    assert alone[len(RUSIM) :] == [1.0, 1.0, 1.0, 1.0]


def test_the_source_among_its_candidates_has_the_values_of_its_row(context: Context) -> None:
    candidates = [Candidate(SOURCE, logprob=-9.0, tokens=3), Candidate(TEXTS[0], logprob=-1.0, tokens=1)]
    table = score_table(SOURCE, candidates, [Likelihood(), create_scorer("length")], context)
    assert table.source_values.tolist() == table.values[0].tolist()
    assert table.source_values[0] == pytest.approx(np.exp(-2.0))
    assert score_table(SOURCE, candidates[1:], [Likelihood()], context).source_values.tolist() == [1.0]


def test_no_candidates_and_no_sources(context: Context) -> None:
    assert score_table(SOURCE, [], all_scorers(), context).values.shape == (0, 10)
    assert score_tables([], all_scorers(), context) == []


def test_needs_are_checked_before_anything_is_scored() -> None:
    analyzer = Analyzer()
    idle = FakeScorer("a", {})
    for wrong in (
        [],
        [idle, FakeScorer("a", {})],
        [idle, FakeScorer("b", {}, needs=frozenset({"telepathy"}))],
        [idle, FakeScorer("b", {}, needs=frozenset({"references", "morph"}))],
    ):
        with pytest.raises(BadInput):
            score_tables([(SOURCE, pool())], wrong, Context(analyzer))
    assert idle.calls == []
    assert not {"_morph", "_syntax", "_ner", "navec"} & set(vars(analyzer))


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan")])
def test_a_scorer_out_of_its_range_is_named(value: float) -> None:
    with pytest.raises(ValueError, match="'broken'"):
        score_table(SOURCE, pool(), [FakeScorer("broken", {}, default=value)], Context(Analyzer()))


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(1, 20))
@settings(deadline=None, max_examples=10)
def test_spans_cover_everything_once_in_order(sizes: list[int], limit: int) -> None:
    runs = list(spans(sizes, limit))
    assert [i for a, b in runs for i in range(a, b)] == list(range(len(sizes)))
    assert all(sum(sizes[a:b]) <= limit or b - a == 1 for a, b in runs)


def test_one_line_with_names_variants_and_versions() -> None:
    line = signature([create_scorer("length", variant="paper"), Likelihood()], settings={"seed": 3})
    assert "\n" not in line
    assert line.startswith("rewrite-rerank:")
    parts = line.split("|")
    assert any("length" in part and "paper" in part for part in parts)
    assert "seed:3" in parts
    assert f"numpy:{version('numpy')}" in parts
    assert f"natasha:{version('natasha')}" in parts


def test_what_changes_values_changes_the_signature() -> None:
    lines = [
        signature([create_scorer("length", variant="paper")]),
        signature([create_scorer("length", variant="released")]),
        signature([create_scorer("length", variant="released"), Likelihood()]),
        signature([create_scorer("length", variant="released")], settings={"seed": 1}),
        signature([create_scorer("length", variant="released")], settings={"seed": 2}),
    ]
    assert len(set(lines)) == len(lines)


def test_line_breaks_in_a_part_do_not_break_the_line() -> None:
    assert "\n" not in signature([FakeScorer("a\nb", {})], settings={"file": "x\ny"})


@pytest.mark.parametrize(("count", "told"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1804, "1,804 rows")])
def test_one_is_no_plural(count: int, told: str) -> None:
    assert counted(count, "row") == told


def test_a_plural_of_its_own() -> None:
    assert [counted(n, "lacks", "lack") for n in (1, 2)] == ["1 lacks", "2 lack"]
