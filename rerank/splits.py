"""How many sentences a text has and how long the longest is: what a splitter is asked for.

A candidate of a splitter has its sentences a line each; a source is one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from rerank.errors import BadInput
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Brevity", "Splits", "sentence_words"]

_WORD = re.compile(r"\w+(?:['’.,-]\w+)*")
_FLOOR = 1e-9


def sentence_words(text: str) -> list[int]:
    """Words of each sentence of a text that has a sentence on each line; marks are no words."""
    return [len(_WORD.findall(line)) for line in text.split("\n") if line.strip()]


class Splits:
    """exp(−|k − target|), where k is the number of sentences. Range [1e-9, 1]; 1 for as many as were asked for.

    With `at_least`, more of them are as good.
    """

    name = "splits"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, target: int = 2, *, at_least: bool = False) -> None:
        if target < 1:
            raise BadInput(f"The target of the component splits is {target}.", hint="Give 1 or more.")
        self.target = target
        self.at_least = at_least

    def signature(self) -> str:
        return f"splits:{self.target}{'+' if self.at_least else ''}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        counts = np.array([len(sentence_words(candidate.text)) for candidate in candidates], dtype=np.float64)
        away = self.target - counts
        values: FloatArray = np.exp(-(np.maximum(away, 0.0) if self.at_least else np.abs(away))).clip(_FLOOR, 1.0)
        return values


class Brevity:
    """min(1, limit / longest), where `longest` is the number of words of the longest sentence. Range [1e-9, 1].

    1 where no sentence has more words than `limit`.
    """

    name = "length"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, limit: int = 12) -> None:
        if limit < 1:
            raise BadInput(f"The limit of the component length is {limit}.", hint="Give 1 or more.")
        self.limit = limit

    def signature(self) -> str:
        return f"length:{self.limit}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        longest = np.array([max(sentence_words(c.text), default=1) or 1 for c in candidates], dtype=np.float64)
        return np.minimum(1.0, self.limit / longest)
