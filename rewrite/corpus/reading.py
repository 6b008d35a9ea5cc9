"""What a run reads and how it writes it: rows of lines, or of columns, in chunks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from rewrite.batch import CHUNK_LINES, Pace, inspect_file
from rewrite.candidates import GivenPool, require_texts
from rewrite.corpus.compression import compressed, require, suffixes
from rewrite.corpus.opening import names_of, open_table
from rewrite.corpus.options import ColumnOptions
from rewrite.corpus.tables import Row, Sheet, Value
from rewrite.errors import BadInput, BadOption

_COPIED = 1 << 20

Finish = Callable[[Path, Path], None]
"""What makes an output of its part, given both paths."""


class Written(Protocol):
    """How rows are written."""

    @property
    def head(self) -> bytes:
        """What comes before them."""

    def lines(self, row: Row, value: Value, error: str) -> bytes:
        """A row with what came out of it, and what went wrong with it."""


@dataclass
class Reading:
    """The rows of a run in chunks, how they are written, and the work that makes a whole output of the part.

    `unit` is what a row is called; `total` says how many there are, where that can be known beforehand.
    """

    chunks: Iterable[list[Row]]
    written: Written
    unit: str = "line"
    total: Callable[[], int | None] = lambda: None
    finish: Finish | None = None


class Lines:
    """Rows that are lines: an answer each, with the line's own end; `unanswered` stands for one that has none."""

    head = b""

    def __init__(self, unanswered: Callable[[Row, str], str]) -> None:
        self._unanswered = unanswered

    def lines(self, row: Row, value: Value, error: str) -> bytes:
        (end,) = row.raws
        text = self._unanswered(row, error) if value is None else str(value)
        # A text may be several lines by now, one for each sentence.
        return f"{text}\n".replace("\n", f"{end}\n").encode("utf-8")


def lines_of(chunks: Iterable[bytes], *, ends: bool) -> Iterator[list[Row]]:
    """Rows of lines of text; with `ends`, the carriage return at the end of a Windows line goes to the answer."""
    for chunk in chunks:
        lines = chunk.decode("utf-8").split("\n")
        yield [Row(["\r" if ends and line.endswith("\r") else ""], line.removesuffix("\r")) for line in lines]


def read_lines_of(
    chunks: Iterable[list[Row]], unanswered: Callable[[Row, str], str], *, source: str | None, output: str | None
) -> Reading:
    """A run over lines, whose output is compressed as its name says."""
    compression = suffixes(output)[1] if output else ""
    require(compression)
    regular = source not in (None, "-", "")
    total = partial(inspect_file, str(source)) if regular else (lambda: None)
    return Reading(chunks, Lines(unanswered), total=total, finish=_compressing(compression))


def read_columns(
    files: ColumnOptions,
    make: Callable[[Sequence[Any]], tuple[Any, bool]],
    *,
    source: str | None,
    output: str | None,
    done: str,
    pace: Pace | None = None,
    merged: bool = False,
    numbers: bool = False,
    lists: bool | None = False,
) -> Reading:
    """A run over columns: `make` makes an item of a row's cells, and says whether it is of a single candidate.

    What comes out goes to `files.into`, or a column named by what was `done`; it is `numbers` or texts, or `lists` of
    them, as `None` where the last column named holds lists. `merged` makes neighbours of one source one row. Raises
    `BadOption` and `BadInput`.
    """
    named = files.named
    table = open_table(source, named)
    kind, compression = suffixes(str(source))[0], ""
    # References come after the texts.
    of = list(named.values())[:2][-1]
    into = files.into or f"{of}_{done}"
    if taken := {into, f"{into}_error"}.intersection(names_of(table)):
        raise BadOption(f"{source} has a column {min(taken)!r} already.", hint="Name another with --into.")
    as_kind = ""
    if output is not None:
        suffix, compression = suffixes(output)
        if suffix in (".jsonl", ".txt") and suffix != kind:
            as_kind = suffix
        elif suffix not in (kind, ""):
            raise BadOption(
                f"{source} cannot be written as {output!r}.",
                hint=f"Name a {' or '.join(dict.fromkeys([kind, '.jsonl', '.txt']))} file, also as .gz or .zst.",
            )
    require(compression)
    finish = _compressing(compression)
    if kind == ".parquet":
        from rewrite.corpus.parquet import ParquetTable

        assert isinstance(table, ParquetTable)
        if output is None:
            raise BadOption(f"{source} with no --output.", hint="Name a file: Parquet is no stream.")
        table.keeps_rows = bool(as_kind)
        if lists is None:
            lists = table.holds_lists(of)
        if not as_kind:
            finish = partial(table.joined, into=(into, f"{into}_error"), numbers=numbers, lists=lists)
    rows = _rows(table.cells(list(named.values())), make)
    chunks = _paced(_merged(rows) if merged else rows, pace or Pace(CHUNK_LINES, steady=True))
    return Reading(chunks, Sheet(table, into, as_kind), "row", table.count, finish)


def text_item(cells: Sequence[Any]) -> tuple[str | None, bool]:
    """The text of a cell, `None` for an empty one; raises `BadInput` for what is none."""
    (text,) = cells
    if text is not None:
        require_text(text)
    return text, False


def require_text(cell: object) -> None:
    """Raises `BadInput` for a cell that is no text, or none that a file can hold."""
    if not isinstance(cell, str):
        raise BadInput(f"Its cell is no text: {str(cell)[:60]}.")
    surrogate = next((c for c in cell if "\udc80" <= c <= "\udcff"), "")
    if surrogate:
        raise BadInput(f"Byte 0x{ord(surrogate) & 0xFF:02x} in its cell is not valid UTF-8.")
    require_texts([cell])


def dropping(chunks: Iterable[list[Row]], count: int) -> Iterator[list[Row]]:
    """The chunks without their first `count` rows."""
    for rows in chunks:
        kept = rows[count:]
        count = max(0, count - len(rows))
        if kept:
            yield kept


def _rows(
    cells_of: Iterable[tuple[Any, list[Any], str]], make: Callable[[Sequence[Any]], tuple[Any, bool]]
) -> Iterator[Row]:
    for raw, cells, error in cells_of:
        if error or not cells:
            yield Row([raw], error=error)
            continue
        try:
            item, single = make(cells)
        except BadInput as fault:
            yield Row([raw], error=str(fault))
        else:
            yield Row([raw], item, single=single)


def _merged(rows: Iterable[Row]) -> Iterator[Row]:
    """Rows of neighbours with one source as one; each of them gets the answer."""
    last: Row | None = None
    for row in rows:
        pools = isinstance(row.item, GivenPool) and last is not None and isinstance(last.item, GivenPool)
        if pools and last is not None and row.item.source and last.item.source == row.item.source:
            last.raws += row.raws
            last.item.candidates += row.item.candidates
            continue
        if last is not None:
            yield last
        last = row
    if last is not None:
        yield last


def _paced(rows: Iterator[Row], pace: Pace) -> Iterator[list[Row]]:
    while taken := list(islice(rows, pace.lines)):
        began = time.monotonic()
        yield taken
        pace.took(time.monotonic() - began, len(taken))


def _compressing(compression: str) -> Finish | None:
    def finish(part: Path, whole: Path) -> None:
        with part.open("rb") as rows, whole.open("wb") as out:
            for block in compressed(iter(partial(rows.read, _COPIED), b""), compression):
                out.write(block)

    return finish if compression else None
