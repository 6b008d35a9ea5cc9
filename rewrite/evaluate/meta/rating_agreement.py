"""How far scores agree with ratings, at three levels, with the bootstrap over documents.

Scores and ratings come as arrays of documents × systems, NaN where a document has no text of a system, or nobody rated
it. Nothing undefined is left out without being counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rerank.errors import counted
from rerank.types import FloatArray
from rewrite.evaluate.metric import known_interval
from rewrite.evaluate.resampling import Bootstrap, Interval, area_under_curve, resampled_counts, resampled_totals
from rewrite.judging.metric_words import library

COEFFICIENTS = ("spearman", "pearson", "kendall", "auc")

Coefficient = Callable[[FloatArray, FloatArray], float]
"""Scores and ratings, two of each at least and neither constant, to a number."""

# Means of equal numbers differ in their last digits.
_EQUAL = 1e-9
# Systems that a reason names.
_FEW = 3


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


_FEW = 3
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
    def interval(self) -> Interval | None:
        """The 95 % interval over the samples that are defined; `None` without any, as of one document."""
        interval = known_interval(self.value, self.samples)
        return None if np.isnan(interval.low) else interval

    @property
    def remark(self) -> str:
        """Which part of the whole counts, and why not all; nothing where all do in every sample."""
        if np.isnan(self.value):
            return f"undefined: {self.why}"
        parts = [f"{self.used:,} of {counted(self.total, self.unit.removesuffix('s'))}: {self.why}"] if self.why else []
        if self.documents < 2:
            parts.append("of one document, so no interval")
        elif lost := int(np.isnan(self.samples).sum()):
            parts.append(f"undefined in {lost:,} of {counted(len(self.samples), 'sample')}")
        return "; ".join(parts)


def agreement(
    level: str,
    scores: FloatArray,
    ratings: FloatArray,
    measure: Coefficient,
    bootstrap: Bootstrap,
    *,
    systems: Sequence[str] = (),
) -> Agreement:
    """How far `scores` agree with `ratings`, both `[documents, systems]`, at `level`, one of `LEVELS`.

    `systems` are the names of the columns: with them remarks name the systems that documents lack.
    """
    rated = int(np.isfinite(ratings).sum())
    if rated < 2:
        why = "one text alone is rated" if rated else "no text is rated"
        if level == "pooled":
            return _undefined(why, int(np.isfinite(scores).sum()), bootstrap, "texts")
        return _undefined(why, len(scores), bootstrap)
    estimate = LEVELS[level](scores, ratings, measure, bootstrap, systems)
    return estimate if estimate.documents > 1 else replace(estimate, samples=np.full(bootstrap.samples, np.nan))


def _undefined(why: str, total: int, bootstrap: Bootstrap, unit: str = "documents") -> Agreement:
    return Agreement(np.nan, np.full(bootstrap.samples, np.nan), 0, total, unit, 0, why)


def _summary(
    scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap, names: Sequence[str]
) -> Agreement:
    """The mean over documents of the coefficient across the systems of each (Peyrard et al., 2017)."""
    reasons: Counter[str] = Counter()
    systems = scores.shape[1]
    two = 0
    partly: list[int] = []
    # For each document its coefficient, and whether it has one.
    statistics = np.zeros((len(scores), 2))
    table = _known(scores, ratings)
    for place, known in enumerate(table):
        pair = scores[place, known], ratings[place, known]
        if why := undefined(*pair):
            reasons[why] += 1
            continue
        statistics[place] = measure(*pair), 1
        two += len(pair[0]) < _FEW
        if len(pair[0]) < max(systems, _FEW):
            partly.append(place)
    remarks = [f"{count} with {reason}" for reason, count in reasons.items()]
    # Across two of seven systems every coefficient is 1 or −1.
    if partly and systems >= _FEW:
        remarks.append(f"{len(partly)} of these over fewer than the {systems} systems{_missing(table[partly], names)}")
    if two:
        remarks.append(f"{two} of these over {_TWO}")
    totals = resampled_totals(statistics, samples=bootstrap.samples, seed=bootstrap.seed)
    value, *samples = (float(total / count) if count else np.nan for total, count in [statistics.sum(axis=0), *totals])
    used = int(statistics[:, 1].sum())
    return Agreement(value, np.array(samples), used, len(scores), "documents", used, ", ".join(remarks))


def _system(
    scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap, names: Sequence[str]
) -> Agreement:
    """The coefficient across systems of their means over the documents that all systems have a text of."""
    documents, systems = scores.shape
    table = _known(scores, ratings)
    whole = np.asarray(table.all(axis=1))
    missing = _missing(table, names)
    if systems < 2:
        return _undefined("there is one system", documents, bootstrap)
    if not whole.any():
        all_lack = "the one document lacks" if documents == 1 else f"all {documents:,} documents lack"
        return _undefined(f"{all_lack} a text or a rating of a system{missing}", documents, bootstrap)
    both = np.where(whole[:, None, None], np.stack([scores, ratings], axis=1), 0.0)
    # The numbers of documents are those of the sample, so a sum orders systems as a mean does, and is as linear.
    means = both.sum(axis=0) / whole.sum()
    if why := undefined(*means):
        return _undefined(why, documents, bootstrap)
    drawn = resampled_totals(both, samples=bootstrap.samples, seed=bootstrap.seed)
    samples = np.array([_measured(measure, *pair) for pair in drawn])
    used = int(whole.sum())
    lacking = counted(documents - used, "lacks", "lack")
    remarks = [f"{lacking} a text or a rating of one of the {systems} systems{missing}"] if used < documents else []
    remarks += [f"over {_TWO}"] if systems < _FEW else []
    return Agreement(measure(*means), samples, used, documents, "documents", used, ", ".join(remarks))


def _pooled(
    scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap, names: Sequence[str]
) -> Agreement:
    """The coefficient over all texts of all documents together; documents are drawn, with all their texts."""
    rated = int(np.isfinite(scores).sum())
    known = _known(scores, ratings)
    places = np.nonzero(known)[0]
    pair = scores[known], ratings[known]
    if why := undefined(*pair):
        return _undefined(why, rated, bootstrap, "texts")
    draws = resampled_counts(len(scores), samples=bootstrap.samples, seed=bootstrap.seed)[:, places]
    samples = np.array([_measured(measure, *(np.repeat(values, counts) for values in pair)) for counts in draws])
    lost = rated - len(places)
    lacking = f"{counted(lost, 'is', 'are')} not rated" if lost else ""
    return Agreement(measure(*pair), samples, len(places), rated, "texts", len(np.unique(places)), lacking)


def _measured(measure: Coefficient, scores: FloatArray, ratings: FloatArray) -> float:
    return np.nan if undefined(scores, ratings) else measure(scores, ratings)


def _missing(known: NDArray[np.bool_], names: Sequence[str]) -> str:
    """Which systems documents lack, in brackets, those first that most do; nothing without names."""
    lacking = (~known).sum(axis=0)
    systems = [names[place] for place in np.argsort(-lacking, kind="stable") if lacking[place]] if names else []
    few = [*systems[:_FEW], *(["…"] if len(systems) > _FEW else [])]
    return f" ({', '.join(few)})" if few else ""


def _known(scores: FloatArray, ratings: FloatArray) -> NDArray[np.bool_]:
    known: NDArray[np.bool_] = np.isfinite(scores) & np.isfinite(ratings)
    return known


_Level = Callable[[FloatArray, FloatArray, Coefficient, Bootstrap, Sequence[str]], Agreement]
LEVELS: Mapping[str, _Level] = {"summary": _summary, "system": _system, "pooled": _pooled}
