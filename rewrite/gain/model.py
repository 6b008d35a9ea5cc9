"""The bundled model of expected gain: a linear function of a candidate's features, trained by `training/gain.py`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rerank.types import FloatArray
from rewrite.forest import stored_arrays
from rewrite.gain.features import FEATURES

__all__ = ["GainModel"]

_FILE = Path(__file__).parent.parent / "models" / "gain_ru.npz"


@dataclass(frozen=True)
class GainModel:
    """`weights`, shape `[len(FEATURES)]`, in points of SARI that a candidate adds to its source's share."""

    weights: FloatArray

    @classmethod
    def load(cls, path: Path = _FILE) -> GainModel:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        return cls(stored_arrays(path, "gain model", FEATURES)["weights"].astype(np.float64))

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back."""
        np.savez_compressed(path, names=np.array(FEATURES), weights=self.weights)

    def gain(self, features: FloatArray) -> FloatArray:
        """Expected gains, shape `[n]`, of candidates with `features` `[n, len(FEATURES)]`; known up to a constant."""
        gains: FloatArray = features @ self.weights
        return gains
