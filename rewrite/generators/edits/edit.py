"""One change to a sentence, and the way several changes make a candidate."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Edit"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that can be made or not.

    `node` is the word whose subtree is cut out (−1: none). `changes` maps tokens to their new text, `touched` are the
    tokens that no other edit may change at the same time, `risk` is −log of the chance that an editor passes it.
    `label` says what was done, for `--explain`, `entry` which row of the dictionary was used.
    """

    kind: str
    label: str
    node: int = -1
    changes: tuple[tuple[int, str], ...] = ()
    touched: frozenset[int] = frozenset()
    risk: float = 0.0
    entry: str = ""
