"""Bradley–Terry over component log-ratios: P(A ≻ B) = σ(Σₖ wₖ (log sₖ(A) − log sₖ(B))), wₖ ≥ 0.

The weights are those of the weighted product, so P is the odds of the two scores S: what the model learns is what the
reranker uses. Fitted by penalised maximum likelihood, Σ log-loss + λ/2 · Σₖ (wₖ rₖ)², where rₖ is the root mean
square of component k's log-ratios: so λ means the same for a component that hardly varies. The problem is convex, so
the answer does not depend on where the solver starts. (Bradley and Terry, 1952; "equal" counts half for either side.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray
from training.forests import folds_of
from training.weighting.search import optimizers

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]


def fit(differences: FloatArray, equal: BoolArray, *, penalty: float) -> FloatArray:
    """Weights `[k]` ≥ 0 for `differences [m, k]` of log values, preferred minus other; `equal [m]` marks ties.

    A component that never differs gets 0: nothing is known of it. Raises `MissingExtra` without scipy.
    """
    scale = np.sqrt(np.mean(differences**2, axis=0))
    told = scale > 0
    if not told.any():
        return np.zeros(differences.shape[1])
    scaled = differences[:, told] / scale[told]

    def loss(u: FloatArray) -> tuple[float, FloatArray]:
        margin = scaled @ u
        slope = np.where(equal, 0.5, 1.0) - 1 / (1 + np.exp(-margin.clip(-700, 700)))
        value = _losses(margin, equal).sum() + penalty / 2 * float(u @ u)
        return float(value), -(slope @ scaled) + penalty * u

    start = np.zeros(int(told.sum()))
    bounds = [(0.0, None)] * len(start)
    options = {"maxiter": 2000, "ftol": 1e-13, "gtol": 1e-9}
    found = optimizers().minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    weights = np.zeros(differences.shape[1])
    weights[told] = found.x / scale[told]
    return weights


def _losses(margin: FloatArray, equal: BoolArray) -> FloatArray:
    """−log P of each row; a tie counts half for either side."""
    against = np.logaddexp(0.0, -margin)
    losses: FloatArray = np.where(equal, 0.5 * (against + np.logaddexp(0.0, margin)), against)
    return losses


@dataclass(frozen=True)
class Agreement:
    """Of `rows` decided choices the weights decide `right` alike, a draw counting half.

    Choices on one source are decided alike or not together, so that `rows` of them tell as much as `rows / effect`
    independent ones: `effect` ≥ 1 is the ratio of the variance of the share, whole sources taken together, to that of
    as many independent choices (Kish's design effect).
    """

    right: float
    rows: int
    effect: float = 1.0

    @property
    def share(self) -> float:
        """In [0, 1]; NaN of no rows."""
        return self.right / self.rows if self.rows else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share over sources."""
        return wilson(self.right / self.effect, self.rows / self.effect)


def agreement(differences: FloatArray, equal: BoolArray, groups: IntArray, weights: FloatArray) -> Agreement:
    """How many of the decided rows the weights `[k]` decide as the person did; `groups [m]` are the sources."""
    return _counted(_right(differences[~equal], weights), groups[~equal])


def _right(decided: FloatArray, weights: FloatArray) -> FloatArray:
    """1 for each row that the weights decide alike, 0 for the other way round, ½ for a draw."""
    agreeing: FloatArray = 0.5 * (np.sign(decided @ weights) + 1.0)
    return agreeing


def _counted(right: FloatArray, groups: IntArray) -> Agreement:
    rows = len(right)
    if not rows:
        return Agreement(0.0, 0)
    _, number = np.unique(groups, return_inverse=True)
    sources, share = int(number.max()) + 1, float(right.mean())
    alone = share * (1 - share) / rows
    if sources < 2 or not alone:
        # Nothing varies that could be measured: each source told one thing.
        return Agreement(float(right.sum()), rows, rows / sources)
    sums = np.bincount(number, right - share)
    together = sources / (sources - 1) * float(sums @ sums) / rows**2
    return Agreement(float(right.sum()), rows, max(1.0, together / alone))


def choose_penalty(
    differences: FloatArray, equal: BoolArray, groups: IntArray, penalties: Sequence[float], *, folds: int, seed: int
) -> float:
    """The strength with the least held-out log-loss, the strongest of equals; rows of one group stay together.

    With one group alone nothing can be held out: the middle strength.
    """
    ordered = sorted(penalties, reverse=True)
    parts = _folds(groups, folds, seed)
    if parts is None:
        return ordered[len(ordered) // 2]

    def held_out_loss(penalty: float) -> float:
        lost = 0.0
        for part in np.unique(parts):
            inside = parts == part
            weights = fit(differences[~inside], equal[~inside], penalty=penalty)
            lost += float(_losses(differences[inside] @ weights, equal[inside]).sum())
        return lost

    return min(ordered, key=held_out_loss)


def held_out(
    differences: FloatArray, equal: BoolArray, groups: IntArray, penalties: Sequence[float], *, folds: int, seed: int
) -> Agreement | None:
    """Agreement in cross-validation over groups, the penalty chosen within each training part; `None` for one group."""
    parts = _folds(groups, folds, seed)
    if parts is None:
        return None
    right = np.zeros(len(differences))
    for part in np.unique(parts):
        inside = parts == part
        rest = (differences[~inside], equal[~inside])
        penalty = choose_penalty(*rest, groups[~inside], penalties, folds=folds, seed=seed + 1)
        right[inside] = _right(differences[inside], fit(*rest, penalty=penalty))
    return _counted(right[~equal], groups[~equal])


def _folds(groups: IntArray, folds: int, seed: int) -> IntArray | None:
    """The fold of each row, whole groups in one fold; `None` where there is one group alone."""
    names, number = np.unique(groups, return_inverse=True)
    if len(names) < 2:
        return None
    parts: IntArray = folds_of(len(names), min(folds, len(names)), seed)[number]
    return parts


def wilson(right: float, rows: float, *, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of independent `rows`, both ends in [0, 1]."""
    if not rows:
        return 0.0, 1.0
    share, weight = right / rows, z * z / rows
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / rows + weight / (4 * rows))
    return max(0.0, middle - half), min(1.0, middle + half)
