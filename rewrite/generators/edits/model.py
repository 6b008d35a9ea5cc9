"""The bundled keep model: how likely a human editor is to keep each word of a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.errors import ModelNotFound
from rerank.types import FloatArray
from rewrite.generators.edits.boosting import Boosting
from rewrite.generators.edits.features import FEATURES, token_features
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["KeepModel"]

_FILE = Path(__file__).parent.parent.parent / "models" / "edits_ru.npz"


@dataclass(frozen=True)
class KeepModel:
    """Boosted trees over the features of a word, trained on RuSimpleSentEval dev by `training/keep_model.py`."""

    trees: Boosting
    projection: FloatArray

    @classmethod
    def load(cls, path: Path = _FILE) -> KeepModel:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                stored = {name: arrays[name] for name in arrays.files}
        except (OSError, ValueError) as error:
            raise ModelNotFound(f"Cannot read the keep model {str(path)!r}: {error}.") from error
        if list(stored.pop("names")) != FEATURES:
            raise ModelNotFound(f"{str(path)!r} was made for other features.", hint="Train it again.")
        return cls(projection=stored.pop("projection").astype(np.float64), trees=Boosting.load(stored))

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, names=np.array(FEATURES), projection=self.projection.astype(np.float16), **self.trees.arrays()
        )

    def keep(self, tree: Tree, valency: Valency, navec: Any) -> FloatArray:
        """Share of editors expected to keep each token, shape `[n_tokens]`, about in [0, 1]."""
        return self.trees.predict(token_features([tree], valency, navec, self.projection))
