"""Learning to split: how probable each partition of a tree of triples is, by the shape of the tree alone (section 5.4).

`rewrite.splitting.triples.partition` tells what is counted and how it is used.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from rewrite.splitting.triples.partition import Partitioner, Pattern
from rewrite.splitting.triples.triple import skeleton
from training.websplit.benchmark import ComplexSentence, WebSplit

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


def learn_splitter(benchmark: WebSplit, sentences: Iterable[ComplexSentence]) -> Splitter:
    """Count the partitions of the sentences' meanings, each pair of a meaning and a partition once."""
    counts: dict[str, Counter[Pattern]] = {}
    pairs = {(r.meaning, partition) for s in sentences for r in s.readings for partition in r.partitions}
    for meaning, partition in sorted(pairs):
        triples = benchmark.parts[meaning].triples
        block = {triple: n for n, part in enumerate(partition) for triple in benchmark.parts[part].triples}
        counts.setdefault(skeleton(triples), Counter())[tuple(block[triple] for triple in triples)] += 1
    return Splitter(counts)
