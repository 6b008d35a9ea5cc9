"""Wholeness: the least whole sentence of a candidate tells, and what stood in the source counts as whole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from rerank.analysis import Analyzer
from rerank.scorer import Context
from rerank.types import Candidate
from rerank.wholeness import Wholeness

CONTEXT = Context(Analyzer())
SOURCE = "Tom came and saw it."


class Told:
    """A judge that is told what to say; `asked` are the texts of each call."""

    def __init__(self, chances: dict[str, float]) -> None:
        self.chances = chances
        self.asked: list[list[str]] = []

    def probabilities(self, sentences: Sequence[str]) -> npt.NDArray[np.float64]:
        self.asked.append(list(sentences))
        return np.array([self.chances[text] for text in sentences], dtype=np.float64)

    def signature(self) -> str:
        return "told"


def test_the_least_whole_sentence_of_each_candidate_tells() -> None:
    judge = Told({"Tom came.": 0.9, "He saw it.": 0.8, "And saw it.": 0.0})
    pool = [Candidate(text) for text in ("Tom came.\nHe saw it.", "Tom came.\nAnd saw it.", SOURCE, "He saw it.\n\n")]
    values = Wholeness(lambda: judge).score(SOURCE, pool, CONTEXT)
    assert values == pytest.approx([0.8, 1e-6, 1.0, 0.8])
    # Each text is judged once.
    assert judge.asked == [["Tom came.", "He saw it.", "And saw it."]]


def test_nothing_is_loaded_before_it_is_asked() -> None:
    def fails() -> Told:
        raise AssertionError

    assert Wholeness(fails).name == "wholeness"


def test_the_signature_names_the_judge() -> None:
    assert Wholeness(lambda: Told({})).signature() == "wholeness:1,told"
