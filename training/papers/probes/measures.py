"""How well values rank the few items that matter before the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray

__all__ = ["average_precision"]

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
