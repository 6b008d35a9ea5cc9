"""Partitions of a tree of triples, by its shape alone (section 5.4 of *Split and Rephrase*).

A skeleton is what is left of M_C without names and properties: which triple hangs on which node. A pattern says of the
triples, in depth-first order, which block each belongs to. P(M_1 … M_n | M_C) is how often the pattern occurs with the
skeleton among distinct pairs ⟨M_C, (M_1 … M_n)⟩ of training.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rewrite.splitting.triples.triple import Triple, skeleton

__all__ = ["Partition", "Partitioner", "Pattern"]

Pattern = tuple[int, ...]
"""For each triple the number of its block, blocks numbered by their first triples: (0, 1, 0)."""
Partition = tuple[tuple[Triple, ...], ...]
"""The blocks in the order of their texts."""


@dataclass(frozen=True)
class Partitioner:
    """Counts of patterns for each skeleton."""

    counts: Mapping[str, Counter[Pattern]]

    @property
    def skeletons(self) -> int:
        """How many skeletons training has."""
        return len(self.counts)

    @property
    def patterns(self) -> int:
        """How many pairs of a skeleton and a pattern it has."""
        return sum(map(len, self.counts.values()))

    def candidates(self, triples: Sequence[Triple]) -> list[tuple[Partition, float]]:
        """Partitions of the triples with their probabilities, most probable first, ties by the pattern.

        The partition into one is not among them: a split has two parts at least. Of a shape that training lacks, and
        of one triple, the parts are single triples.
        """
        found = {pattern: n for pattern, n in self.counts.get(skeleton(triples), Counter()).items() if any(pattern)}
        if not found:
            return [(tuple((triple,) for triple in triples), 1.0)]
        total = sum(found.values())
        ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return [(_blocks(triples, pattern), count / total) for pattern, count in ranked]

    def split(self, triples: Sequence[Triple]) -> Partition:
        """The most probable partition, blocks in the order of their texts."""
        return self.candidates(triples)[0][0]

    def plain(self) -> dict[str, dict[str, int]]:
        """Skeleton → pattern → count, both as text: for JSON."""
        return {
            shape: {" ".join(map(str, pattern)): count for pattern, count in sorted(found.items())}
            for shape, found in sorted(self.counts.items())
        }

    @staticmethod
    def of_plain(table: Mapping[str, Mapping[str, int]]) -> Partitioner:
        """What `plain` has given. Raises `ValueError`."""
        return Partitioner(
            {
                shape: Counter({tuple(map(int, pattern.split())): int(count) for pattern, count in found.items()})
                for shape, found in table.items()
            }
        )


def _blocks(triples: Sequence[Triple], pattern: Pattern) -> Partition:
    blocks: dict[int, list[Triple]] = {}
    for triple, block in zip(triples, pattern, strict=True):
        blocks.setdefault(block, []).append(triple)
    return tuple(tuple(block) for _, block in sorted(blocks.items()))
