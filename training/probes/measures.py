"""How well values rank the few items that matter before the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray

__all__ = ["area_under_curve", "average_precision"]

Wanted = npt.NDArray[np.bool_]


def average_precision(values: FloatArray, wanted: Wanted) -> float:
    """Average precision, in [0, 1]: precision at each wanted item, highest values first, their mean.

    Items of equal value count as found together. `nan` where nothing is wanted.
    """
    if not wanted.any():
        return float("nan")
    order = np.argsort(-values, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(values[order])), len(values) - 1)
    hits = np.cumsum(wanted[order])[ends]
    precision = hits / (ends + 1)
    return float((np.diff(hits, prepend=0) * precision).sum() / wanted.sum())


def area_under_curve(values: FloatArray, wanted: Wanted) -> float:
    """Area under the ROC curve, in [0, 1]: how often a wanted item is above another one, ties half.

    `nan` where nothing, or everything, is wanted.
    """
    inside, outside = values[wanted], values[~wanted]
    if not len(inside) or not len(outside):
        return float("nan")
    difference = inside[:, None] - outside[None, :]
    return float((difference > 0).mean() + 0.5 * (difference == 0).mean())
