"""The parser's heads in numpy: from vectors of word pieces to the tree with the highest sum of scores, with tags.

`training.parsing.network` learns them in torch; a test compares scores of arcs, and the trees of a small treebank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.masked.packed import gelu

Floats = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float64]
SPELLING = 4
"""What is told of a word's letters, for word pieces have no case; see `spelling`."""
_NEVER = -1e4
_EACH_ROOT = 1e6
"""Taken from the score of each word that hangs on nothing: a tree with two of them is never the best."""
_LAYERS = (
    *("spelling", "arc_dependent", "arc_head", "relation_dependent", "relation_head"),
    *("pos", "pos_out", "features", "features_out"),
)
WEIGHTS = ("root", "arc", "relation", *(f"{layer}.{part}" for layer in _LAYERS for part in ("weight", "bias")))
"""The names of all weights."""


@dataclass(frozen=True)
class NumberedParse:
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
    """The heads, from their weights by name as `training.parsing.network` names them; `root` is that relation's.

    `pairs` tells of each part of speech and each set of features whether a word may have both, `[pos, features]`.

    The score of a word d on a head h is biaffine (Dozat and Manning, 2017): s(d, h) = [a_d; 1]ᵀ U b_h, with a and b of
    one hidden layer each; that of its relation r is [c_d; 1]ᵀ R_r [e_h; 1].
    """

    def __init__(self, weights: Mapping[str, Floats], root: int, pairs: npt.NDArray[np.bool_]) -> None:
        self._weights, self._root, self._pairs = weights, root, pairs

    def vectors(self, words: Sequence[str], lengths: Sequence[int], pieces: Floats) -> tuple[Floats, Floats]:
        """Vectors of words, `[T, 2 × size]`, and of what they may hang on, `[T + 1, 2 × size]`."""
        ends = np.cumsum(lengths)
        letters = np.array(spelling(words), dtype=np.float32)
        first = pieces[1 + ends - lengths] + self._linear("spelling", letters)
        vectors = np.concatenate([first, pieces[ends]], axis=1)
        return vectors, np.concatenate([np.tile(self._weights["root"], 2)[None], vectors])

    def arcs(self, vectors: Floats, above: Floats) -> npt.NDArray[np.float64]:
        """Scores of each word on each head, `[T, T + 1]`."""
        dependents = _with_one(self._hidden("arc_dependent", vectors))
        scores = dependents @ self._weights["arc"] @ self._hidden("arc_head", above).T
        return np.asarray(scores, dtype=np.float64)

    def relations(self, vectors: Floats, above: Floats, is_root: npt.NDArray[np.bool_]) -> Floats:
        """Log-probabilities of each word's relation to its head, `[T, relations]`; `above` has the heads' vectors."""
        dependents = _with_one(self._hidden("relation_dependent", vectors))
        heads = _with_one(self._hidden("relation_head", above))
        scores = np.einsum("td,rde,te->tr", dependents, self._weights["relation"], heads, optimize=True)
        others = np.arange(scores.shape[1]) != self._root
        scores[is_root[:, None] == others] = _NEVER
        return _log_softmax(scores)

    def tags(self, vectors: Floats) -> Floats:
        """Log-probabilities of a part of speech with features, `[T, pos, features]`, of those that go together."""
        pos = self._linear("pos_out", self._hidden("pos", vectors))
        features = self._linear("features_out", self._hidden("features", vectors))
        both: Floats = _log_softmax(pos)[:, :, None] + _log_softmax(features)[:, None, :]
        both[:, ~self._pairs] = _NEVER
        return both

    def _hidden(self, name: str, vectors: Floats) -> Floats:
        return gelu(self._linear(name, vectors))

    def _linear(self, name: str, vectors: Floats) -> Floats:
        outputs: Floats = vectors @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return outputs


