"""Counting what English words come with: by hand on a few sentences, and the sets where they are at hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from rerank.analysis import Analysis, Analyzer
from rerank.errors import BadInput
from tests.english import parsed
from tests.paths import need_data
from training import valency_en
from training.valency import table
from training.valency_en import count, sample_sentences

GAVE = """
She PRON 2 nsubj
gave VERB 0 root
it PRON 2 obj
to ADP 5 case
him PRON 2 obl
_, PUNCT 2 punct
including VERB 8 case
keys NOUN 2 obl
_. PUNCT 2 punct
"""
WENT = "She PRON 2 nsubj\nwent VERB 0 root\n_. PUNCT 2 punct\n"


class Given(Analyzer):
    """Has one parse for each text."""

    def __init__(self, parses: dict[str, Analysis]) -> None:
        super().__init__()
        self._parses = parses

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        return [self._parses[text] for text in texts]


def test_shares_by_hand() -> None:
    parses = {"gave": parsed(GAVE), "went": parsed(WENT)}
    counts = count(["gave"] * 12 + ["went"] * 12, Given(parses))
    assert counts.seen["V gave"] == 12
    assert counts.bare["V gave"] == 0
    assert counts.frames["V gave"] == {"obj||": 12, "obl|to|": 12, "obl|including|": 12}
    assert "V including" not in counts.seen
    found = table(counts)
    assert found["V gave"] == [round(0.5 / 14, 2), {frame: round(12 / 14, 2) for frame in counts.frames["V gave"]}]
    assert "V went" not in found  # what stands without anything asks for nothing


def test_a_head_without_complements_that_stands_bare_is_left_out_when_rare() -> None:
    assert table(count(["went"] * 11, Given({"went": parsed(WENT)}))) == {}


def test_sentences_are_drawn_by_the_seed_and_no_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    data = need_data("parallel_enru").parent
    monkeypatch.setattr(valency_en, "SETS", {"flores": 500, "ntrex": 500})
    first, again, other = (sample_sentences(data, 100, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == len(set(first)) == 100


def test_missing_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="newstest"):
        sample_sentences(tmp_path, 10)
