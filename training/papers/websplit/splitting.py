"""Training, validation and test parts: as in the paper, and without a subject and property in common.

The paper keeps complex sentences apart. Aharoni & Goldberg (2018) found that the facts of nearly all test sentences
are in training all the same, as other words for the same triples, so a model can do well by memory. Here the second
protocol keeps pairs of subject and property apart: a side is chosen for each pair, and a complex sentence whose pairs
are on different sides is dropped.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from training.papers.websplit.benchmark import ComplexSentence, WebSplit

__all__ = ["PROTOCOLS", "SIDES", "leak_free", "paper", "shared_pairs"]

SIDES = ("train", "dev", "test")
PROTOCOLS = ("paper", "leak-free")
_SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
Pair = tuple[str, str]
Split = dict[str, list[ComplexSentence]]


def _fraction(seed: int, text: str) -> float:
    """A number in [0, 1) that depends on nothing but seed and text."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{text}".encode()).digest()[:8], "big") / 2**64


def _side(fraction: float) -> str:
    """80 % train, 10 % dev, 10 % test (section 6.1)."""
    return "train" if fraction < _SHARES["train"] else "dev" if fraction < 1 - _SHARES["test"] else "test"


def paper(sentences: Iterable[ComplexSentence], seed: int) -> Split:
    """80/10/10 by a hash of the distinct complex sentence: which side one is on depends on no other."""
    split: Split = {side: [] for side in SIDES}
    for sentence in sentences:
        split[_side(_fraction(seed, sentence.text))].append(sentence)
    return split


def leak_free(sentences: Sequence[ComplexSentence], benchmark: WebSplit, seed: int) -> Split:
    """Sides without a pair of subject and property in common; sentences that hold pairs of two sides are dropped.

    Sentences are grouped by the subject that their first reading's tree begins with, groups dealt to sides by a hash of
    it, so that each side has about its share of sentences. A pair belongs to the side where most sentences hold it.
    """
    pairs = {sentence.id: _pairs(sentence, benchmark) for sentence in sentences}
    dealt = _deal(sentences, benchmark, seed)
    votes: dict[Pair, Counter[str]] = {}
    for sentence in sentences:
        for pair in pairs[sentence.id]:
            votes.setdefault(pair, Counter())[dealt[_root(sentence, benchmark)]] += 1
    sides = {pair: max(SIDES, key=lambda side: counts[side]) for pair, counts in votes.items()}
    split: Split = {side: [] for side in SIDES}
    for sentence in sentences:
        held = {sides[pair] for pair in pairs[sentence.id]}
        if len(held) == 1:
            split[held.pop()].append(sentence)
    return split


def _deal(sentences: Iterable[ComplexSentence], benchmark: WebSplit, seed: int) -> Mapping[str, str]:
    """A side for each root; whole groups go to the side that is furthest below its share, in the order of a hash."""
    sizes = Counter(_root(sentence, benchmark) for sentence in sentences)
    filled = dict.fromkeys(SIDES, 0)
    dealt: dict[str, str] = {}
    for root in sorted(sizes, key=lambda name: _fraction(seed, name)):
        side = min(SIDES, key=lambda name: filled[name] / _SHARES[name])
        dealt[root] = side
        filled[side] += sizes[root]
    return dealt


def _root(sentence: ComplexSentence, benchmark: WebSplit) -> str:
    return benchmark.parts[sentence.readings[0].meaning].triples[0].subject


def _pairs(sentence: ComplexSentence, benchmark: WebSplit) -> frozenset[Pair]:
    triples = (triple for reading in sentence.readings for triple in benchmark.parts[reading.meaning].triples)
    return frozenset(triple.pair() for triple in triples)


def shared_pairs(
    some: Iterable[ComplexSentence], others: Iterable[ComplexSentence], benchmark: WebSplit
) -> tuple[int, int]:
    """How many of `some` hold a subject and property that `others` hold, and how many distinct such pairs there are."""
    known: set[Pair] = set().union(*(_pairs(sentence, benchmark) for sentence in others))
    found = [shared for sentence in some if (shared := _pairs(sentence, benchmark) & known)]
    return len(found), len(set().union(*found))
