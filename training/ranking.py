"""How well a model of what readers pass tells good from bad: shares among the likeliest, and calibration."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray

__all__ = ["print_calibration", "shares_passed"]

Passed = npt.NDArray[np.bool_]


def shares_passed(chances: FloatArray, passed: Passed) -> str:
    """The share passed among the likeliest 10, 20, 40 and 60 %."""
    best = passed[np.argsort(-chances)]
    return " / ".join(f"{best[: int(len(best) * share)].mean():.3f}" for share in (0.1, 0.2, 0.4, 0.6))


def print_calibration(chances: FloatArray, passed: Passed) -> None:
    """A line for each fifth of the range of chances: the mean chance, the share passed, how many."""
    for low in np.arange(0.0, 1.0, 0.2):
        inside = (chances >= low) & (chances < low + 0.2)
        if inside.any():
            print(f"  {chances[inside].mean():.2f} – {passed[inside].mean():.2f} ({inside.sum()})")
