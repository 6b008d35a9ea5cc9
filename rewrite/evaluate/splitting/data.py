"""What an example of split-and-rephrase is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SplitExample", "SplitSet"]


@dataclass(frozen=True, slots=True)
class SplitExample:
    """A complex sentence with its gold rewrites, at least one, the sentences of each joined by a space.

    `sentences` is how many the first of them has, 0 where the set does not mark where its sentences end.
    """

    source: str
    references: tuple[str, ...]
    sentences: int = 0


@dataclass(frozen=True, slots=True)
class SplitSet:
    """Examples of one corpus under its `name`, with the part and the rows that were taken."""

    name: str
    examples: tuple[SplitExample, ...]
