"""Building the benchmark from WebNLG (section 3.2): texts paired with partitions of their meanings, and the splits.

The paper keeps complex sentences apart. Aharoni & Goldberg (2018) found that the facts of nearly all test sentences
are in training all the same, as other words for the same triples, so a model can do well by memory. Here the second
protocol keeps pairs of subject and property apart: a side is chosen for each pair, and a complex sentence whose pairs
are on different sides is dropped.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rewrite.splitting.triples.triple import Triple, depth_first
from training.disk import write_json
from training.papers.websplit.benchmark import (
    PARTS,
    ComplexSentence,
    Part,
    Reading,
    WebSplit,
    write_rows,
)
from training.papers.websplit.figures import Statistics, count, statistics_table
from training.papers.websplit.webnlg import Meaning, merge, read_entries, segment

SIDES = ("train", "dev", "test")
PROTOCOLS = ("paper", "leak-free")
_SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
Pair = tuple[str, str]
Split = dict[str, list[ComplexSentence]]


def sentence_id(text: str) -> str:
    """Sixteen hexadecimal digits that a complex sentence is known by."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def pair(meanings: Sequence[Meaning]) -> tuple[WebSplit, list[ComplexSentence]]:
    """All items of the benchmark, from meanings with different sets of triples each.

    A complex sentence is a text of one sentence, single-sentence texts of several meanings being one complex sentence
    with several readings. Sentences without a rephrasing are left out.
    """
    parts = _segmented(meanings)
    known = {frozenset(part.triples): number for number, part in enumerate(parts)}
    readings: dict[str, list[Reading]] = {}
    for number, part in enumerate(parts):
        single = [text[0] for text in part.texts if len(text) == 1]
        if not single:
            continue
        several = len(single) < len(part.texts)
        parted = tuple(p for p in partitions(part.triples, known) if len(p) > 1 or several)
        if parted:
            for text in single:
                readings.setdefault(text, []).append(Reading(number, parted))
    items = [ComplexSentence(sentence_id(text), text, tuple(parted)) for text, parted in readings.items()]
    return WebSplit(tuple(parts)), items


def _segmented(meanings: Sequence[Meaning]) -> list[Part]:
    texts = [(text, meaning.triples) for meaning in meanings for text in meaning.texts]
    cut = iter(segment(texts))
    return [
        # Two texts that differ only in a space between sentences are one.
        Part(meaning.category, depth_first(meaning.triples), tuple(dict.fromkeys(next(cut) for _ in meaning.texts)))
        for meaning in meanings
    ]


def partitions(triples: Sequence[Triple], known: Mapping[frozenset[Triple], int]) -> Iterator[tuple[int, ...]]:
    """Each partition of `triples` into sets of `known`, as the values of these, in the order of their first triples.

    With `triples` in depth-first order that is the order of the texts in section 3.2. The partition into one set is
    among them. At most 7 triples make at most 877 partitions.
    """
    if not triples:
        yield ()
        return
    # Who holds the first triple left is the next block, so nothing is found twice.
    first, *others = triples
    for picked in itertools.product((False, True), repeat=len(others)):
        sides = list(zip(others, reversed(picked), strict=True))
        block = known.get(frozenset([first, *(triple for triple, taken in sides if taken)]))
        if block is not None:
            for rest in partitions([triple for triple, taken in sides if not taken], known):
                yield (block, *rest)


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


def sharing(
    some: Iterable[ComplexSentence], others: Iterable[ComplexSentence], benchmark: WebSplit
) -> list[ComplexSentence]:
    """Those of `some` that hold a subject and property that `others` hold."""
    known: set[Pair] = set().union(*(_pairs(sentence, benchmark) for sentence in others))
    return [sentence for sentence in some if not known.isdisjoint(_pairs(sentence, benchmark))]


def build(files: Sequence[Path], out: Path, *, seed: int = 0, categories: Sequence[str] = ()) -> str:
    """Write the benchmark made of WebNLG `files` to the folder `out`; returns the statistics as a table.

    `parts.jsonl` and `statistics.json` lie in the folder, `train.jsonl`, `dev.jsonl` and `test.jsonl` in one more for
    each protocol. The same files and seed give the same bytes. Raises `BadInput` and `CannotWrite`.
    """
    entries = read_entries(files)
    meanings = merge(entry for entry in entries if not categories or entry.category in categories)
    benchmark, sentences = pair(meanings)
    write_rows(out / PARTS, benchmark.parts)
    columns: dict[str, Statistics] = {"all": count(sentences, benchmark)}
    notes: list[str] = []
    for protocol in PROTOCOLS:
        split = leak_free(sentences, benchmark, seed) if protocol == "leak-free" else paper(sentences, seed)
        for side in SIDES:
            write_rows(out / protocol / f"{side}.jsonl", split[side])
            columns[f"{protocol}/{side}"] = count(split[side], benchmark)
        notes.append(_note(protocol, split, benchmark, len(sentences)))
    figures = {"seed": seed, "files": len(files), **columns}
    write_json(out / "statistics.json", figures)
    return "\n".join([statistics_table(columns), *notes])


def _note(protocol: str, split: Split, benchmark: WebSplit, total: int) -> str:
    held = len(sharing(split["test"], split["train"], benchmark))
    dropped = total - sum(map(len, split.values()))
    return (
        f"{protocol}: {held:,} of {len(split['test']):,} test sentences hold a subject and property of training; "
        f"{dropped:,} sentences dropped"
    )
