"""Files with columns: their rows, of which some columns are read, and the same rows with what came out of them.

A row is written as it was read, to the byte, and what is new is put at its end: quotes, spaces, the order of keys and
numbers stay as they are.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from rewrite.batch import blocks_of
from rewrite.datasets import json_object
from rewrite.errors import BadInput
from rewrite.layout import one_line

# An unclosed quote would swallow the rest of the file.
_LONGEST_CELL = 10_000_000
_BOM = "\ufeff"
# JSON allows these raw, but readers that split text at every Unicode line break would cut the row.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "\x7f\x85\u2028\u2029"}

Value = Any
"""What came out of a row: a text or a number, a list of them, or `None` for nothing."""


def as_json(value: object) -> str:
    """JSON on one line, Cyrillic readable; what JSON does not know, such as a date, as text, and no number as null."""
    try:
        line = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_in_words)
    except ValueError:
        return as_json(_finite(value))
    return line.translate(_ESCAPES)


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(its) for name, its in value.items()}
    return [_finite(its) for its in value] if isinstance(value, (list, tuple)) else value


def _in_words(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value.isoformat() if hasattr(value, "isoformat") else value)


@dataclass(slots=True)
class Row:
    """Rows of a file that are answered together, one but for pools of candidates.

    `item` is what they ask, `None` for nothing; `error` why they cannot. With `single`, an answer that is a list is of
    one thing.
    """

    raws: list[Any]
    item: Any = None
    error: str = ""
    single: bool = False


class Table(Protocol):
    """A file with columns."""

    @property
    def names(self) -> Sequence[str] | None:
        """Its columns, where they are known before the rows are read."""

    def cells(self, wanted: Sequence[str]) -> Iterator[tuple[Any, list[Any], str]]:
        """Each row: what it is written from, its cells in the columns `wanted`, and why they cannot be read. A row
        without cells and reason is nothing, as a blank line is.
        """

    def head(self, names: Sequence[str]) -> str:
        """What comes before the rows, with new columns of these names."""

    def line(self, raw: Any, added: Mapping[str, Value]) -> str:
        """A row with new columns: of that and of the text as it is read, bytes that are no UTF-8 are surrogates."""

    def row(self, raw: Any) -> dict[str, Any]:
        """A row as an object."""

    def count(self) -> int:
        """How many rows there are. Raises `BadInput` where they cannot be read to the end."""


def _lines(path: str) -> Iterator[str]:
    """Lines with their ends."""
    rest: list[bytes] = []
    for block in blocks_of(path, path):
        head, *lines = block.split(b"\n")
        rest.append(head)
        for line in lines:
            yield (b"".join(rest) + b"\n").decode("utf-8", "surrogateescape")
            rest = [line]
    if last := b"".join(rest):
        yield last.decode("utf-8", "surrogateescape")


def _parted(line: str) -> tuple[str, str]:
    """A line and its end; a last one gets the usual one."""
    body = line.rstrip("\r\n")
    return body, line[len(body) :] or "\n"


class JsonlTable:
    """An object a line."""

    names: Sequence[str] | None = None

    def __init__(self, path: str) -> None:
        self._path = path

    def cells(self, wanted: Sequence[str]) -> Iterator[tuple[Any, list[Any], str]]:
        for line in _lines(self._path):
            if not line.strip(f"{_BOM} \t\r\n"):
                yield line, [], ""
                continue
            try:
                row = self.row(line)
            except BadInput as error:
                yield line, [], str(error)
                continue
            missing = next((name for name in wanted if name not in row), None)
            fault = "" if missing is None else f"No {missing!r} among its keys: {', '.join(row)}."
            yield line, [row.get(name) for name in wanted], fault

    def head(self, names: Sequence[str]) -> str:
        return ""

    def line(self, raw: Any, added: Mapping[str, Value]) -> str:
        body, end = _parted(raw)
        if not body.strip(f"{_BOM} \t\r"):
            return f"{body}{end}"
        new = {name: value for name, value in added.items() if value is not None or not name.endswith("_error")}
        try:
            row = self.row(raw)
        except BadInput:
            return (
                as_json({"unread": body.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"), **new})
                + end
            )
        if row.keys() & new.keys():
            return as_json({**row, **new}) + end
        inside = body.rstrip()[:-1].rstrip()
        return f"{inside}{', ' if row else ''}{as_json(new)[1:]}{end}"

    def row(self, raw: Any) -> dict[str, Any]:
        _require_utf8(raw)
        return json_object(raw.removeprefix(_BOM), "Its line")

    def count(self) -> int:
        return sum(1 for _ in _lines(self._path))


def _require_utf8(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        byte = ord(text[error.start]) & 0xFF
        raise BadInput(f"Character {error.start + 1} of its line: byte 0x{byte:02x} is not valid UTF-8.") from None


@dataclass(slots=True)
class _Record:
    text: str
    cells: list[str]
    fault: str = ""


class CellTable:
    """Comma- or tab-separated cells below a line of names.

    The comma may be a semicolon. Tabs have no quotes, as in all that cuts at tabs: a quotation mark is text.
    """

    def __init__(self, path: str, *, tabs: bool) -> None:
        self._path, self._tabs, self._delimiter = path, tabs, "\t" if tabs else ","
        if (head := next(iter(self._records()), None)) is None:
            raise BadInput(f"{path}: it is empty: the first line has the names of the columns.")
        if not tabs and head.text.count(";") > head.text.count(","):
            self._delimiter = ";"
            head = next(self._records())
        self._head = head
        self.names = [name.removeprefix(_BOM) if i == 0 else name for i, name in enumerate(head.cells)]
        cells = _parted(head.text)[0].removeprefix(_BOM).split(self._delimiter)
        quoted = all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)
        self._quoting: Literal[0, 1] = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL

    def cells(self, wanted: Sequence[str]) -> Iterator[tuple[Any, list[Any], str]]:
        places = [self.names.index(name) for name in wanted]
        for record in itertools.islice(self._records(), 1, None):
            if not record.cells and not record.fault:
                yield record, [], ""
                continue
            error = record.fault
            if not error and len(record.cells) != len(self.names):
                error = f"It has {len(record.cells)} cells, and there are {len(self.names)} columns."
            yield record, [] if error else [record.cells[place] for place in places], error

    def head(self, names: Sequence[str]) -> str:
        return self._with(self._head, names)

    def line(self, raw: Any, added: Mapping[str, Value]) -> str:
        if not raw.cells and not raw.fault:
            return "".join(_parted(raw.text))
        return self._with(raw, [_cell(value) for value in added.values()])

    def row(self, raw: Any) -> dict[str, Any]:
        return dict(zip(self.names, raw.cells, strict=False))

    def count(self) -> int:
        return sum(1 for _ in self._records()) - 1

    def _with(self, record: _Record, cells: Sequence[str]) -> str:
        body, end = _parted(record.text)
        # New cells of a row that is too short stand below their names.
        body += self._delimiter * max(0, len(self.names) - len(record.cells)) if record.cells else ""
        if self._tabs:
            return "\t".join([body, *(one_line(cell.replace("\t", " ")) for cell in cells)]) + end
        line = io.StringIO()
        csv.writer(line, delimiter=self._delimiter, lineterminator="", quoting=self._quoting).writerow(cells)
        return f"{body}{self._delimiter}{line.getvalue()}{end}"

    def _records(self) -> Iterator[_Record]:
        if self._tabs:
            for line in _lines(self._path):
                body = _parted(line)[0]
                yield _Record(line, body.split("\t") if body else [])
            return
        taken: list[str] = []
        # A mark of byte order stands before the quote of the first cell.
        lines = (
            line.removeprefix(_BOM) if i == 0 else line for i, line in enumerate(_noted(_lines(self._path), taken))
        )
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
            for number in itertools.count():
                try:
                    cells, fault = next(reader), ""
                except StopIteration:
                    return
                except csv.Error as error:
                    if "end of data" in str(error) or "field larger" in str(error):
                        raise BadInput(
                            f"{self._path}: row {number} opens a quotation mark that nothing closes.",
                            hint='Write "" for a quotation mark inside of a cell.',
                        ) from None
                    cells, fault = [], f"Its cells cannot be told apart: {error}."
                yield _Record("".join(taken), cells, fault)
                taken.clear()
        finally:
            csv.field_size_limit(before)


def _noted(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    for line in lines:
        taken.append(line)
        yield line


def _cell(value: Value) -> str:
    if isinstance(value, (list, tuple)):
        return "\t".join(map(_cell, value))
    return f"{value:.6f}" if isinstance(value, float) else "" if value is None else str(value)


class Sheet:
    """How rows are written, with the new column `into` and one for errors behind it."""

    def __init__(self, table: Table, into: str, kind: str) -> None:
        self._table, self._kind = table, kind
        self._names = (into, f"{into}_error")

    @property
    def head(self) -> bytes:
        return b"" if self._kind else _as_read(self._table.head(self._names))

    def lines(self, row: Row, value: Value, error: str) -> bytes:
        """The rows with what came out of them."""
        value = value[0] if row.single and isinstance(value, list) and value else value
        added = dict(zip(self._names, (value, error or None), strict=True))
        return b"".join(_as_read(self._line(raw, added)) for raw in row.raws)

    def _line(self, raw: Any, added: Mapping[str, Value]) -> str:
        if not self._kind:
            return self._table.line(raw, added)
        if self._kind == ".txt":
            return f"{one_line(_cell(next(iter(added.values()))))}\n"
        return (
            as_json(
                {**self._table.row(raw), **{n: v for n, v in added.items() if v is not None or n == self._names[0]}}
            )
            + "\n"
        )


def _as_read(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
