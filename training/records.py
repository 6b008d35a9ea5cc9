"""Rows of JSON lines and of tables, read with patience: a malformed one is told apart, and reading goes on after it."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import json
import lzma
import random
import re
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, TypeVar

from rerank.errors import BadInput

LONGEST = 1_000_000
"""Bytes. A longer line is no row of pairs, and need not fit into memory."""
NOT_UTF8 = "is not valid UTF-8"
"""Part of the reason of every line that is in another encoding."""
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
Kind = Literal["csv", "tsv", "jsonl"]
NAMED = 10
"""So many malformed rows are named; the others are counted."""
NO_KEY = "no key "
"""Begins the reason of a row of JSON lines that lacks a key which is looked for."""
# A quoted field may go over lines. One that goes over more is a stray quote, which must not swallow the file.
_MOST_LINES = 100
_SHOWN = 60
# What follows a bracket where a whole file is one value: nothing on its line, or the first object.
_ARRAY = re.compile(r"\s*\[\s*(\{|$)")
_PACKED = frozenset({".gz", ".xz", ".bz2"})
_KINDS: dict[str, Kind] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Malformed:
    """A row that cannot be used: the line that it begins on, from 1, why, and how it begins."""

    line: int
    reason: str
    text: str


Line = tuple[int, str | Malformed]


class Lines:
    """The lines of one file, without the LF that alone ends one (a CR before it stays). A context manager.

    `take` gives the next (number from 1, text), `None` after the last; a line over `LONGEST` bytes or in another
    encoding is `Malformed`. `put_back` returns lines that were taken. Raises `BadInput` that names the file where it
    cannot be opened, is UTF-16 or breaks off.
    """

    def __init__(self, path: Path, *, name: str = "") -> None:
        self.name = name or str(path)
        self._number = 0
        self._offset = 0
        self._waiting: deque[Line] = deque()
        try:
            self._raw = path.open("rb")
        except OSError as error:
            raise BadInput(f"Cannot read {self.name!r}: {error.strerror or error}.", hint="Check the path.") from error
        self._file = _unpacked(self._raw, path.suffix.lower())

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._raw.close()

    def take(self) -> Line | None:
        if self._waiting:
            return self._waiting.popleft()
        data = self._line()
        if not data:
            return None
        self._number += 1
        text = self._text(data) if len(data) <= LONGEST else self._fault(f"the line is longer than {LONGEST:,} bytes")
        self._offset += len(data)
        return self._number, text

    def put_back(self, lines: list[Line]) -> None:
        self._waiting.extendleft(reversed(lines))

    def __iter__(self) -> Iterator[Line]:
        while (line := self.take()) is not None:
            yield line

    def _line(self) -> bytes:
        """The next line with its end; of one that is too long the beginning, the rest is passed over."""
        try:
            data = self._file.readline(LONGEST + 1)
            rest = data
            while len(rest) > LONGEST and not rest.endswith(b"\n"):
                rest = self._file.readline(LONGEST + 1)
                self._offset += len(rest)
            return data
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise BadInput(
                f"{self.name}, after line {self._number}: cannot be read on: {error}.",
                hint="Is the file whole? Fetch or pack it again.",
            ) from error

    def _fault(self, reason: str) -> Malformed:
        return Malformed(self._number, reason, "")

    def _text(self, data: bytes) -> str | Malformed:
        if self._number == 1 and data.startswith(_UTF16):
            raise BadInput(f"{self.name} is UTF-16.", hint="Convert it first: iconv -f utf-16 -t utf-8")
        start = len(codecs.BOM_UTF8) if self._number == 1 and data.startswith(codecs.BOM_UTF8) else 0
        try:
            return data[start:].decode("utf-8").removesuffix("\n")
        except UnicodeDecodeError as error:
            place = start + error.start
            where = f"byte {place + 1} of the line (offset {self._offset + place})"
            return self._fault(f"{where}: 0x{data[place]:02x} {NOT_UTF8}")


def _unpacked(raw: IO[bytes], suffix: str) -> IO[bytes] | io.BufferedIOBase:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if suffix == ".bz2":
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if suffix == ".xz" else raw


@dataclass
class RowCount:
    """How many rows were read, how many of them are malformed, and the first ten of these with their files."""

    rows: int = 0
    malformed: int = 0
    first: list[tuple[str, Malformed]] = field(default_factory=list)

    def add(self) -> None:
        """Count a good row."""
        self.rows += 1

    def add_malformed(self, file: str, row: Malformed) -> None:
        """Count a malformed row of `file`."""
        self.rows += 1
        self.malformed += 1
        if len(self.first) < NAMED:
            self.first.append((file, row))

    def require(self, most: float) -> None:
        """Raise `BadInput` that names the first ten where more than the share `most` of the rows is malformed."""
        if self.malformed > most * self.rows:
            raise too_many(self.malformed, self.rows, self.first, most)

    def report(self) -> str:
        """The malformed rows, a line each, the first ten by name; empty where there are none."""
        if not self.malformed:
            return ""
        more = [f"and {self.malformed - len(self.first):,} more"] if self.malformed > len(self.first) else []
        head = f"{self.malformed:,} of {self.rows:,} rows are malformed, left out:"
        return "\n  ".join([head, *_named(self.first), *more])


def no_rows(path: Path, count: RowCount) -> BadInput:
    """The error for a file without a row that can be used."""
    malformed = f" {count.report()}" if count.malformed else ""
    return BadInput(f"{path} holds no rows that can be used.{malformed}", hint="Is it the right file?")


def too_many(malformed: int, rows: int, first: Sequence[tuple[str, Malformed]], most: float) -> BadInput:
    """The error for more malformed rows than the share `most`, with the first of them by file and line."""
    foreign = any(NOT_UTF8 in row.reason for _, row in first)
    other = any(row.reason.startswith(NO_KEY) for _, row in first)
    keys = " Other keys are named in the recipe: {path: …, source: NAME, target: NAME}." if other else ""
    convert = " Another encoding is converted by, for instance: iconv -f cp1251 -t utf-8" if foreign else ""
    return BadInput(
        f"{malformed:,} of {rows:,} rows are malformed, more than bad_rows = {most:g}: {'; '.join(_named(first))}.",
        hint=f"Check the format and the columns, mend the rows, or raise bad_rows.{keys}{convert}",
    )


def _named(rows: Sequence[tuple[str, Malformed]]) -> list[str]:
    """Each row in words, the file only where it is another than that of the row before."""
    files = ["", *(file for file, _ in rows)]
    return [
        f"{f'{file}, ' if file != before else ''}line {row.line}: {row.reason}"
        for before, (file, row) in zip(files, rows, strict=False)
    ]


def kind_of(path: Path) -> Kind:
    """The format that the name of a file tells: .csv, .jsonl, .ndjson or .json (packed or not), else TSV."""
    name = Path(path.stem) if path.suffix.lower() in _PACKED else path
    return _KINDS.get(name.suffix.lower(), "tsv")


def shown(value: Any) -> str:
    """The beginning of a row, on one line, whatever is in it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.encode("utf-8", "backslashreplace").decode().split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def json_rows(lines: Lines) -> Iterator[tuple[int, dict[str, Any]] | Malformed]:
    """(line, object) of each line that is not blank. Raises `BadInput` where the file is one array of objects."""
    first = True
    for number, text in lines:
        if isinstance(text, Malformed):
            yield text
        elif text.strip():
            if first and _ARRAY.match(text):
                raise BadInput(
                    f"{lines.name}, line {number}: a JSON array begins here; JSON lines hold one object a line.",
                    hint=f"Convert it first: jq -c '.[]' {lines.name} > pairs.jsonl",
                )
            first = False
            yield _json_row(number, text)


