"""Learning to split: how probable each partition of a tree of triples is, by the shape of the tree alone (section 5.4).

A skeleton is what is left of M_C without names and properties: which triple hangs on which node. A pattern says of the
triples, in depth-first order, which block each belongs to. P(M_1 … M_n | M_C) is how often the pattern occurs with the
skeleton among distinct pairs ⟨M_C, (M_1 … M_n)⟩ of training.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from training.websplit.benchmark import ComplexSentence, WebSplit
from training.websplit.triples import Triple

__all__ = ["Splitter", "learn_splitter", "skeleton"]

Pattern = tuple[int, ...]
"""For each triple the number of its block, blocks numbered by their first triples: (0, 1, 0)."""


def skeleton(triples: Sequence[Triple]) -> str:
    """The shape of the triples, given depth-first: their nodes numbered as they appear, `0-1 1-2 0-3`."""
    numbers: dict[str, int] = {}
    edges = []
    for triple in triples:
        subject = numbers.setdefault(triple.subject, len(numbers))
        edges.append(f"{subject}-{numbers.setdefault(triple.object, len(numbers))}")
    return " ".join(edges)


@dataclass(frozen=True)
class Splitter:
    """Counts of patterns for each skeleton."""

    counts: dict[str, Counter[Pattern]]

    @property
    def skeletons(self) -> int:
        """How many skeletons training has."""
        return len(self.counts)

    @property
    def patterns(self) -> int:
        """How many pairs of a skeleton and a pattern it has."""
        return sum(map(len, self.counts.values()))

    def candidates(self, triples: Sequence[Triple]) -> list[tuple[tuple[tuple[Triple, ...], ...], float]]:
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

    def split(self, triples: Sequence[Triple]) -> tuple[tuple[Triple, ...], ...]:
        """The most probable partition, blocks in the order of their texts."""
        return self.candidates(triples)[0][0]

    def to_json(self) -> str:
        """A JSON object: skeleton → pattern → count."""
        table = {
            shape: {" ".join(map(str, pattern)): count for pattern, count in sorted(found.items())}
            for shape, found in sorted(self.counts.items())
        }
        return json.dumps(table, indent=1) + "\n"

    @staticmethod
    def from_json(text: str) -> Splitter:
        """What `to_json` has written."""
        table = json.loads(text)
        return Splitter(
            {
                shape: Counter({tuple(map(int, pattern.split())): count for pattern, count in found.items()})
                for shape, found in table.items()
            }
        )


def _blocks(triples: Sequence[Triple], pattern: Pattern) -> tuple[tuple[Triple, ...], ...]:
    blocks: dict[int, list[Triple]] = {}
    for triple, block in zip(triples, pattern, strict=True):
        blocks.setdefault(block, []).append(triple)
    return tuple(tuple(block) for _, block in sorted(blocks.items()))


def learn_splitter(benchmark: WebSplit, sentences: Iterable[ComplexSentence]) -> Splitter:
    """Count the partitions of the sentences' meanings, each pair of a meaning and a partition once."""
    counts: dict[str, Counter[Pattern]] = {}
    pairs = {(r.meaning, partition) for s in sentences for r in s.readings for partition in r.partitions}
    for meaning, partition in sorted(pairs):
        triples = benchmark.parts[meaning].triples
        block = {triple: n for n, part in enumerate(partition) for triple in benchmark.parts[part].triples}
        counts.setdefault(skeleton(triples), Counter())[tuple(block[triple] for triple in triples)] += 1
    return Splitter(counts)