def read_together(
    parsers: Sequence[TreeHeads], words: Sequence[str], lengths: Sequence[int], pieces: Sequence[Floats]
) -> NumberedParse:
    """The tree of T words that some parsers find together, or one by itself: their log-probabilities are summed.

    `lengths` are pieces of each word; `pieces` has for each parser its vectors, `[pieces, size]`, with those of marks.
    """
    seen = [parser.vectors(words, lengths, vectors) for parser, vectors in zip(parsers, pieces, strict=True)]
    heads = best_heads(_sum(_log_softmax(parser.arcs(*both)) for parser, both in zip(parsers, seen, strict=True)))
    chosen = np.array(heads) + 1
    relations = _sum(
        parser.relations(vectors, above[chosen], chosen == 0)
        for parser, (vectors, above) in zip(parsers, seen, strict=True)
    )
    tags = _sum(parser.tags(vectors) for parser, (vectors, _) in zip(parsers, seen, strict=True))
    best = tags.reshape(len(tags), -1).argmax(axis=1)
    return NumberedParse(heads, relations.argmax(axis=1), best // tags.shape[2], best % tags.shape[2])


def _sum(tables: Iterable[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    total: npt.NDArray[Any] = np.sum(list(tables), axis=0)
    return total


def _log_softmax(scores: npt.NDArray[Any]) -> npt.NDArray[Any]:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    logs: npt.NDArray[Any] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logs


def _with_one(vectors: Floats) -> Floats:
    return np.concatenate([vectors, np.ones_like(vectors[:, :1])], axis=1)


def best_heads(scores: Scores) -> list[int]:
    """The head of each of T words in the best tree with one root (Chu and Liu 1965, Edmonds 1967), −1 for the root.

    `scores` is `[T, T + 1]`: how well a word hangs on nothing (column 0) or on the word of the column before. Finite
    numbers, much smaller than a million; those of a word on itself count for nothing.
    """
    count = len(scores)
    table = np.full((count + 1, count + 1), -np.inf)
    table[1:] = scores
    table[1:, 0] -= _EACH_ROOT
    np.fill_diagonal(table, -np.inf)
    return [head - 1 for head in _arborescence(table)[1:]]


def _arborescence(table: Scores) -> list[int]:
    """For each node but 0, from which all others hang, its head; `table[n, m]` is the score of n on m."""
    heads = [0, *(int(head) for head in table[1:].argmax(axis=1))]
    cycle = _cycle(heads)
    return heads if not cycle else _resolved(table, heads, cycle)


def _cycle(heads: list[int]) -> list[int]:
    """The nodes of a cycle; empty where there is none."""
    done = {0}
    for start in range(1, len(heads)):
        path: list[int] = []
        node = start
        while node not in done:
            done.add(node)
            path.append(node)
            node = heads[node]
        if node in path:
            return path[path.index(node) :]
    return []


def _resolved(table: Scores, heads: list[int], cycle: list[int]) -> list[int]:
    """Heads of the best tree where the best heads of all form a `cycle`, which counts as one node for a while."""
    rest = [node for node in range(len(heads)) if node not in cycle]
    last = len(rest)
    ring, others = np.array(cycle), np.array(rest)
    # What it costs each node of the cycle to hang elsewhere, and which of them a node outside would best hang on.
    entering = table[np.ix_(ring, others)] - table[ring, [heads[node] for node in cycle]][:, None]
    leaving = table[np.ix_(others, ring)]
    small = np.full((last + 1, last + 1), -np.inf)
    small[:last, :last] = table[np.ix_(others, others)]
    small[last, :last] = entering.max(axis=0)
    small[:last, last] = leaving.max(axis=1)
    small_heads = _arborescence(small)
    for place, node in enumerate(rest[1:], 1):
        heads[node] = cycle[int(leaving[place].argmax())] if small_heads[place] == last else rest[small_heads[place]]
    entered = cycle[int(entering[:, small_heads[last]].argmax())]
    heads[entered] = rest[small_heads[last]]
    return heads
