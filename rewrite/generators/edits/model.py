"""The bundled model: how likely a human editor is to keep each word, and what a set of edits is worth to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.forest import Boosting, stored_arrays
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.features import FEATURES, token_features
from rewrite.generators.edits.gain import FEATURES as GAIN_FEATURES
from rewrite.generators.edits.gain import gain_features
from rewrite.generators.edits.sampler import Options
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["EditModel"]

_FILE = Path(__file__).parent.parent.parent / "models" / "edits_ru.npz"


@dataclass(frozen=True)
class EditModel:
    """Boosted trees over the features of a word and a linear model over a set of edits (`gain`), both trained on
    RuSimpleSentEval dev by `training/edit_model.py`.
    """

    trees: Boosting
    projection: FloatArray
    weights: FloatArray

    @classmethod
    def load(cls, path: Path = _FILE) -> EditModel:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        stored = stored_arrays(path, "edit model", [*FEATURES, *GAIN_FEATURES])
        projection, weights = (stored.pop(name).astype(np.float64) for name in ("projection", "weights"))
        return cls(trees=Boosting.load(stored), projection=projection, weights=weights)

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back; the projection is kept in half precision."""
        arrays: dict[str, Any] = {
            "names": np.array([*FEATURES, *GAIN_FEATURES]),
            "projection": self.projection.astype(np.float16),
            "weights": self.weights,
            **self.trees.arrays(),
        }
        np.savez_compressed(path, **arrays)

    def keep(self, tree: Tree, valency: Valency, navec: Any) -> FloatArray:
        """Share of editors expected to keep each token, shape `[n_tokens]`, about in [0, 1]."""
        return self.trees.predict(token_features([tree], valency, navec, self.projection))

    def gain(self, options: Sequence[Options], edits: Sequence[Sequence[Edit]]) -> float:
        """Worth of a set of edits in points of sentence-level SARI, up to a constant for each source."""
        return float(gain_features(options, edits) @ self.weights)
