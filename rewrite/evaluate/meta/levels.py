"""Agreement of scores with ratings at three levels, with the bootstrap over documents.

Scores and ratings come as arrays of documents × systems, NaN where a document has no text of a system, or nobody rated
it. Nothing undefined is left out without being counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rerank.plural import counted
from rerank.types import FloatArray
from rewrite.evaluate.meta.coefficients import Coefficient, undefined
from rewrite.evaluate.meta.left_out import first_few
from rewrite.evaluate.resampling import Interval, percentile_interval, resampled_counts, resampled_totals

__all__ = ["LEVELS", "Agreement", "Bootstrap", "agreement"]

_FEW = 3
_TWO = "two systems, where it is 1 or −1"


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`samples` of the bootstrap over documents, and its `seed`; equal ones draw the same documents at every level."""

    samples: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Agreement:
    """A coefficient, NaN where it is undefined, and the same of each bootstrap sample, shape `[samples]`.

    `used` of `total` documents or texts (`unit`) count; `why` says what keeps the others, or all, from it. `documents`
    are those that the texts that count are of: drawn from one alone, all samples are the same.
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
        """The 95 % interval over the samples that are defined; `None` without any, or of one document."""
        known = self.samples[np.isfinite(self.samples)]
        there = self.documents > 1 and len(known) and np.isfinite(self.value)
        return percentile_interval(known, 0.95) if there else None

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
        pooled = level == "pooled"
        total = int(np.isfinite(scores).sum()) if pooled else len(scores)
        nothing = np.full(bootstrap.samples, np.nan)
        why = "one text alone is rated" if rated else "no text is rated"
        return Agreement(np.nan, nothing, 0, total, "texts" if pooled else "documents", 0, why)
    return LEVELS[level](scores, ratings, measure, bootstrap, systems)


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
        one, other = scores[place, known], ratings[place, known]
        if why := undefined(one, other):
            reasons[why] += 1
        else:
            statistics[place] = measure(one, other), 1
            two += len(one) < _FEW
            if len(one) < max(systems, _FEW):
                partly.append(place)
    totals = resampled_totals(statistics, samples=bootstrap.samples, seed=bootstrap.seed)
    used = int(statistics[:, 1].sum())
    told = [f"{count} with {reason}" for reason, count in reasons.items()]
    # Across two of seven systems every coefficient is 1 or −1.
    if partly and systems >= _FEW:
        told.append(f"{len(partly)} of these over fewer than the {systems} systems{_missing(table[partly], names)}")
    if two:
        told.append(f"{two} of these over {_TWO}")
    why = ", ".join(told)
    return Agreement(_ratio(statistics.sum(axis=0)), _ratios(totals), used, len(scores), "documents", used, why)


def _system(
    scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap, names: Sequence[str]
) -> Agreement:
    """The coefficient across systems of their means over the documents that all systems have a text of."""
    documents, systems = scores.shape
    table = _known(scores, ratings)
    whole = np.asarray(table.all(axis=1))
    missing = _missing(table, names)
    lacking = counted(documents - int(whole.sum()), "lacks", "lack")
    lacking = f"{lacking} a text or a rating of one of the {systems} systems{missing}"
    nothing = np.full(bootstrap.samples, np.nan)
    if systems < 2 or not whole.any():
        all_lack = "the one document lacks" if documents == 1 else f"all {documents:,} documents lack"
        why = f"{all_lack} a text or a rating of a system{missing}"
        why = "there is one system" if systems < 2 else why
        return Agreement(np.nan, nothing, 0, documents, "documents", 0, why)
    both = np.where(whole[:, None, None], np.stack([scores, ratings], axis=1), 0.0)
    # The numbers of documents are those of the sample, so a sum orders systems as a mean does, and is as linear.
    means = both.sum(axis=0) / whole.sum()
    if why := undefined(*means):
        return Agreement(np.nan, nothing, 0, documents, "documents", 0, why)
    drawn = resampled_totals(both, samples=bootstrap.samples, seed=bootstrap.seed)
    samples = np.array([np.nan if undefined(*pair) else measure(*pair) for pair in drawn])
    used = int(whole.sum())
    told = ", ".join([*([] if whole.all() else [lacking]), *([] if systems >= _FEW else [f"over {_TWO}"])])
    return Agreement(measure(*means), samples, used, documents, "documents", used, told)


def _pooled(
    scores: FloatArray, ratings: FloatArray, measure: Coefficient, bootstrap: Bootstrap, names: Sequence[str]
) -> Agreement:
    """The coefficient over all texts of all documents together; documents are drawn, with all their texts."""
    rated = int(np.isfinite(scores).sum())
    known = _known(scores, ratings)
    places = np.nonzero(known)[0]
    pair = scores[known], ratings[known]
    if why := undefined(*pair):
        return Agreement(np.nan, np.full(bootstrap.samples, np.nan), 0, rated, "texts", 0, why)
    draws = resampled_counts(len(scores), samples=bootstrap.samples, seed=bootstrap.seed)
    samples = np.array([_of_drawn(pair, counts[places], measure) for counts in draws])
    lost = rated - len(places)
    lacking = f"{counted(lost, 'is', 'are')} not rated" if lost else ""
    return Agreement(measure(*pair), samples, len(places), rated, "texts", len(np.unique(places)), lacking)


def _of_drawn(pair: tuple[FloatArray, FloatArray], counts: NDArray[np.int64], measure: Coefficient) -> float:
    scores, ratings = (np.repeat(values, counts) for values in pair)
    return np.nan if undefined(scores, ratings) else measure(scores, ratings)


def _missing(known: NDArray[np.bool_], names: Sequence[str]) -> str:
    """Which systems documents lack, in brackets, those first that most do; nothing without names."""
    lacking = (~known).sum(axis=0)
    found = [names[place] for place in np.argsort(-lacking, kind="stable") if lacking[place]] if names else []
    return f" ({first_few(found, between=', ')})" if found else ""


def _known(scores: FloatArray, ratings: FloatArray) -> NDArray[np.bool_]:
    known: NDArray[np.bool_] = np.isfinite(scores) & np.isfinite(ratings)
    return known


def _ratio(total: FloatArray) -> float:
    return float(total[0] / total[1]) if total[1] else float("nan")


def _ratios(totals: FloatArray) -> FloatArray:
    return np.array([_ratio(total) for total in totals])


_Level = Callable[[FloatArray, FloatArray, Coefficient, Bootstrap, Sequence[str]], Agreement]
LEVELS: Mapping[str, _Level] = {"summary": _summary, "system": _system, "pooled": _pooled}
