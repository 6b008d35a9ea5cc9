"""Gradient-boosted regression trees, evaluated with numpy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray

__all__ = ["Boosting"]


@dataclass(frozen=True)
class Boosting:
    """Trees in arrays of shape `[n_trees, n_nodes]`; a leaf points to itself, so every walk takes `depth` steps.

    The prediction is `base` plus the sum of the leaves' values; a feature value ≤ threshold goes left.
    """

    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]
    value: npt.NDArray[np.float32]
    base: float
    depth: int

    def predict(self, features: FloatArray) -> FloatArray:
        """One value per row of `features` (shape `[n, n_features]`)."""
        trees = np.arange(len(self.feature))[None, :]
        rows = np.arange(len(features))[:, None]
        nodes = np.zeros((len(features), len(self.feature)), dtype=np.int64)
        values = features.astype(np.float32)
        for _ in range(self.depth):
            goes_left = values[rows, self.feature[trees, nodes]] <= self.threshold[trees, nodes]
            nodes = np.where(goes_left, self.left[trees, nodes], self.right[trees, nodes])
        total: FloatArray = self.base + self.value[trees, nodes].sum(axis=1, dtype=np.float64)
        return total

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """What `numpy.savez` needs to store the trees; `load` takes it back."""
        return {
            "feature": self.feature,
            "threshold": self.threshold,
            "left": self.left,
            "right": self.right,
            "value": self.value,
            "base": np.array(self.base),
            "depth": np.array(self.depth),
        }

    @classmethod
    def load(cls, arrays: dict[str, npt.NDArray[np.generic]]) -> Boosting:
        """From `arrays`."""
        return cls(
            feature=arrays["feature"].astype(np.int16),
            threshold=arrays["threshold"].astype(np.float32),
            left=arrays["left"].astype(np.int16),
            right=arrays["right"].astype(np.int16),
            value=arrays["value"].astype(np.float32),
            base=float(arrays["base"]),
            depth=int(arrays["depth"]),
        )
