"""The tree with the highest sum of scores (Chu and Liu 1965, Edmonds 1967), with one root."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["best_heads"]

Floats = npt.NDArray[np.float64]
_EACH_ROOT = 1e6
"""Taken from the score of each word that hangs on nothing: a tree with two of them is never the best."""


def best_heads(scores: Floats) -> list[int]:
    """The head of each of T words in the best tree, −1 for its root.

    `scores` is `[T, T + 1]`: how well a word hangs on nothing (column 0) or on the word of the column before. Finite
    numbers, much smaller than a million; those of a word on itself count for nothing.
    """
    count = len(scores)
    table = np.full((count + 1, count + 1), -np.inf)
    table[1:] = scores
    table[1:, 0] -= _EACH_ROOT
    np.fill_diagonal(table, -np.inf)
    return [head - 1 for head in _arborescence(table)[1:]]


def _arborescence(table: Floats) -> list[int]:
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


def _resolved(table: Floats, heads: list[int], cycle: list[int]) -> list[int]:
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
    found = _arborescence(small)
    for place, node in enumerate(rest[1:], 1):
        heads[node] = cycle[int(leaving[place].argmax())] if found[place] == last else rest[found[place]]
    entered = cycle[int(entering[:, found[last]].argmax())]
    heads[entered] = rest[found[last]]
    return heads
