"""Files of pairs, row by row: CSV, TSV and JSON lines. What is no pair is told apart, and reading goes on after it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rerank.errors import BadInput
from training.filtering.lines import LONGEST, Lines
from training.filtering.options import PairFile

__all__ = ["KNOWN_COLUMNS", "Malformed", "Row", "read_rows"]

KNOWN_COLUMNS = (("source", "target"), ("INPUT:source", "OUTPUT:output"), ("complex", "simple"), ("src", "dst"))
"""Names of source and target columns that are recognised in a header."""

# A quoted field may go over lines. One that goes over more is a stray quote, which must not swallow the file.
_MOST_LINES = 100
_SHOWN = 60
_PACKED = frozenset({".gz", ".xz", ".bz2"})


@dataclass(frozen=True, slots=True)
class Row:
    """A pair and the line that it begins on, from 1. Texts have no surrounding or repeated white space."""

    line: int
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A row that is no pair: where, why, and how it begins."""

    line: int
    reason: str
    text: str


def read_rows(lines: Lines, spec: PairFile) -> Iterator[Row | Malformed]:
    """The rows of a file in order; blank lines are passed over.

    Raises `BadInput` where the columns cannot be told, and for what `Lines` refuses.
    """
    kind = spec.format if spec.format != "auto" else _format(spec.path)
    yield from _json_rows(lines, spec) if kind == "jsonl" else _table_rows(lines, spec, kind)


def _format(path: str) -> str:
    name = Path(path)
    suffix = (Path(name.stem) if name.suffix.lower() in _PACKED else name).suffix.lower()
    return {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}.get(suffix, "tsv")


def _pair(line: int, source: Any, target: Any) -> Row | Malformed:
    """A row of the two values, or why they are no pair."""
    texts = []
    for name, value in (("source", source), ("target", target)):
        if not isinstance(value, str):
            return Malformed(line, f"the {name} is not a text", _shown(value))
        text = " ".join(value.split())
        if not text:
            return Malformed(line, f"the {name} is empty", _shown([source, target]))
        if "\0" in text or not _encodable(text):
            return Malformed(line, f"the {name} holds a character that is no text", _shown(value))
        texts.append(text)
    return Row(line, *texts)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, from an escape in JSON
        return False
    return True


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.encode("utf-8", "backslashreplace").decode().split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _too_long(line: int) -> Malformed:
    return Malformed(line, f"the line is longer than {LONGEST:,} bytes", "")


def _json_rows(lines: Lines, spec: PairFile) -> Iterator[Row | Malformed]:
    if isinstance(spec.source, int) or spec.header is not None or spec.delimiter or spec.quotes is not None:
        raise BadInput(
            f"{lines.name}: JSON lines have keys; column numbers, header, delimiter and quotes are for tables.",
            hint="Leave them out.",
        )
    source, target = spec.source or "source", spec.target or "target"
    for number, text in lines:
        if text is None:
            yield _too_long(number)
        elif text.strip():
            yield from _json_row(number, text, str(source), str(target))


def _json_row(number: int, text: str, source: str, target: str) -> Iterator[Row | Malformed]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Malformed(number, f"not JSON: {getattr(error, 'msg', error)}", _shown(text))
        return
    for key in (source, target):
        if not isinstance(row, dict) or key not in row:
            yield Malformed(number, f"no key {key!r}", _shown(text))
            return
    # A list of targets stands for as many pairs.
    targets = row[target] if isinstance(row[target], list) and row[target] else [row[target]]
    for one in targets:
        yield _pair(number, row[source], one)


def _table_rows(lines: Lines, spec: PairFile, kind: str) -> Iterator[Row | Malformed]:
    delimiter = spec.delimiter or ("," if kind == "csv" else "\t")
    quotes = spec.quotes if spec.quotes is not None else kind == "csv"
    records = _records(lines, delimiter, quotes)
    columns: tuple[int, int] | None = None
    width = 0
    for record in records:
        if isinstance(record, Malformed):
            yield record
            continue
        line, fields = record
        if columns is None:
            width = len(fields)
            columns, named = _columns(lines.name, fields, spec)
            if named:
                continue
        if len(fields) != width:
            yield Malformed(line, f"fields: {len(fields)}, expected {width}", _shown(" | ".join(fields)))
        else:
            yield _pair(line, fields[columns[0]], fields[columns[1]])


def _records(lines: Lines, delimiter: str, quotes: bool) -> Iterator[tuple[int, list[str]] | Malformed]:
    """(line, fields) of each record; a quoted field may hold newlines."""
    for number, text in lines:
        if text is None:
            yield _too_long(number)
        elif not text.strip():
            continue
        elif not quotes or '"' not in text:
            yield number, text.split(delimiter)
        else:
            yield _quoted(lines, number, text, delimiter)


def _quoted(lines: Lines, number: int, first: str, delimiter: str) -> tuple[int, list[str]] | Malformed:
    taken: list[tuple[int, str | None]] = []

    def more() -> Iterator[str]:
        yield first + "\n"
        while len(taken) < _MOST_LINES and (line := lines.take()) is not None:
            taken.append(line)
            if line[1] is None:
                return
            yield line[1] + "\n"

    try:
        return number, next(csv.reader(more(), delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration) as error:
        # Only this line is lost: those after it are read anew, as rows of their own.
        lines.put_back(taken)
        reason = "a quote is not closed" if "end of data" in str(error) else str(error)
        return Malformed(number, reason, _shown(first))


def _columns(name: str, fields: Sequence[str], spec: PairFile) -> tuple[tuple[int, int], bool]:
    """Places of source and target from 0, and whether `fields` is a header."""
    if isinstance(spec.source, int) and isinstance(spec.target, int):
        most = max(spec.source, spec.target)
        if most > len(fields):
            raise BadInput(f"{name}: no column {most}, the first row has {len(fields)}.", hint="Check the columns.")
        return (spec.source - 1, spec.target - 1), bool(spec.header)
    stripped = [field.strip() for field in fields]
    wanted = ((str(spec.source), str(spec.target)),) if spec.source is not None else KNOWN_COLUMNS
    for pair in wanted if spec.header is not False else ():
        if all(column in stripped for column in pair):
            return (stripped.index(pair[0]), stripped.index(pair[1])), True
    if spec.source is None and len(fields) == 2:
        return (0, 1), bool(spec.header)
    raise BadInput(
        f"{name}: cannot tell source and target among {len(fields)} columns: {', '.join(map(_quote, fields[:8]))}.",
        hint="Name them in the recipe: {path: …, source: NAME, target: NAME}, or by number from 1.",
    )


def _quote(field: str) -> str:
    return repr(_shown(field))
