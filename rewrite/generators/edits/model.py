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
from rewrite.generators.edits.sampler import Options, cut_tokens
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["GAIN_FEATURES", "EditModel", "gain_features"]

_RELS = "amod advmod nmod obl acl acl:relcl advcl appos conj parataxis det".split()
_KINDS = "word phrase copula clause voice split".split()
_COUNTS = "cut_words cut_keep changed_words changed_keep kept_words kept_keep cuts square short".split()
GAIN_FEATURES = (*_COUNTS, *(f"cut:{rel}" for rel in _RELS), *_KINDS)
_SHORTEST = 0.35


def gain_features(options: Sequence[Options], edits: Sequence[Sequence[Edit]]) -> FloatArray:
    """Features of one candidate, shape `[len(GAIN_FEATURES)]`, summed over the sentences of the text.

    `cut_keep` and the like are sums of the words' keep probabilities. `square` is words · (share kept)², `short` counts
    the words by which less than 35 % of the text is kept: both let the worth of cutting change with how much is left.
    """
    found = dict.fromkeys(GAIN_FEATURES, 0.0)
    total = 0
    for one, made in zip(options, edits, strict=True):
        total += _count_words(found, one, made)
        for edit in made:
            rel = one.tree.rels[edit.node] if edit.node >= 0 else ""
            if edit.node < 0:
                found[edit.kind] += 1
            else:
                found["cuts"] += 1
                if f"cut:{rel}" in found:
                    found[f"cut:{rel}"] += 1
    share = (found["kept_words"] + found["changed_words"]) / max(1, total)
    found["square"] = total * share * share
    found["short"] = total * max(0.0, _SHORTEST - share)
    return np.array([found[name] for name in GAIN_FEATURES])


def _count_words(found: dict[str, float], one: Options, made: Sequence[Edit]) -> int:
    gone = cut_tokens(one.tree, made)
    changed = {i for edit in made for i, _ in edit.changes}
    words = 0
    for i, token in enumerate(one.tree.tokens):
        if token.pos == "PUNCT":
            continue
        words += 1
        group = "cut" if i in gone else "changed" if i in changed else "kept"
        found[f"{group}_words"] += 1
        found[f"{group}_keep"] += float(one.keep[i])
    return words


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
