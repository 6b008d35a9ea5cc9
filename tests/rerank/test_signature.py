"""The signature names everything that values rest on."""

from __future__ import annotations

from importlib.metadata import version

from rerank.likelihood import Likelihood
from rerank.rank import signature
from rerank.registry import create_scorer
from tests.fakes import FakeScorer


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
