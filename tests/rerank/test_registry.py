"""Scorers by name, built in and from entry points."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from rerank import registry
from rerank.errors import UnknownName
from rerank.likelihood import Likelihood
from rerank.registry import create_scorer, known_scorers
from rerank.scorer import Scorer

RUSIM = {"lexical", "depth", "length", "readability", "similarity", "entities"}
BUILT_IN = {*RUSIM, "structure", "brevity", "likelihood", "caution"}


def test_built_in_scorers_are_known_and_can_be_made() -> None:
    assert set(known_scorers()) >= BUILT_IN
    for name in BUILT_IN:
        scorer = create_scorer(name)
        assert isinstance(scorer, Scorer)
        assert scorer.name == name


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(
        UnknownName,
        match=r"'fluent'.*Known: bertscore, brevity, caution, content, cosine, depth, entities, fluency",
    ):
        create_scorer("fluent")


def test_options_reach_the_factory() -> None:
    assert "paper" in create_scorer("depth", variant="paper").signature()


def test_entry_points_add_scorers(monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints([EntryPoint("extra", "rerank.likelihood:Likelihood", "rerank.scorers")])
    monkeypatch.setattr(registry, "entry_points", lambda *, group: points.select(group=group))
    assert "extra" in known_scorers()
    assert isinstance(create_scorer("extra"), Likelihood)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys, rerank.registry, rerank.rank, rerank.explain;"
        "print([m for m in ('slovnet', 'navec', 'rerank.rusim', 'yaml', 'torch', 'pymorphy3', 'rerank.ndd')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
