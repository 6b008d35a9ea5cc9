"""Small neural networks with one hidden layer, averaged, evaluated with numpy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray

__all__ = ["Net"]

# A feature further from its mean than this many standard deviations says no more than one at that distance.
_WIDEST = 4.0


@dataclass(frozen=True)
class Net:
    """`k` networks: p = mean over them of σ(relu(z·W₁ + b₁)·w₂ + b₂), z the features in standard deviations.

    Shapes: `mean`, `scale` [n]; `hidden` [k, n, h]; `bias` [k, h]; `out` [k, h]; `last` [k].
    """

    mean: FloatArray
    scale: FloatArray
    hidden: FloatArray
    bias: FloatArray
    out: FloatArray
    last: FloatArray

    def predict(self, features: FloatArray) -> FloatArray:
        """A probability for each row of `features`, shape `[m, n]` → `[m]`, in (0, 1)."""
        z = self.standard(features)
        layer = np.maximum(0.0, np.einsum("mn,knh->kmh", z, self.hidden, optimize=True) + self.bias[:, None, :])
        logits = np.einsum("kmh,kh->km", layer, self.out) + self.last[:, None]
        found: FloatArray = (1.0 / (1.0 + np.exp(-logits))).mean(axis=0)
        return found

    def standard(self, features: FloatArray) -> FloatArray:
        """What the networks see of `features`."""
        z: FloatArray = np.clip((features - self.mean) / self.scale, -_WIDEST, _WIDEST)
        return z

    def arrays(self, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
        """What `numpy.savez` needs; the large matrix in eight bits with a scale for each hidden unit."""
        steps = np.abs(self.hidden).max(axis=1, keepdims=True) / 127 + 1e-12
        return {
            f"{prefix}_mean": self.mean.astype(np.float32),
            f"{prefix}_scale": self.scale.astype(np.float32),
            f"{prefix}_hidden": np.round(self.hidden / steps).astype(np.int8),
            f"{prefix}_steps": steps.astype(np.float32),
            f"{prefix}_bias": self.bias.astype(np.float32),
            f"{prefix}_out": self.out.astype(np.float32),
            f"{prefix}_last": self.last.astype(np.float32),
        }

    @classmethod
    def load(cls, arrays: dict[str, npt.NDArray[np.generic]], prefix: str) -> Net:
        """From `arrays`."""
        parts = {name: arrays[f"{prefix}_{name}"].astype(np.float64) for name in (*_PARTS, "hidden", "steps")}
        return cls(hidden=parts.pop("hidden") * parts.pop("steps"), **parts)


_PARTS = ("mean", "scale", "bias", "out", "last")
