"""The benchmark in factored form: complex sentences, partitions of their triples, and the texts of each part.

The rephrasings of a sentence are the product of these texts: up to tens of thousands. They are counted without being
made, or made one after the other. Files are JSON lines, factored alike; docs/websplit.md tells the format.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter, ValidationError

from rerank.errors import BadInput
from rewrite.datasets import placed_lines
from rewrite.splitting.triples.triple import Triple
from training.disk import write_text

Sentences = tuple[str, ...]
_Triple = Annotated[
    Triple,
    BeforeValidator(lambda row: Triple(*row) if isinstance(row, list) else row),
    PlainSerializer(lambda triple: [triple.subject, triple.property, triple.object]),
]
PARTS = "parts.jsonl"
_BUILD = "Build it again: python -m training.papers.websplit build"
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class Part:
    """A set of triples M_i, in depth-first order, with its texts T_i, each as its sentences."""

    category: str
    triples: tuple[_Triple, ...]
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
        return sum(self.count_partition(partition) for partition in _partitions(sentence))

    def count_partition(self, partition: Sequence[int]) -> int:
        """The number of rephrasings by one partition."""
        return math.prod(map(len, self.choices(partition)))

    def rephrasings(self, sentence: ComplexSentence) -> Iterator[Rephrasing]:
        """All rephrasings, one after the other; different ones may have the same text."""
        for partition in _partitions(sentence):
            for texts in itertools.product(*self.choices(partition)):
                yield Rephrasing(partition, texts)

    def sample(self, sentence: ComplexSentence, k: int, seed: int) -> list[Rephrasing]:
        """`k` different rephrasings, or all where there are fewer, drawn uniformly, in the order of `rephrasings`.

        A seed gives the same draw for the same sentence, whatever else was drawn before.
        """
        total = self.count(sentence)
        draw = random.Random(f"{seed} {sentence.id}")
        places = set(range(total) if total <= k else draw.sample(range(total), k))
        return [rephrasing for place, rephrasing in enumerate(self.rephrasings(sentence)) if place in places]


def used_parts(sentences: Iterable[ComplexSentence]) -> list[int]:
    """The parts of all partitions, ascending: those whose texts the sentences' rephrasings are made of."""
    return sorted({part for sentence in sentences for partition in _partitions(sentence) for part in partition})


def _partitions(sentence: ComplexSentence) -> Iterator[tuple[int, ...]]:
    return itertools.chain.from_iterable(reading.partitions for reading in sentence.readings)


def write_rows(file: Path, rows: Iterable[Part | ComplexSentence]) -> None:
    """Write parts or complex sentences, one a line; a part is referred to by its line's number, from 0.

    Raises `CannotWrite`.
    """
    adapter: TypeAdapter[Any] = TypeAdapter(Part | ComplexSentence)
    write_text(file, "".join(f"{adapter.dump_json(row).decode()}\n" for row in rows))


def load_benchmark(folder: Path) -> WebSplit:
    """The parts of a folder that `build` has written. Raises `BadInput` that names file and line."""
    return WebSplit(tuple(_rows(folder / PARTS, Part)))


def load_sentences(folder: Path, protocol: str, side: str) -> list[ComplexSentence]:
    """The complex sentences of one side of a split. Raises `BadInput` that names file and line."""
    return list(_rows(folder / protocol / f"{side}.jsonl", ComplexSentence))


def _rows(file: Path, kind: type[_Row]) -> Iterator[_Row]:
    adapter = TypeAdapter(kind)
    return (_row(adapter, place, line) for place, line in placed_lines(file))


def _row(adapter: TypeAdapter[_Row], place: str, line: str) -> _Row:
    try:
        return adapter.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        key = "".join(f"{part}: " for part in first["loc"])
        raise BadInput(f"{place}: {key}{first['msg']}.", hint=_BUILD) from None
