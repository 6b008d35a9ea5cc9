"""What each neural system of Table 3 learns from: one or two sources and a target (the paper's Table 2)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.linear import linearise

__all__ = ["TASKS", "Example", "examples"]


@dataclass(frozen=True, slots=True)
class Example:
    """The texts of the encoders, one or two, and the text to write."""

    sources: tuple[str, ...]
    target: str


def _whole(benchmark: WebSplit, sentences: Iterable[ComplexSentence], k: int, seed: int) -> list[Example]:
    """Given C, predict T: at most `k` rephrasings of each."""
    return [
        Example((sentence.text,), rephrasing.text)
        for sentence in sentences
        for rephrasing in benchmark.sample(sentence, k, seed)
    ]


def _whole_with_triples(benchmark: WebSplit, sentences: Iterable[ComplexSentence], k: int, seed: int) -> list[Example]:
    """Given C and M_C, predict T: at most `k` rephrasings of each."""
    found = []
    for sentence in sentences:
        triples = linearise(benchmark.parts[sentence.readings[0].meaning].triples)
        found += [Example((sentence.text, triples), r.text) for r in benchmark.sample(sentence, k, seed)]
    return found


def _used(sentences: Iterable[ComplexSentence]) -> list[int]:
    """The parts of all partitions, ascending."""
    return sorted({part for s in sentences for reading in s.readings for p in reading.partitions for part in p})


def _parts(benchmark: WebSplit, sentences: Iterable[ComplexSentence], k: int, seed: int) -> list[Example]:
    """Given M_i, predict T_i: each text of each part once; `k` and `seed` change nothing."""
    found = []
    for number in _used(sentences):
        part = benchmark.parts[number]
        found += [Example((linearise(part.triples),), " ".join(text)) for text in part.texts]
    return found


def _parts_of_sentence(benchmark: WebSplit, sentences: Iterable[ComplexSentence], k: int, seed: int) -> list[Example]:
    """Given C and M_i, predict T_i: at most `k` distinct pairs of each sentence."""
    found = []
    for sentence in sentences:
        pairs = [(number, text) for number in _used([sentence]) for text in benchmark.parts[number].texts]
        draw = random.Random(f"{seed} {sentence.id}")
        for number, text in pairs if len(pairs) <= k else draw.sample(pairs, k):
            found.append(Example((sentence.text, linearise(benchmark.parts[number].triples)), " ".join(text)))
    return found


Task = Callable[[WebSplit, Iterable[ComplexSentence], int, int], list[Example]]
TASKS: dict[str, Task] = {
    "seq2seq": _whole,
    "multiseq2seq": _whole_with_triples,
    "split-seq2seq": _parts,
    "split-multiseq2seq": _parts_of_sentence,
}
"""The neural systems, and what makes the examples of each."""


def examples(
    system: str, benchmark: WebSplit, sentences: Sequence[ComplexSentence], *, k: int, seed: int
) -> list[Example]:
    """The examples of a system of `TASKS`, in a random order that depends on the seed alone."""
    found = TASKS[system](benchmark, sentences, k, seed)
    random.Random(seed).shuffle(found)
    return found
