"""The benchmark in factored form: complex sentences, partitions of their triples, and the texts of each part.

The rephrasings of a sentence are the product of these texts: up to tens of thousands. They are counted without being
made, made one after the other, or drawn.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from training.papers.websplit.triples import Triple

__all__ = ["ComplexSentence", "Part", "Reading", "Rephrasing", "WebSplit"]

Sentences = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A set of triples M_i, in depth-first order, with its texts T_i, each as its sentences."""

    category: str
    triples: tuple[Triple, ...]
    texts: tuple[Sentences, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A meaning M_C that a complex sentence has, and its partitions; all are numbers of `WebSplit.parts`.

    Within a partition, parts stand in the order of their texts. A partition of one part, `meaning` itself, stands for
    the texts of at least two sentences that the entry of the complex sentence has ("within entries").
    """

    meaning: int
    partitions: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ComplexSentence:
    """A distinct complex sentence C. `id` is a hash of its text; most sentences have one reading."""

    id: str
    text: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Rephrasing:
    """T_1 … T_n for a partition of the meaning: the parts, and for each of them the sentences of its text."""

    parts: tuple[int, ...]
    texts: tuple[Sentences, ...]

    @property
    def sentences(self) -> Sentences:
        """All sentences, at least two."""
        return tuple(itertools.chain.from_iterable(self.texts))

    @property
    def text(self) -> str:
        """The sentences, joined by spaces."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class WebSplit:
    """The parts that all complex sentences refer to, and what can be asked about a sentence."""

    parts: tuple[Part, ...]

    def choices(self, partition: Sequence[int]) -> list[Sequence[Sentences]]:
        """For each part of a partition the texts that may stand for it."""
        if len(partition) == 1:
            return [[text for text in self.parts[partition[0]].texts if len(text) > 1]]
        return [self.parts[part].texts for part in partition]

    def count(self, sentence: ComplexSentence) -> int:
        """The number of rephrasings, pairs ⟨(M_C, C), {(M_1, T_1) … (M_n, T_n)}⟩."""
        return sum(self.count_partition(partition) for _, partition in _partitions(sentence))

    def count_partition(self, partition: Sequence[int]) -> int:
        """The number of rephrasings by one partition."""
        return math.prod(map(len, self.choices(partition)))

    def rephrasings(self, sentence: ComplexSentence) -> Iterator[Rephrasing]:
        """All rephrasings, one after the other; different ones may have the same text."""
        for _, partition in _partitions(sentence):
            for texts in itertools.product(*self.choices(partition)):
                yield Rephrasing(partition, texts)

    def sample(self, sentence: ComplexSentence, k: int, seed: int) -> list[Rephrasing]:
        """`k` different rephrasings, or all where there are fewer, drawn uniformly without enumerating them.

        A seed gives the same draw for the same sentence, whatever else was drawn before.
        """
        total = self.count(sentence)
        draw = random.Random(f"{seed} {sentence.id}")
        places = range(total) if total <= k else sorted(draw.sample(range(total), k))
        return [self.at(sentence, place) for place in places]

    def at(self, sentence: ComplexSentence, place: int) -> Rephrasing:
        """The rephrasing that `rephrasings` gives at `place`, from 0; `IndexError` where there is none."""
        for _, partition in _partitions(sentence):
            size = self.count_partition(partition)
            if 0 <= place < size:
                return Rephrasing(partition, self._texts(partition, place))
            place -= size
        raise IndexError("no such rephrasing")

    def _texts(self, partition: Sequence[int], place: int) -> tuple[Sentences, ...]:
        texts: list[Sentences] = []
        for choice in reversed(self.choices(partition)):
            place, chosen = divmod(place, len(choice))
            texts.append(choice[chosen])
        return tuple(reversed(texts))


def _partitions(sentence: ComplexSentence) -> Iterator[tuple[int, tuple[int, ...]]]:
    for reading in sentence.readings:
        for partition in reading.partitions:
            yield reading.meaning, partition
