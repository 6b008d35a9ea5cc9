"""The pairs in the files of a run, duplicates told apart, and all rows counted."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rerank.frequency import fold
from training.disk import file_sha256
from training.pairs import PairFile, read_rows
from training.records import Lines, Malformed, RowCount

_SAME = str.maketrans({**dict.fromkeys("«»„“”‟", '"'), **dict.fromkeys("‘’‚", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})


def normal(text: str) -> str:
    """What two equal texts share: NFC, lower case, ё as е, one form of quotes and of dashes, single spaces."""
    return " ".join(fold(unicodedata.normalize("NFC", text)).translate(_SAME).split())


class Seen:
    """The pairs so far, as fingerprints of 8 bytes: some 100 bytes of memory a pair.

    Two different pairs of n are taken for one with a chance of n²/2⁶⁵: 2·10⁻⁹ for 247 thousand pairs.
    """

    def __init__(self) -> None:
        self._marks: set[bytes] = set()

    def add(self, source: str, target: str) -> bool:
        """Whether the pair is new; it is known from now on."""
        mark = hashlib.blake2b(f"{normal(source)}\0{normal(target)}".encode(), digest_size=8).digest()
        before = len(self._marks)
        self._marks.add(mark)
        return len(self._marks) > before


@dataclass(frozen=True, slots=True)
class Input:
    """A file of pairs: how it is named in the recipe, where it lies, its length in bytes and its checksum."""

    spec: PairFile
    path: Path
    size: int
    sha256: str

    @classmethod
    def of(cls, spec: PairFile, path: Path) -> Input:
        """Raises `BadInput` for a file that cannot be read."""
        return cls(spec, path, sha256=file_sha256(path), size=path.stat().st_size)


@dataclass(frozen=True, slots=True)
class Pair:
    """A source and one of its targets, the file and the line that their row begins on."""

    file: str
    line: int
    source: str
    target: str


@dataclass
class Survey:
    """What the files hold: rows, pairs and malformed rows of each by its name, and the first malformed ones of all."""

    files: dict[str, dict[str, int]] = field(default_factory=dict)
    count: RowCount = field(default_factory=RowCount)

    @property
    def pairs(self) -> int:
        return sum(counts["pairs"] for counts in self.files.values())


def read_pairs(inputs: Sequence[Input], surveyed: Survey) -> Iterator[Pair]:
    """The pairs of all files, in order; a row of several targets is as many. `surveyed` counts. Raises `BadInput`."""
    for file in inputs:
        name = file.spec.path
        counts = surveyed.files[name] = {"rows": 0, "pairs": 0, "malformed": 0}
        with Lines(file.path, name=name) as lines:
            for row in read_rows(lines, file.spec, one_line=True):
                counts["rows"] += 1
                if isinstance(row, Malformed):
                    counts["malformed"] += 1
                    surveyed.count.add_malformed(name, row)
                    continue
                counts["pairs"] += len(row.targets)
                surveyed.count.add()
                yield from (Pair(name, row.line, row.source, target) for target in row.targets)
