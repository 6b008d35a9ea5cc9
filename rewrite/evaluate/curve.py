"""How well a number tells two kinds of things apart, whatever value is taken for the border between them."""

from __future__ import annotations

import numpy as np

from rerank.types import FloatArray

__all__ = ["area_under_curve"]


def area_under_curve(positive: FloatArray, negative: FloatArray) -> float:
    """Area under the ROC curve, in [0, 1]: the chance that a positive example has the higher value, ties being half.

    `positive` and `negative` are the values of the examples of each kind, `[n]` and `[m]`, in any order; all count
    alike. Pairs are counted exactly, and divided once. `nan` where either kind has none. Infinite values are compared
    as any other; a `nan` among the values counts as the highest.
    """
    if not len(positive) or not len(negative):
        return float("nan")
    order = np.sort(negative)
    below, up_to = np.searchsorted(order, positive, "left"), np.searchsorted(order, positive, "right")
    return float((below + up_to).sum() / (2 * len(positive) * len(negative)))
