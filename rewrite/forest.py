"""How likely an editor is to pass a change, by a forest of trees that learnt from readers' verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.boosting import Boosting
from rewrite.stored import stored_arrays

__all__ = ["ForestAcceptance"]

_WIDEST = 0.999


@dataclass(frozen=True)
class ForestAcceptance:
    """P(an editor passes it) = σ(a·logit f + b), where f is the share of a forest of trees that says so."""

    forest: Boosting
    slope: float
    offset: float

    @classmethod
    def load(cls, path: Path, features: Sequence[str], what: str) -> ForestAcceptance:
        """Read an `.npz` file; `ModelNotFound`, which calls it `what`, where it is missing or made for others."""
        stored = stored_arrays(path, what, features)
        return cls(Boosting.load(stored), float(stored["slope"]), float(stored["offset"]))

    def save(self, path: Path, features: Sequence[str]) -> None:
        """Write an `.npz` file that `load` takes back."""
        arrays: dict[str, Any] = {"slope": np.array(self.slope), "offset": np.array(self.offset)}
        arrays |= self.forest.arrays()
        np.savez_compressed(path, names=np.array(features), **arrays)

    def predict(self, features: FloatArray) -> FloatArray:
        """A probability for each row, shape `[n, n_features]` → `[n]`."""
        share = self.forest.predict(features).clip(1 - _WIDEST, _WIDEST)
        chances: FloatArray = 1.0 / (1.0 + np.exp(-(self.slope * np.log(share / (1 - share)) + self.offset)))
        return chances
