"""How far scores agree with ratings, at three levels, with the bootstrap over documents.

Scores and ratings come as arrays of documents × systems, NaN where a document has no text of a system, or nobody rated
it. Nothing undefined is left out without being counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rerank.errors import counted
from rerank.types import FloatArray
from rewrite.evaluate.resampling import Bootstrap, area_under_curve, resampled_counts, resampled_totals
from rewrite.judging.metric_words import library

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
    has the higher score, ties being half, in [0, 1], for ratings of two values. Raises `MissingExtra` without scipy.
    """
    stats = library("scipy", "Correlations need scipy.").stats
    measures: dict[str, Coefficient] = {
        # Not stats.spearmanr: the p-value that it makes each time is most of its time, and a bootstrap asks thousands.
        "spearman": lambda scores, ratings: _pearson(stats.rankdata(scores), stats.rankdata(ratings)),
        "pearson": _pearson,
        "kendall": lambda scores, ratings: float(stats.kendalltau(scores, ratings)[0]),
        "auc": _auc,
    }
    return measures[name]


def _pearson(scores: FloatArray, ratings: FloatArray) -> float:
    return float(np.corrcoef(scores, ratings)[0, 1])


def _auc(scores: FloatArray, ratings: FloatArray) -> float:
    high = ratings == ratings.max()
    return area_under_curve(scores[high], scores[~high])


_TWO = "two systems, where it is 1 or −1"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A coefficient, NaN where it is undefined, and the same of each bootstrap sample, shape `[samples]`.

    `used` of `total` documents or texts (`unit`) count; `why` says what keeps the others, or all, from it. `documents`
    are those that the texts that count are of: drawn from one alone, samples would all be the same, and are NaN.
    """

    value: float
    samples: FloatArray
    used: int
    total: int
    unit: str
    documents: int
    why: str = ""

    @property
    def remark(self) -> str:
        """Which part of the whole counts, and why not all; nothing where all do and there is an interval."""
        if np.isnan(self.value):
            return f"undefined: {self.why}"
        parts = [f"{self.used:,} of {counted(self.total, self.unit.removesuffix('s'))}: {self.why}"] if self.why else []
        return "; ".join([*parts, *(["of one document, so no interval"] if self.documents < 2 else [])])


def agreement(
    level: str, scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap
) -> Agreement:
    """How far `scores` agree with `ratings`, both `[documents, systems]`, at `level`, one of `LEVELS`."""
    estimate = LEVELS[level](scores, ratings, measure, bootstrap)
    rated = int(np.isfinite(ratings).sum())
    if rated < 2:
        estimate = replace(estimate, value=np.nan, why="one text alone is rated" if rated else "no text is rated")
    return estimate if estimate.documents > 1 else replace(estimate, samples=np.full(bootstrap.samples, np.nan))


def _summary(scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap) -> Agreement:
    """The mean over documents of the coefficient across the systems of each (Peyrard et al., 2017)."""
    pairs = [(scores[place, known], ratings[place, known]) for place, known in enumerate(_known(scores, ratings))]
    reasons = [undefined(*pair) for pair in pairs]
    # For each document its coefficient, and whether it has one.
    rows = zip(pairs, reasons, strict=True)
    statistics = np.array([(0.0, 0.0) if reason else (measure(*pair), 1.0) for pair, reason in rows])
    drawn = resampled_totals(statistics, samples=bootstrap.samples, seed=bootstrap.seed)
    value, *samples = (float(total / count) if count else np.nan for total, count in [statistics.sum(axis=0), *drawn])
    remarks = [f"{count} with {reason}" for reason, count in Counter(filter(None, reasons)).items()]
    if two := sum(not reason and len(pair[0]) == 2 for pair, reason in zip(pairs, reasons, strict=True)):
        remarks.append(f"{two} of these over {_TWO}")
    used = reasons.count("")
    return Agreement(value, np.array(samples), used, len(scores), "documents", used, ", ".join(remarks))


def _system(scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap) -> Agreement:
    """The coefficient across systems of their means over the documents that all systems have a text of."""
    documents, systems = scores.shape
    whole = np.asarray(_known(scores, ratings).all(axis=1))
    used = int(whole.sum())
    both = np.where(whole[:, None, None], np.stack([scores, ratings], axis=1), 0.0)
    # The numbers of documents are those of the sample, so a sum orders systems as a mean does, and is as linear.
    means = both.sum(axis=0) / max(1, used)
    drawn = resampled_totals(both, samples=bootstrap.samples, seed=bootstrap.seed)
    samples = np.array([_measured(measure, *pair) for pair in drawn])
    lacking = f"{counted(documents - used, 'lacks', 'lack')} a text or a rating of one of the {systems} systems"
    why = ", ".join([lacking] * (used < documents) + [f"over {_TWO}"] * (systems == 2 and used > 0))
    if systems < 2:
        why = "there is one system"
    elif used:
        why = undefined(*means) or why
    return Agreement(_measured(measure, *means), samples, used, documents, "documents", used, why)


def _pooled(scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap) -> Agreement:
    """The coefficient over all texts of all documents together; documents are drawn, with all their texts."""
    total, known = int(np.isfinite(scores).sum()), _known(scores, ratings)
    places = np.nonzero(known)[0]
    pair = scores[known], ratings[known]
    draws = resampled_counts(len(scores), samples=bootstrap.samples, seed=bootstrap.seed)[:, places]
    samples = np.array([_measured(measure, *(np.repeat(values, counts) for values in pair)) for counts in draws])
    lost = total - len(places)
    why = undefined(*pair) or (f"{counted(lost, 'is', 'are')} not rated" if lost else "")
    return Agreement(_measured(measure, *pair), samples, len(places), total, "texts", len(np.unique(places)), why)


def _measured(measure: Coefficient, scores: FloatArray, ratings: FloatArray) -> float:
    return np.nan if undefined(scores, ratings) else measure(scores, ratings)


def _known(scores: FloatArray, ratings: FloatArray) -> NDArray[np.bool_]:
    known: NDArray[np.bool_] = np.isfinite(scores) & np.isfinite(ratings)
    return known


_Level = Callable[[FloatArray, FloatArray, Coefficient, Bootstrap], Agreement]
LEVELS: Mapping[str, _Level] = {"summary": _summary, "system": _system, "pooled": _pooled}
