"""Made-up distances, and the compressing search with them, for tests."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from rerank.types import FloatArray
from rewrite.compression.compression_options import Overlap
from rewrite.compression.deleter import ToRatio, Under
from rewrite.compression.protection import protection_of
from rewrite.compression.stages import Guarded
from rewrite.compression.word_analysis import WordAnalyzer, WordCount
from rewrite.generators.deletion import DeletionSearch, Path, Trial
from rewrite.generators.spans import adjacent_words

__all__ = ["Distance", "LazyObjective", "kept_words", "scattered", "search_to_ratio", "search_under"]

Distance = Callable[[Sequence[str], Sequence[str]], float]
"""From the words of a text and of what is left of it."""


def scattered(before: Sequence[str], after: Sequence[str]) -> float:
    """In [0, 2), the same for the same words, and with no pattern to it."""
    return zlib.crc32(f"{' '.join(before)}|{' '.join(after)}".encode()) / 2**31


class LazyObjective:
    """Minus a distance, told exactly only down to a trial's floor; below it, half of what is over is kept back."""

    def __init__(self, distance: Distance, *, lazy: bool = True) -> None:
        self._distance = distance
        self._lazy = lazy
        self.asked = 0

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        return [self._values(trial) for trial in trials]

    def _values(self, trial: Trial) -> FloatArray:
        assert trial.analysis is not None
        tokens = trial.analysis.tokens
        before, *texts = ([t.text for t in tokens if t.start not in removed] for removed in trial.removed)
        self.asked += len(texts)
        values = -np.array([0.0, *(self._distance(before, after) for after in texts)])
        if self._lazy and np.isfinite(trial.floor):
            below = values < trial.floor
            values[below] = trial.floor - (trial.floor - values[below]) / 2
        return values


def kept_words(path: Path, language: str = "en") -> int:
    return WordCount(WordAnalyzer(language).analyze_one(path.source), language).left(path.removed)


def _counts(language: str) -> Callable[[Path], WordCount]:
    return lambda path: WordCount(WordAnalyzer(language).analyze_one(path.source), language)


def _search(
    choice: Under | ToRatio, objective: LazyObjective, language: str, longest: int, rounds: int
) -> DeletionSearch:
    finder = Guarded(partial(adjacent_words, longest=longest), partial(protection_of, language=language), longest)
    return DeletionSearch(
        analyzer=WordAnalyzer(language), spans=finder, objective=objective, choose=choice, max_iterations=rounds
    )


def search_under(
    threshold: float, objective: LazyObjective, *, overlap: Overlap = "lower", longest: int = 3, rounds: int = 5
) -> DeletionSearch:
    return _search(Under(threshold, overlap, _counts("en")), objective, "en", longest, rounds)


def search_to_ratio(
    ratio: float,
    objective: LazyObjective,
    *,
    overlap: Overlap = "share",
    rounds: int = 5,
    beyond: float = 0.0,
    last: bool = True,
    limit: float = 0.2,
    farthest: float = math.inf,
    least: bool = False,
    language: str = "en",
) -> DeletionSearch:
    choice = ToRatio(ratio, rounds, overlap, _counts(language), beyond, last, limit, farthest, least)
    return _search(choice, objective, language, 5, 200)
