"""Trees that learnt from readers' verdicts, evaluated with numpy alone, and their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from rerank.errors import ModelNotFound
from rerank.types import FloatArray

_WIDEST = 0.999
_MOST_EXACT = 2_048
"""Up to here 16 bits hold every whole number."""
_NODES = {
    "feature": np.int16,
    "threshold": np.float32,
    "left": np.int16,
    "right": np.int16,
    "value": np.float32,
}


def stored_arrays(path: Path, names: Sequence[str]) -> dict[str, npt.NDArray[np.generic]]:
    """The arrays of an `.npz` file but `names`, the features that it was made for.

    Raises `ModelNotFound` where it is missing or made for other features.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            stored = {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise ModelNotFound(f"Cannot read the model {str(path)!r}: {error}.") from error
    if list(stored.pop("names", ())) != list(names):
        raise ModelNotFound(f"{str(path)!r} was made for other features.", hint="Train it again.")
    return stored


@dataclass(frozen=True)
class Trees:
    """Regression trees in arrays of shape `[n_trees, n_nodes]`: boosted ones, or a forest, whose values are each tree's
    share of the mean.

    A leaf points to itself, so every walk takes `depth` steps. The prediction is `base` plus the sum of the leaves'
    values; a feature value ≤ threshold goes left.
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
        # Nodes are counted through all trees: one index is looked up faster than a tree and a node of it.
        first = np.arange(len(self.feature)) * self.feature.shape[1]
        parts = (self.feature, self.threshold, self.left, self.right, self.value)
        feature, threshold, left, right, value = (part.ravel() for part in parts)
        rows = np.arange(len(features))[:, None]
        at = np.tile(first, (len(features), 1))
        values = features.astype(np.float32)
        for _ in range(self.depth):
            goes_left = values[rows, feature[at]] <= threshold[at]
            at = first + np.where(goes_left, left[at], right[at])
        total: FloatArray = self.base + value[at].sum(axis=1, dtype=np.float64)
        return total

    def arrays(self, prefix: str = "") -> dict[str, npt.NDArray[np.generic]]:
        """What `numpy.savez` needs to store the trees, under names that begin so; `load` takes it back.

        `inner` tells which nodes are no leaves; the others have a value alone. Children are told by how far they are.
        Thresholds are rounded down to 16 bits: a count that equals one stays on its side.
        """
        number = np.arange(self.left.shape[1], dtype=np.int16)
        inner = self.left != number
        arrays: dict[str, npt.NDArray[np.generic]] = {
            "inner": inner,
            "feature": self.feature[inner],
            "threshold": _rounded_down(self.threshold[inner]),
            "left": (self.left - number)[inner],
            "right": (self.right - number)[inner],
            "value": self.value[~inner],
            "base": np.array(self.base),
            "depth": np.array(self.depth),
        }
        return {f"{prefix}{name}": array for name, array in arrays.items()}

    @classmethod
    def load(cls, arrays: dict[str, npt.NDArray[np.generic]], prefix: str = "") -> Trees:
        """From `arrays`, of those whose names begin with `prefix`."""
        inner: npt.NDArray[np.bool_] = arrays[f"{prefix}inner"].astype(bool)
        number = np.arange(inner.shape[1], dtype=np.int16)
        nodes: dict[str, Any] = {name: np.zeros(inner.shape, dtype=kind) for name, kind in _NODES.items()}
        for name, table in nodes.items():
            table[inner if name != "value" else ~inner] = arrays[f"{prefix}{name}"]
        nodes["left"] += number
        nodes["right"] += number
        return cls(**nodes, base=float(arrays[f"{prefix}base"]), depth=int(arrays[f"{prefix}depth"]))


def _rounded_down(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float16] | npt.NDArray[np.float32]:
    if len(values) and np.abs(values).max() > _MOST_EXACT:
        return values
    rounded = values.astype(np.float16)
    return np.where(rounded > values, np.nextafter(rounded, np.float16(-np.inf)), rounded)


@dataclass(frozen=True)
class TreeAcceptance:
    """P(an editor passes it) of a row of the features `names`: σ(a·logit f + b) with `line` (a, b), f the share that a
    forest says passes.
    """

    names: tuple[str, ...]
    trees: Trees
    line: tuple[float, float]

    @classmethod
    def load(cls, path: Path, names: tuple[str, ...]) -> TreeAcceptance:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        stored = stored_arrays(path, names)
        return cls(names, Trees.load(stored), (float(stored["slope"]), float(stored["offset"])))

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back."""
        slope, offset = map(np.array, self.line)
        arrays: dict[str, Any] = {"slope": slope, "offset": offset, **self.trees.arrays()}
        np.savez_compressed(path, names=np.array(self.names), **arrays)

    def predict(self, features: FloatArray) -> FloatArray:
        """A probability for each row, shape `[n, len(names)]` → `[n]`."""
        share = self.trees.predict(features).clip(1 - _WIDEST, _WIDEST)
        chances: FloatArray = 1.0 / (1.0 + np.exp(-(self.line[0] * np.log(share / (1 - share)) + self.line[1])))
        return chances
