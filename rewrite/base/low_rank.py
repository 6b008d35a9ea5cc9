"""Low-rank adapters of the base: W + B · A for some of its layers, a few megabytes in int8.

A file `adapter.npz` holds, for each layer that is changed, `NAME/a` (rank, inputs) and `NAME/b` (outputs, rank) as
int8, and `NAME/scales` (rank,), float32: what the products of `a` and `b` are multiplied by, one number for each rank.
The factor alpha / rank of training is in the scales.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewrite.errors import BadModel

__all__ = ["LowRank", "pack_low_rank", "read_adapter", "write_adapter"]

_STEPS = 127


@dataclass(frozen=True, slots=True)
class LowRank:
    """What is added to one weight matrix: `b` (outputs, rank) times `scales` (rank,) times `a` (rank, inputs)."""

    a: NDArray[np.int8]
    b: NDArray[np.int8]
    scales: NDArray[np.float32]

    def added_to(self, weight: NDArray[np.float32]) -> NDArray[np.float32]:
        """`weight`, (outputs, inputs), with this added. Raises `BadModel` where the sizes do not fit."""
        if weight.shape != (self.b.shape[0], self.a.shape[1]):
            raise BadModel(
                f"The adapter is for a weight of {self.b.shape[0]} × {self.a.shape[1]}, the base has "
                f"{' × '.join(map(str, weight.shape))}.",
                hint="The adapter was made for another base.",
            )
        return weight + (self.b.astype(np.float32) * self.scales) @ self.a.astype(np.float32)


def pack_low_rank(a: NDArray[np.float32], b: NDArray[np.float32], factor: float) -> LowRank:
    """The int8 form of `factor` · b · a, with `a` (rank, inputs) and `b` (outputs, rank)."""
    most_a = np.maximum(np.abs(a).max(axis=1), np.finfo(np.float32).tiny)
    most_b = np.maximum(np.abs(b).max(axis=0), np.finfo(np.float32).tiny)
    return LowRank(
        a=np.rint(a / most_a[:, None] * _STEPS).astype(np.int8),
        b=np.rint(b / most_b * _STEPS).astype(np.int8),
        scales=(most_a * most_b * (factor / _STEPS**2)).astype(np.float32),
    )


def write_adapter(path: Path, layers: Mapping[str, LowRank]) -> None:
    """Write the layers by the names of the weights that they change."""
    parts: dict[str, Any] = {}
    for name, layer in layers.items():
        parts |= {f"{name}/a": layer.a, f"{name}/b": layer.b, f"{name}/scales": layer.scales}
    np.savez(path, **parts)


def read_adapter(path: Path) -> dict[str, LowRank]:
    """The layers by the names of their weights. Raises `BadModel` where the file is missing or broken."""
    try:
        with np.load(path, allow_pickle=False) as file:
            names = dict.fromkeys(key.rpartition("/")[0] for key in file)
            return {name: LowRank(file[f"{name}/a"], file[f"{name}/b"], file[f"{name}/scales"]) for name in names}
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise BadModel(f"{path}: it is no adapter that can be read: {error}.") from error
