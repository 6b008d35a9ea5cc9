"""The files of a run as batches of pairs to judge, duplicates and malformed rows told apart on the way, and the counts.

Fingerprints of the pairs so far lie on disk, so memory does not grow with their number. Counts are plain data, which is
stored as JSON.
"""

from __future__ import annotations

import hashlib
import sqlite3
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from pydantic import BaseModel, ConfigDict, Field

from rerank.frequency import fold
from rewrite.errors import CannotWrite
from training.pairs import PairFile, Row, read_rows
from training.records import NAMED, Lines, Malformed

__all__ = [
    "KEPT",
    "Batch",
    "Example",
    "FirstMalformed",
    "Input",
    "Pair",
    "Seen",
    "Tally",
    "example_key",
    "normal",
    "read_batches",
    "survey",
]

_CACHE_KIB = 16_384
_SAME = str.maketrans({**dict.fromkeys("«»„“”‟", '"'), **dict.fromkeys("‘’‚", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})
KEPT = "kept"
# A batch ends here at the latest, however few of its pairs are left to judge.
_MOST_ROWS = 10_000


def normal(text: str) -> str:
    """What two equal texts share: NFC, lower case, ё as е, one form of quotes and of dashes, single spaces."""
    return " ".join(fold(unicodedata.normalize("NFC", text)).translate(_SAME).split())


class Seen:
    """The pairs so far, as fingerprints of 8 bytes in a file; a context manager that removes the file.

    Memory: 16 MB at most, whatever the number of pairs. Disk: some 12 to 25 bytes a pair. Two different pairs of n are
    taken for one with a chance of n²/2⁶⁵: 2·10⁻⁹ for 247 thousand pairs, 0.0003 for 100 million.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.unlink(missing_ok=True)
        try:
            self._base = sqlite3.connect(path, isolation_level=None)
            # The file is made anew at every start: nothing of it needs to outlive a crash.
            for setting in (
                "journal_mode=OFF",
                "synchronous=OFF",
                f"cache_size=-{_CACHE_KIB}",
                "locking_mode=EXCLUSIVE",
            ):
                self._base.execute(f"PRAGMA {setting}")
            self._base.execute("CREATE TABLE seen (pair INTEGER PRIMARY KEY)")
            self._base.execute("BEGIN")
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._base.close()
        self._path.unlink(missing_ok=True)

    def add(self, source: str, target: str) -> bool:
        """Whether the pair is new; it is known from now on."""
        text = f"{normal(source)}\0{normal(target)}".encode()
        mark = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big", signed=True)
        try:
            return self._base.execute("INSERT OR IGNORE INTO seen VALUES (?)", (mark,)).rowcount == 1
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _failed(self, error: sqlite3.Error) -> CannotWrite:
        return CannotWrite(
            f"Cannot write {str(self._path)!r}: {error}.", hint="Free some space; the same command then goes on."
        )


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Example(_Data):
    """A pair with its place, and what the rule found in it. `key` orders the pairs at random, the same in every run."""

    key: str
    file: str
    line: int
    source: str
    target: str
    value: str | float | None = None


class FirstMalformed(_Data):
    """A row that is no pair: its place, the reason, how it begins."""

    file: str
    line: int
    reason: str
    text: str


class FileCount(_Data):
    """Rows, pairs and malformed rows of a file."""

    rows: int = 0
    pairs: int = 0
    malformed: int = 0


class Tally(_Data):
    """Counts of a run: by file, in order of reading, and by rule; examples of each rule; the first malformed rows."""

    files: dict[str, FileCount] = Field(default_factory=dict)
    first_malformed: list[FirstMalformed] = Field(default_factory=list)
    dropped: dict[str, int] = Field(default_factory=dict)
    kept: int = 0
    examples: dict[str, list[Example]] = Field(default_factory=dict)

    @property
    def pairs(self) -> int:
        return sum(count.pairs for count in self.files.values())

    @property
    def malformed(self) -> int:
        return sum(count.malformed for count in self.files.values())

    @property
    def rows(self) -> int:
        return sum(count.rows for count in self.files.values())

    def add_read(self, file: str, *, rows: int, pairs: int, malformed: Sequence[FirstMalformed]) -> None:
        """More of a file: so many good `rows`, the `pairs` in them (a row may hold several), and malformed ones."""
        count = self.files.setdefault(file, FileCount())
        count.rows += rows + len(malformed)
        count.pairs += pairs
        count.malformed += len(malformed)
        self.first_malformed += malformed[: NAMED - len(self.first_malformed)]

    def add_verdict(self, rule: str, example: Example, most: int) -> None:
        """One pair that `rule` dropped, or that is kept (`KEPT`); it may become one of `most` examples."""
        if rule == KEPT:
            self.kept += 1
        else:
            self.dropped[rule] = self.dropped.get(rule, 0) + 1
        examples = self.examples.setdefault(rule, [])
        if len(examples) < most or (most and example.key < examples[-1].key):
            examples.append(example)
            examples.sort(key=lambda one: one.key)
            del examples[most:]


def example_key(seed: int, source: str, target: str) -> str:
    """A number, as hexadecimal digits, that is as good as drawn at random for each pair."""
    return hashlib.blake2b(f"{seed}\0{source}\0{target}".encode(), digest_size=8).hexdigest()


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
