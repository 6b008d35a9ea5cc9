"""The benchmark in factored form: complex sentences, partitions of their triples, and the texts of each part.

The rephrasings of a sentence are the product of these texts: up to tens of thousands. They are counted without being
made, made one after the other, or drawn. Files are JSON lines, factored alike; docs/websplit.md tells the format.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rerank.errors import BadInput
from rewrite.datasets import text_lines
from rewrite.splitting.triples.triple import Triple
from training.disk import write_text

__all__ = [
    "PARTS",
    "ComplexSentence",
    "Part",
    "Reading",
    "Rephrasing",
    "WebSplit",
    "load_benchmark",
    "load_sentences",
    "used_parts",
    "write_parts",
    "write_sentences",
]

Sentences = tuple[str, ...]
PARTS = "parts.jsonl"
_BUILD = "Build it again: python -m training.papers.websplit build"
_Row = TypeVar("_Row")


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
        """`k` different rephrasings, or all where there are fewer, drawn uniformly without enumerating them.

        A seed gives the same draw for the same sentence, whatever else was drawn before.
        """
        total = self.count(sentence)
        draw = random.Random(f"{seed} {sentence.id}")
        places = range(total) if total <= k else sorted(draw.sample(range(total), k))
        return [self.at(sentence, place) for place in places]

    def at(self, sentence: ComplexSentence, place: int) -> Rephrasing:
        """The rephrasing that `rephrasings` gives at `place`, from 0; `IndexError` where there is none."""
        for partition in _partitions(sentence):
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


def used_parts(sentences: Iterable[ComplexSentence]) -> list[int]:
    """The parts of all partitions, ascending: those whose texts the sentences' rephrasings are made of."""
    return sorted({part for sentence in sentences for partition in _partitions(sentence) for part in partition})


def _partitions(sentence: ComplexSentence) -> Iterator[tuple[int, ...]]:
    return itertools.chain.from_iterable(reading.partitions for reading in sentence.readings)


def write_parts(folder: Path, benchmark: WebSplit) -> None:
    """Write the parts, one a line; a line's number, from 0, is the part's. Raises `CannotWrite`."""
    rows = [
        {
            "category": part.category,
            "triples": [[triple.subject, triple.property, triple.object] for triple in part.triples],
            "texts": part.texts,
        }
        for part in benchmark.parts
    ]
    _write_rows(folder / PARTS, rows)


def write_sentences(file: Path, sentences: Iterable[ComplexSentence]) -> None:
    """Write complex sentences, one a line, their partitions as numbers of parts. Raises `CannotWrite`."""
    rows = [
        {
            "id": sentence.id,
            "text": sentence.text,
            "readings": [{"meaning": r.meaning, "partitions": r.partitions} for r in sentence.readings],
        }
        for sentence in sentences
    ]
    _write_rows(file, rows)


def _write_rows(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    write_text(file, "".join(f"{json.dumps(row, ensure_ascii=False, separators=(',', ':'))}\n" for row in rows))


def load_benchmark(folder: Path) -> WebSplit:
    """The parts of a folder that `build` has written. Raises `BadInput` that names file and line."""
    return WebSplit(tuple(_rows(folder / PARTS, _part)))


def load_sentences(folder: Path, protocol: str, side: str, benchmark: WebSplit) -> list[ComplexSentence]:
    """The complex sentences of one side of a split. Raises `BadInput` that names file and line."""
    size = len(benchmark.parts)
    return list(_rows(folder / protocol / f"{side}.jsonl", lambda row: _sentence(row, size)))


def _rows(file: Path, make: Callable[[dict[str, Any]], _Row]) -> Iterator[_Row]:
    return (_row(line, make, f"{file}, line {number}") for number, line in enumerate(text_lines(file), 1))


def _row(line: str, make: Callable[[dict[str, Any]], _Row], place: str) -> _Row:
    try:
        return make(json.loads(line))
    except json.JSONDecodeError as error:
        raise BadInput(f"{place}: no JSON: {error.msg}.", hint=_BUILD) from error
    except KeyError as error:
        raise BadInput(f"{place}: no key {error}.", hint=_BUILD) from error
    except (TypeError, ValueError) as error:
        raise BadInput(f"{place}: {error}.", hint=_BUILD) from error


def _part(row: dict[str, Any]) -> Part:
    triples = tuple(Triple(*map(_text, triple)) for triple in row["triples"])
    texts = tuple(tuple(map(_text, text)) for text in row["texts"])
    if not triples or not all(texts):
        raise ValueError("a part without triples, or a text without sentences")
    return Part(_text(row["category"]), triples, texts)


def _sentence(row: dict[str, Any], size: int) -> ComplexSentence:
    readings = tuple(
        Reading(_number(r["meaning"], size), tuple(tuple(_number(n, size) for n in p) for p in r["partitions"]))
        for r in row["readings"]
    )
    if not readings or not all(partition for reading in readings for partition in reading.partitions):
        raise ValueError("a sentence without readings, or an empty partition")
    return ComplexSentence(_text(row["id"]), _text(row["text"]), readings)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _number(value: Any, size: int) -> int:
    if not isinstance(value, int) or not 0 <= value < size:
        raise ValueError(f"{value!r} is no number of a part, which go to {size - 1}")
    return value
