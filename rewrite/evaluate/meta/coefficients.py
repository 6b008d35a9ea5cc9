"""How far two rows of numbers agree, and why they may not be compared at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.errors import MissingExtra, UnknownName
from rewrite.evaluate.curve import area_under_curve

__all__ = ["COEFFICIENTS", "Coefficient", "coefficient", "undefined"]

COEFFICIENTS = ("spearman", "pearson", "kendall", "auc")

Coefficient = Callable[[FloatArray, FloatArray], float]
"""Scores and ratings, two of each at least and neither constant, to a number."""

# Means of equal numbers differ in their last digits.
_EQUAL = 1e-9


def undefined(scores: FloatArray, ratings: FloatArray) -> str:
    """Why these have no coefficient, nothing where they have.

    `fewer than two rated texts`, `constant scores` or `constant ratings`.
    """
    if len(scores) < 2:
        return "fewer than two rated texts"
    return "constant scores" if _constant(scores) else "constant ratings" if _constant(ratings) else ""


def _constant(values: FloatArray) -> bool:
    return bool(np.ptp(values) <= _EQUAL * max(1.0, float(np.abs(values).max())))


def coefficient(name: str) -> Coefficient:
    """The coefficient `name`, one of `COEFFICIENTS`, with ties as scipy has them.

    `spearman` of mean ranks, `pearson`, `kendall` (tau-b), all in [-1, 1]; `auc`: the chance that a text rated higher
    has the higher score, ties being half, in [0, 1], for ratings of two values. Raises `UnknownName`, and
    `MissingExtra` without scipy.
    """
    if name not in COEFFICIENTS:
        raise UnknownName(f"No coefficient {name!r}.", hint=f"Known: {', '.join(COEFFICIENTS)}.")
    try:
        from scipy import stats
    except ImportError:
        raise MissingExtra("Correlations need scipy.", hint="Run: pip install 'rewrite-rerank[eval]'") from None
    known: dict[str, Callable[[Any], Coefficient]] = {
        "spearman": _spearman,
        "pearson": lambda stats: _pearson,
        "kendall": _kendall,
        "auc": lambda stats: _auc,
    }
    return known[name](stats)


def _pearson(scores: FloatArray, ratings: FloatArray) -> float:
    return float(np.corrcoef(scores, ratings)[0, 1])


def _spearman(stats: Any) -> Coefficient:
    # Not stats.spearmanr: the p-value that it makes each time is most of its time, and a bootstrap asks thousands.
    return lambda scores, ratings: _pearson(stats.rankdata(scores), stats.rankdata(ratings))


def _kendall(stats: Any) -> Coefficient:
    return lambda scores, ratings: float(stats.kendalltau(scores, ratings)[0])


def _auc(scores: FloatArray, ratings: FloatArray) -> float:
    high = ratings == ratings.max()
    return area_under_curve(scores[high], scores[~high])
