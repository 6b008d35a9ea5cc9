"""The files of a run as batches of pairs to judge, duplicates and malformed rows told apart on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rerank.errors import BadInput
from training.filtering.duplicates import Seen
from training.filtering.lines import Lines
from training.filtering.options import PairFile
from training.filtering.reading import Malformed, Row, read_rows
from training.filtering.tally import FirstMalformed

__all__ = ["Batch", "Input", "read_batches"]

# A batch ends here at the latest, however few of its rows are left to judge.
_MOST_ROWS = 10_000
# Before this many rows a share says little.
_FEW = 1_000


@dataclass(frozen=True, slots=True)
class Input:
    """A file of pairs: how it is named in the recipe, where it lies, its length in bytes and its checksum."""

    spec: PairFile
    path: Path
    size: int
    sha256: str


@dataclass(slots=True)
class Batch:
    """Consecutive rows of one file; `read` bytes of all files lie behind them."""

    file: str
    rows: list[Row] = field(default_factory=list)
    duplicates: list[Row] = field(default_factory=list)
    malformed: list[FirstMalformed] = field(default_factory=list)
    read: int = 0

    @property
    def pairs(self) -> int:
        return len(self.rows) + len(self.duplicates)


def read_batches(inputs: Sequence[Input], seen: Seen | None, *, size: int, max_malformed: float) -> Iterator[Batch]:
    """Batches of at most `size` rows to judge; the same ones for the same files, whoever asks and how often.

    With `seen`, a pair that was there before goes to `duplicates`. Raises `BadInput` where more than `max_malformed` of
    the rows are no pairs, and for what cannot be read.
    """
    share = _Share(max_malformed)
    before = 0
    for one in inputs:
        batch = Batch(one.spec.path)
        with Lines(one.path, name=one.spec.path) as lines:
            for row in read_rows(lines, one.spec):
                _sort_in(batch, row, seen)
                share.add(one.spec.path, row)
                if len(batch.rows) == size or batch.pairs + len(batch.malformed) >= _MOST_ROWS:
                    batch.read = before + lines.read
                    yield batch
                    batch = Batch(one.spec.path)
        before += one.size
        batch.read = before
        yield batch
    share.check(at_end=True)


def _sort_in(batch: Batch, row: Row | Malformed, seen: Seen | None) -> None:
    if isinstance(row, Malformed):
        batch.malformed.append(FirstMalformed(file=batch.file, line=row.line, reason=row.reason, text=row.text))
    elif seen is not None and not seen.add(row.source, row.target):
        batch.duplicates.append(row)
    else:
        batch.rows.append(row)


class _Share:
    """Watches over the share of malformed rows."""

    def __init__(self, most: float) -> None:
        self._most = most
        self._rows = 0
        self._bad = 0
        self._first: list[str] = []

    def add(self, file: str, row: Row | Malformed) -> None:
        self._rows += 1
        if isinstance(row, Malformed):
            self._bad += 1
            if len(self._first) < 3:
                self._first.append(f"{file}, line {row.line}: {row.reason}")
            self.check()

    def check(self, *, at_end: bool = False) -> None:
        if self._bad > self._most * self._rows and (at_end or self._rows >= _FEW):
            raise BadInput(
                f"{self._bad:,} of {self._rows:,} rows are no pairs, more than max_malformed = {self._most:g}. "
                f"{'; '.join(self._first)}.",
                hint="Check the format and the columns of the file, or allow more with max_malformed.",
            )