def drawn(items: Sequence[_Item], count: int | None, seed: int) -> list[_Item]:
    """So many of the items, drawn by the seed, in their order; all where there are no more, or `count` is `None`."""
    if count is None or count >= len(items):
        return list(items)
    return [items[place] for place in sorted(random.Random(seed).sample(range(len(items)), count))]


def packed_rows(path: Path) -> list[dict[str, Any]]:
    """All rows of a gzipped file of JSON lines that this repository holds, so that nothing in it is malformed."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()]


def read_lines(path: Path) -> list[str]:
    """The lines of a file of the data folder, packed or not. Raises `BadInput` that names the file, and a bad line."""
    with Lines(path) as lines:
        return [_good(path, text) for _, text in lines]


def _good(path: Path, text: str | Malformed) -> str:
    if isinstance(text, Malformed):
        raise BadInput(f"{path}, line {text.line}: {text.reason}.", hint="Is it the right file?")
    return text


def read_paragraphs(folder: Path, name: str) -> list[str]:
    """The paragraphs of one file of ru_mono in the data folder. Raises `BadInput`."""
    return [line.strip() for line in read_lines(folder / f"{name}.txt.xz")]


def _json_row(number: int, text: str) -> tuple[int, dict[str, Any]] | Malformed:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Malformed(number, f"not JSON: {getattr(error, 'msg', error)}", shown(text))
    if not isinstance(row, dict):
        return Malformed(number, "no JSON object", shown(text))
    # Only an escape can name half a surrogate pair, which no file can hold.
    if "\\u" in text and not _encodable(row):
        return Malformed(number, "it holds half a surrogate pair, which is no text", shown(text))
    return number, row


def _encodable(row: dict[str, Any]) -> bool:
    try:
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def table_rows(lines: Lines, *, delimiter: str, quotes: bool) -> Iterator[tuple[int, list[str]] | Malformed]:
    """(line, fields) of each row that is not blank; with `quotes` a field in double quotes may hold newlines."""
    for number, text in lines:
        if isinstance(text, Malformed):
            yield text
        elif not text.strip():
            continue
        elif not quotes or '"' not in text:
            yield number, text.removesuffix("\r").split(delimiter)
        else:
            yield _quoted(lines, number, text, delimiter)


def _quoted(lines: Lines, number: int, first: str, delimiter: str) -> tuple[int, list[str]] | Malformed:
    taken: list[Line] = []

    def more() -> Iterator[str]:
        yield first + "\n"
        while len(taken) < _MOST_LINES and (line := lines.take()) is not None:
            taken.append(line)
            if isinstance(line[1], Malformed):
                return
            yield line[1] + "\n"

    try:
        return number, next(csv.reader(more(), delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration) as error:
        # Only this line is lost: those after it are read anew, as rows of their own.
        lines.put_back(taken)
        reason = "a quote is not closed" if "end of data" in str(error) else str(error)
        return Malformed(number, reason, shown(first))
