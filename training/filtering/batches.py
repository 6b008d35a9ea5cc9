"""The files of a run as batches of pairs to judge, duplicates and malformed rows told apart on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.filtering.duplicates import Seen
from training.filtering.tally import FirstMalformed, Tally
from training.lines import Lines
from training.pairs import PairFile, Row, read_rows
from training.records import Malformed

__all__ = ["Batch", "Input", "Pair", "read_batches", "survey"]

# A batch ends here at the latest, however few of its pairs are left to judge.
_MOST_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Input:
    """A file of pairs: how it is named in the recipe, where it lies, its length in bytes and its checksum."""

    spec: PairFile
    path: Path
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A source and one of its targets, and the line that their row begins on."""

    line: int
    source: str
    target: str


@dataclass(slots=True)
class Batch:
    """Consecutive pairs of one file, of so many `rows` that are not malformed; `read` bytes of all files lie behind."""

    file: str
    pairs: list[Pair] = field(default_factory=list)
    duplicates: list[Pair] = field(default_factory=list)
    malformed: list[FirstMalformed] = field(default_factory=list)
    rows: int = 0
    read: int = 0

    def is_full(self, size: int) -> bool:
        """Whether it holds `size` pairs to judge, or as many of all kinds as a batch may."""
        every = len(self.pairs) + len(self.duplicates) + len(self.malformed)
        return len(self.pairs) >= size or every >= _MOST_ROWS


def survey(inputs: Sequence[Input]) -> Tally:
    """The rows of all files counted, the first malformed ones named; nothing is judged. Raises `BadInput`."""
    tally = Tally()
    for batch in read_batches(inputs, None, size=_MOST_ROWS):
        tally.add_read(batch.file, rows=batch.rows, pairs=len(batch.pairs), malformed=batch.malformed)
    return tally


def read_batches(inputs: Sequence[Input], seen: Seen | None, *, size: int) -> Iterator[Batch]:
    """Batches of at most `size` pairs to judge; the same ones for the same files, whoever asks and how often.

    With `seen`, a pair that was there before goes to `duplicates`. Raises `BadInput` for what cannot be read.
    """
    before = 0
    for one in inputs:
        batch = Batch(one.spec.path)
        with Lines(one.path, name=one.spec.path) as lines:
            for row in read_rows(lines, one.spec, one_line=True):
                batch.rows += isinstance(row, Row)
                for part in _parts(row):
                    _sort_in(batch, part, seen)
                    if batch.is_full(size):
                        batch.read = before + lines.read
                        yield batch
                        batch = Batch(one.spec.path)
        before += one.size
        batch.read = before
        yield batch


def _parts(row: Row | Malformed) -> Sequence[Pair | Malformed]:
    return [row] if isinstance(row, Malformed) else [Pair(row.line, row.source, target) for target in row.targets]


def _sort_in(batch: Batch, part: Pair | Malformed, seen: Seen | None) -> None:
    if isinstance(part, Malformed):
        batch.malformed.append(FirstMalformed(file=batch.file, line=part.line, reason=part.reason, text=part.text))
    elif seen is not None and not seen.add(part.source, part.target):
        batch.duplicates.append(part)
    else:
        batch.pairs.append(part)
