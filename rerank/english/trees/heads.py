"""The parser's heads in numpy: from vectors of word pieces to a tree with tags.

`training.trees.network` learns them in torch; a test compares the scores of arcs, and the trees of a small treebank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rerank.english.trees.spanning import best_heads
from rerank.masked.gelu import gelu

__all__ = ["SPELLING", "WEIGHTS", "Floats", "Found", "TreeHeads", "spelling"]

Floats = npt.NDArray[np.float32]
SPELLING = 4
"""What is told of a word's letters, for word pieces have no case; see `spelling`."""
_LAYERS = (
    *("spelling", "arc_dependent", "arc_head", "relation_dependent", "relation_head"),
    *("pos", "pos_out", "features", "features_out"),
)
WEIGHTS = ("root", "arc", "relation", *(f"{layer}.{part}" for layer in _LAYERS for part in ("weight", "bias")))
"""The names of all weights."""


@dataclass(frozen=True)
class Found:
    """Of each of T words its head (−1 for the root) and the numbers of its relation, part of speech and features."""

    heads: list[int]
    relations: npt.NDArray[np.int64]
    pos: npt.NDArray[np.int64]
    features: npt.NDArray[np.int64]


def spelling(words: Sequence[str]) -> list[tuple[bool, bool, bool, bool]]:
    """Whether each word begins with a capital, has no other letters, is the first, and has a digit."""
    return [
        (word[:1].isupper(), word.isupper(), number == 0, any(c.isdigit() for c in word))
        for number, word in enumerate(words)
    ]


class TreeHeads:
    """The heads, from their weights by name as `training.trees.network` names them; `root` is that relation's number.

    `pairs` tells of each part of speech and each set of features whether a word may have both, `[pos, features]`.

    The score of a word d on a head h is biaffine (Dozat and Manning, 2017): s(d, h) = [a_d; 1]ᵀ U b_h, with a and b of
    one hidden layer each; that of its relation r is [c_d; 1]ᵀ R_r [e_h; 1].
    """

    def __init__(self, weights: Mapping[str, Floats], root: int, pairs: npt.NDArray[np.bool_]) -> None:
        self._weights, self._root, self._pairs = weights, root, pairs

    def read(self, words: Sequence[str], lengths: Sequence[int], pieces: Floats) -> Found:
        """The tree of T words of so many pieces each; `pieces` are vectors, `[pieces, size]`, with those of marks."""
        own, above = self._own(words, lengths, pieces)
        heads = best_heads(self._arcs(own, above))
        chosen = np.array(heads) + 1
        return Found(heads, self._relations(own, above[chosen], chosen == 0), *self._tags(own))

    def _own(self, words: Sequence[str], lengths: Sequence[int], pieces: Floats) -> tuple[Floats, Floats]:
        """Vectors of words, `[T, 2 × size]`, and of what they may hang on, `[T + 1, 2 × size]`."""
        ends = np.cumsum(lengths)
        letters = np.array(spelling(words), dtype=np.float32)
        first = pieces[1 + ends - lengths] + self._linear("spelling", letters)
        own = np.concatenate([first, pieces[ends]], axis=1)
        return own, np.concatenate([np.tile(self._weights["root"], 2)[None], own])

    def _arcs(self, own: Floats, above: Floats) -> npt.NDArray[np.float64]:
        dependents = _with_one(self._hidden("arc_dependent", own))
        scores = dependents @ self._weights["arc"] @ self._hidden("arc_head", above).T
        return np.asarray(scores, dtype=np.float64)

    def _relations(self, own: Floats, above: Floats, is_root: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        dependents = _with_one(self._hidden("relation_dependent", own))
        heads = _with_one(self._hidden("relation_head", above))
        scores = np.einsum("td,rde,te->tr", dependents, self._weights["relation"], heads, optimize=True)
        scores[~is_root, self._root] = -np.inf
        found: npt.NDArray[np.int64] = np.where(is_root, self._root, scores.argmax(axis=1))
        return found

    def _tags(self, own: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Parts of speech and features, of all pairs that go together the likeliest."""
        pos = self._linear("pos_out", self._hidden("pos", own))
        features = self._linear("features_out", self._hidden("features", own))
        both = pos[:, :, None] + features[:, None, :]
        both[:, ~self._pairs] = -np.inf
        best = both.reshape(len(own), -1).argmax(axis=1)
        return best // features.shape[1], best % features.shape[1]

    def _hidden(self, name: str, vectors: Floats) -> Floats:
        return gelu(self._linear(name, vectors))

    def _linear(self, name: str, vectors: Floats) -> Floats:
        found: Floats = vectors @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found


def _with_one(vectors: Floats) -> Floats:
    return np.concatenate([vectors, np.ones_like(vectors[:, :1])], axis=1)
