"""The activation of small networks whose heads are computed in numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["gelu"]

Floats = npt.NDArray[np.float32]


def gelu(x: Floats) -> Floats:
    """x Φ(x), with the error function of Abramowitz and Stegun, 7.1.26, right to 1.5e-7."""
    z = np.abs(x) * np.float32(np.sqrt(0.5))
    t = 1.0 / (1.0 + 0.3275911 * z)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    found: Floats = 0.5 * x * (1.0 + np.sign(x) * (1.0 - tail * np.exp(-z * z)))
    return found
