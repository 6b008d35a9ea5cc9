"""Learning to split: how probable each partition of a tree of triples is, by the shape of the tree alone (section 5.4).

A skeleton is what is left of M_C without names and properties: which triple hangs on which node. A pattern says of the
triples, in depth-first order, which block each belongs to. P(M_1 … M_n | M_C) is how often the pattern occurs with the
skeleton among the items of training, or among its distinct pairs ⟨M_C, (M_1 … M_n)⟩: the paper tells of both.

`rewrite.splitting.triples.partition` tells how it is used.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from rewrite.splitting.triples.partition import Partitioner, Pattern
from rewrite.splitting.triples.triple import skeleton
from training.papers.websplit.benchmark import ComplexSentence, WebSplit

__all__ = ["Splitter", "learn_splitter", "skeleton"]


class Splitter(Partitioner):
    """Counts of patterns for each skeleton, as a system of Table 3 keeps them."""

    def to_json(self) -> str:
        """A JSON object: skeleton → pattern → count."""
        return json.dumps(self.plain(), indent=1) + "\n"

    @staticmethod
    def from_json(text: str) -> Splitter:
        """What `to_json` has written."""
        return Splitter(Partitioner.of_plain(json.loads(text)).counts)


def learn_splitter(
    benchmark: WebSplit, sentences: Iterable[ComplexSentence], *, counted: Literal["items", "pairs"] = "items"
) -> Splitter:
    """Count the partitions of the sentences' meanings: each rephrasing, or each pair of meaning and partition once."""
    counts: dict[str, Counter[Pattern]] = {}
    pairs = Counter((r.meaning, partition) for s in sentences for r in s.readings for partition in r.partitions)
    for (meaning, partition), times in sorted(pairs.items()):
        triples = benchmark.parts[meaning].triples
        block = {triple: n for n, part in enumerate(partition) for triple in benchmark.parts[part].triples}
        weight = times * benchmark.count_partition(partition) if counted == "items" else 1
        counts.setdefault(skeleton(triples), Counter())[tuple(block[triple] for triple in triples)] += weight
    return Splitter(counts)
