"""From a table of values and weights to a choice: best, n-best, diverse n-best, or the source itself."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from rerank.combine import geometric_mean, log_totals, weight_vector
from rerank.errors import BadInput, BadWeights
from rerank.types import Candidate, FloatArray, ScoreTable
from rerank.weights import RELEASED_THRESHOLD, Weights


@dataclass(frozen=True, eq=False)
class Ranked:
    """Candidates of one source under one setting of weights.

    `order` holds the indices of the candidates that are not blocked, best first; equal totals are ordered by text.
    `exponents [k]` are the weights of the components; `totals [n]` are logarithms of the weighted product,
    `source_total` is the source's own. All ≤ 0 for values in [0, 1], −inf where a weighted component is 0.
    """

    table: ScoreTable
    weights: Weights
    order: tuple[int, ...]
    exponents: FloatArray
    totals: FloatArray
    source_total: float

    def score(self, index: int | None) -> float:
        """The score of candidate `index`, or of the source (`None`): see `geometric_mean`."""
        total = self.source_total if index is None else float(self.totals[index])
        return geometric_mean(total, self.weights)


@dataclass(frozen=True, eq=False)
class Selection:
    """The choice: candidate `index` of the table, or the source (`index` None), with the `reason` in words."""

    ranked: Ranked
    index: int | None
    reason: str
    threshold: float

    @property
    def fell_back(self) -> bool:
        """Whether the source itself was chosen for want of a candidate."""
        return self.index is None

    @property
    def score(self) -> float:
        """The weighted geometric mean of what was chosen, in [0, 1] for values in [0, 1]."""
        return self.ranked.score(self.index)

    def reweight(self, weights: Weights) -> Selection:
        """The choice from the same values under other weights; no model is called."""
        return select(self.ranked.table, weights, threshold=self.threshold)


def tie_key(candidate: Candidate) -> tuple[str, str, float]:
    """Order among candidates with equal totals: by text, then generator, then probability."""
    return candidate.text, candidate.generator, candidate.logprob or 0.0


def rank(table: ScoreTable, weights: Weights) -> Ranked:
    """Order the candidates of `table` by weighted product; calls no model."""
    vector = weight_vector(weights, table.components)
    totals = log_totals(table.values, vector)
    free = [i for i, reason in enumerate(table.blocked) if not reason]
    order = sorted(free, key=lambda i: (-totals[i], tie_key(table.candidates[i])))
    return Ranked(
        table=table,
        weights=weights,
        order=tuple(order),
        exponents=vector,
        totals=totals,
        source_total=float(log_totals(table.source_values[np.newaxis], vector)[0]),
    )


def log_threshold(threshold: float) -> float:
    """log of a threshold ≥ 0; `BadWeights` for anything else."""
    if not (math.isfinite(threshold) and threshold >= 0):
        raise BadWeights(f"threshold is {threshold!r}.", hint="Give a finite number of 0 or more; 0.8 is the default.")
    return math.log(threshold) if threshold > 0 else -math.inf


def select(table: ScoreTable, weights: Weights, *, threshold: float = RELEASED_THRESHOLD) -> Selection:
    """The best candidate that is not blocked and whose S beats `threshold` × the source's own S; else the source.

    S is the weighted product; in scores, which are its Σw-th root, the factor is threshold^(1/Σw). A pure function of
    table and weights, so a change of weights needs no model. With threshold 0 any candidate whose S is above 0 will do.
    """
    floor = log_threshold(threshold)
    ranked = rank(table, weights)
    if not table.candidates:
        return Selection(ranked, None, "there is no candidate", threshold)
    if not ranked.order:
        reasons = sorted(set(table.blocked))
        return Selection(ranked, None, f"every candidate is blocked ({'; '.join(reasons[:3])})", threshold)
    first = ranked.order[0]
    if not ranked.totals[first] > floor + ranked.source_total:
        needed = geometric_mean(floor + ranked.source_total, weights)
        best, source = ranked.score(first), ranked.score(None)
        reason = f"no candidate scores above {needed:.4g} (the best {best:.4g}, the source itself {source:.4g})"
        return Selection(ranked, None, reason, threshold)
    return Selection(ranked, first, "best score", threshold)


def n_best(ranked: Ranked, n: int) -> tuple[int, ...]:
    """Indices of the `n` best candidates that are not blocked, best first; fewer where there are fewer."""
    return ranked.order[: _count(n)]


def diverse_n_best(ranked: Ranked, n: int, *, diversity: float = 0.5) -> tuple[int, ...]:
    """`n` good candidates unlike each other: maximal marginal relevance (Carbonell and Goldstein, 1998).

    Greedily takes the candidate with the highest (1 − d) · S/S_best − d · (highest Jaccard overlap of its word set
    with one already taken), where d is `diversity` in [0, 1]: 0 is plain n-best. The first is always the best.
    """
    if not 0 <= diversity <= 1:
        raise BadInput(f"diversity is {diversity!r}.", hint="Give a number from 0 to 1.")
    left = list(ranked.order)
    if not left or not _count(n):
        return ()
    best = ranked.totals[left[0]]
    relevance = {i: math.exp(ranked.totals[i] - best) if best > -math.inf else 1.0 for i in left}
    words = {i: frozenset(re.findall(r"\w+", ranked.table.candidates[i].text.lower())) for i in left}
    overlap = dict.fromkeys(left, 0.0)
    taken = [left.pop(0)]
    while left and len(taken) < n:
        for i in left:
            overlap[i] = max(overlap[i], _jaccard(words[i], words[taken[-1]]))
        # max keeps the first of equals, which is the better ranked.
        choice = max(left, key=lambda i: (1 - diversity) * relevance[i] - diversity * overlap[i])
        left.remove(choice)
        taken.append(choice)
    return tuple(taken)


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 1.0


def _count(n: int) -> int:
    if n < 0:
        raise BadInput(f"Cannot return {n!r} candidates.", hint="Give 0 or more.")
    return n
