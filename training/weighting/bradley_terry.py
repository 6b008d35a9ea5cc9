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
from rewrite.errors import MissingExtra
from training.weighting.draw import folds_of

__all__ = ["HeldOut", "accuracy", "choose_penalty", "fit", "held_out", "wilson"]

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]


def fit(differences: FloatArray, equal: BoolArray, *, penalty: float) -> FloatArray:
    """Weights `[k]` ≥ 0 for `differences [m, k]` of log values, preferred minus other; `equal [m]` marks ties.

    A component that never differs gets 0: nothing is known of it. Raises `MissingExtra` without scipy.
    """
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise MissingExtra(
            "Fitting preferences needs scipy.", hint="Run: pip install 'rewrite-rerank[train]'"
        ) from None
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
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    weights = np.zeros(differences.shape[1])
    weights[told] = found.x / scale[told]
    return weights


def _losses(margin: FloatArray, equal: BoolArray) -> FloatArray:
    """−log P of each row; a tie counts half for either side."""
    against = np.logaddexp(0.0, -margin)
    losses: FloatArray = np.where(equal, 0.5 * (against + np.logaddexp(0.0, margin)), against)
    return losses


def accuracy(differences: FloatArray, equal: BoolArray, weights: FloatArray) -> tuple[float, int]:
    """How many of the decided rows the weights decide alike, a draw counting half, and how many such rows there are."""
    margin = differences[~equal] @ weights
    return float((margin > 0).sum() + 0.5 * (margin == 0).sum()), int((~equal).sum())


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


@dataclass(frozen=True)
class HeldOut:
    """Decided rows that weights fitted without their source decide alike (`right`, a draw counts half) of `rows`."""

    right: float
    rows: int

    @property
    def share(self) -> float:
        return self.right / self.rows if self.rows else math.nan


def held_out(
    differences: FloatArray, equal: BoolArray, groups: IntArray, penalties: Sequence[float], *, folds: int, seed: int
) -> HeldOut | None:
    """Accuracy in cross-validation over groups, the penalty chosen within each training part; `None` for one group."""
    parts = _folds(groups, folds, seed)
    if parts is None:
        return None
    right, rows = 0.0, 0
    for part in np.unique(parts):
        inside = parts == part
        rest = (differences[~inside], equal[~inside])
        penalty = choose_penalty(*rest, groups[~inside], penalties, folds=folds, seed=seed + 1)
        hits, count = accuracy(differences[inside], equal[inside], fit(*rest, penalty=penalty))
        right, rows = right + hits, rows + count
    return HeldOut(right, rows)


def _folds(groups: IntArray, folds: int, seed: int) -> IntArray | None:
    """The fold of each row, whole groups in one fold; `None` where there is one group alone."""
    names, number = np.unique(groups, return_inverse=True)
    if len(names) < 2:
        return None
    found: IntArray = folds_of(len(names), min(folds, len(names)), seed)[number]
    return found


def wilson(right: float, rows: int, *, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, both ends in [0, 1]."""
    if not rows:
        return 0.0, 1.0
    share, weight = right / rows, z * z / rows
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / rows + weight / (4 * rows))
    return max(0.0, middle - half), min(1.0, middle + half)
