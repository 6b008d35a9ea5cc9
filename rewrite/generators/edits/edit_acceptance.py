"""How likely an editor is to pass an edit: learnt from single edits that readers judged on news and wiki sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.forest import Trees, stored_arrays
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.features import (
    CHANGE_FEATURES,
    CUT_FEATURES,
    Words,
    change_features,
    cut_features,
    pattern_and_replacement,
)
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency

_FILE = Path(__file__).parent.parent.parent / "models" / "acceptance_ru.npz"
# A row that nobody has judged counts as three judgements at the share passed of all changes.
_PRIOR, _WEIGHT = 0.8, 3.0
# No edit is ever surer to fail than this, so that one bad guess cannot outweigh everything else.
_LEAST = 1e-3


@dataclass(frozen=True)
class Evidence:
    """How often each row of the dictionary was judged, and passed: row → (passed, judged)."""

    rows: Mapping[str, tuple[int, int]]

    def features(self, edit: Edit, *, without: tuple[int, int] = (0, 0)) -> list[float]:
        """Smoothed share passed, and log(1 + times judged), of the row, its left side and its right side: six numbers.

        `without` (passed, judged) is taken off first, so that a judgement is never predicted from itself.
        """
        keys = (edit.entry, "← " + pattern_and_replacement(edit)[0], "→ " + pattern_and_replacement(edit)[1])
        features: list[float] = []
        for key in keys:
            passed, judged = (a - b for a, b in zip(self.rows.get(key, without), without, strict=True))
            features += [(passed + _WEIGHT * _PRIOR) / (judged + _WEIGHT), math.log1p(judged)]
        return features

    @classmethod
    def of(cls, edits: Sequence[Edit], passed: Sequence[bool]) -> Evidence:
        """Counted over judged edits."""
        rows: dict[str, tuple[int, int]] = {}
        for edit, ok in zip(edits, passed, strict=True):
            if not edit.entry:
                continue
            left, right = pattern_and_replacement(edit)
            for key in (edit.entry, "← " + left, "→ " + right):
                a, n = rows.get(key, (0, 0))
                rows[key] = (a + ok, n + 1)
        return cls(rows)


def risk(probability: float) -> float:
    """−log p, at least 0: risks add up as the chances that every edit passes multiply."""
    # A forest adds up its trees' shares, and may come out a rounding above one.
    return max(0.0, -math.log(max(_LEAST, probability)))


@dataclass(frozen=True)
class Acceptance:
    """P(an editor passes the edit), a forest for cuts and one for changes; made by `training/acceptance.py`."""

    cut_forest: Trees
    change_forest: Trees
    evidence: Evidence
    projection: FloatArray

    @classmethod
    def load(cls, path: Path = _FILE) -> Acceptance:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        stored = stored_arrays(path, [*CUT_FEATURES, *CHANGE_FEATURES])
        counts = np.asarray(stored["counts"], dtype=np.int64).tolist()
        return cls(
            cut_forest=Trees.load(stored, "cut_"),
            change_forest=Trees.load(stored, "change_"),
            evidence=Evidence({str(k): (a, n) for k, (a, n) in zip(stored["rows"], counts, strict=True)}),
            projection=stored["projection"].astype(np.float64),
        )

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back."""
        rows = sorted(self.evidence.rows)
        arrays: dict[str, Any] = {
            "names": np.array([*CUT_FEATURES, *CHANGE_FEATURES]),
            "rows": np.array(rows),
            "counts": np.array([self.evidence.rows[row] for row in rows], dtype=np.int16).reshape(-1, 2),
            "projection": self.projection.astype(np.float16),
            **self.cut_forest.arrays("cut_"),
            **self.change_forest.arrays("change_"),
        }
        np.savez_compressed(path, **arrays)

    def cuts(self, tree: RepairedTree, nodes: Sequence[int], valency: RussianValency, navec: Any) -> FloatArray:
        """Probability for cutting the subtree of each node, shape `[len(nodes)]`."""
        if not nodes:
            return np.zeros(0)
        return self.cut_forest.predict(cut_features(tree, nodes, valency, Words(navec, self.projection)))

    def changes(self, tree: RepairedTree, edits: Sequence[Edit], valency: RussianValency, navec: Any) -> FloatArray:
        """Probability for each replacement and each rebuilt clause, shape `[len(edits)]`."""
        if not edits:
            return np.zeros(0)
        features = change_features(tree, edits, valency, Words(navec, self.projection))
        evidence = np.array([self.evidence.features(edit) for edit in edits])
        return self.change_forest.predict(np.hstack([features, evidence]))
