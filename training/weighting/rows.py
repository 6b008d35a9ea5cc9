"""Files of rows, read with patience: malformed rows are counted and named, and too many of them are an error."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from rewrite.datasets import Example
from rewrite.errors import BadInput

__all__ = ["NAMED", "Rows", "read_rows", "read_sources"]

NAMED = 10
_T = TypeVar("_T")
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Rows(Generic[_T]):
    """What was read: `values` of the good rows, how many were `bad`, and the first ten of these in words."""

    values: tuple[_T, ...]
    bad: int = 0
    named: tuple[str, ...] = ()

    def report(self) -> str:
        """The malformed rows, a line each; empty where there are none."""
        if not self.bad:
            return ""
        more = f"\n  and {self.bad - len(self.named)} more" if self.bad > len(self.named) else ""
        return f"{self.bad} malformed rows left out:\n  " + "\n  ".join(self.named) + more


def read_rows(path: Path, parse: Callable[[Record], _T], *, most_bad: float, header: bool = True) -> Rows[_T]:
    """Rows of a JSONL, TSV or CSV file (told by its suffix), each as `parse` makes of it.

    `parse` raises `ValueError` with the reason for a row that is no good. A TSV without `header` gives records with
    `source` and `references`. Raises `BadInput` for a file that cannot be read, holds no rows, or has more than
    the share `most_bad` of malformed ones.
    """
    values: list[_T] = []
    named: list[str] = []
    bad = 0
    for line, record in _records(path, header=header):
        value, reason = (None, record) if isinstance(record, str) else _parsed(parse, record)
        if value is not None:
            values.append(value)
            continue
        bad += 1
        if bad <= NAMED:
            named.append(f"line {line}: {reason}")
    rows = Rows(tuple(values), bad, tuple(named))
    if not values and not bad:
        raise BadInput(f"{path} holds no rows.", hint="Is it the right file?")
    if not values or bad > most_bad * (bad + len(values)):
        raise BadInput(
            f"{path}: {bad} of {bad + len(values)} rows are malformed: {'; '.join(named)}.",
            hint="Mend them, or allow a larger share with --bad-rows.",
        )
    return rows


def _parsed(parse: Callable[[Record], _T], record: Record) -> tuple[_T | None, str]:
    try:
        return parse(record), ""
    except ValueError as error:
        return None, str(error)


def read_sources(path: Path, *, most_bad: float = 0.0) -> Rows[Example]:
    """Sources with their references, rows of one source together, in the order they first came.

    CSV has the columns `INPUT:source` and `OUTPUT:output`, or `source` and `target`; JSONL `source` with `target` or
    `references`; a row of TSV is the source and its references. Errors are those of `read_rows`.
    """
    rows = read_rows(path, _example, most_bad=most_bad, header=False)
    grouped: dict[str, list[str]] = {}
    for example in rows.values:
        grouped.setdefault(example.source, []).extend(example.references)
    examples = tuple(Example(source, tuple(references)) for source, references in grouped.items())
    return Rows(examples, rows.bad, rows.named)


def _example(record: Record) -> Example:
    source = record.get("source", record.get("INPUT:source"))
    found = next((record[key] for key in ("references", "target", "OUTPUT:output") if record.get(key)), None)
    references = [found] if isinstance(found, str) else found
    if not isinstance(source, str) or not source.strip():
        raise ValueError("no source")
    if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
        raise ValueError(f"no reference for {source.strip()[:40]!r}")
    texts = tuple(text.strip() for text in references if text.strip())
    if not texts:
        raise ValueError(f"no reference for {source.strip()[:40]!r}")
    return Example(source.strip(), texts)


def _records(path: Path, *, header: bool) -> Iterator[tuple[int, Record | str]]:
    """Line number and record of each row that is not blank, or what is wrong with the row."""
    text = _read(path)
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield number, _json_record(line)
    elif suffix == ".tsv" and not header:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                source, *references = line.rstrip("\r").split("\t")
                yield number, {"source": source, "references": references}
    else:
        yield from _csv_records(text, path, "\t" if suffix == ".tsv" else ",")


def _json_record(line: str) -> Record | str:
    try:
        record = json.loads(line)
    except ValueError as error:
        return f"not JSON: {error}"
    return record if isinstance(record, dict) else f"no JSON object: {line[:40]!r}"


def _csv_records(text: str, path: Path, delimiter: str) -> Iterator[tuple[int, Record | str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        head = [name.strip() for name in next(reader, [])]
        if head and not {"source", "INPUT:source"} & set(head):
            raise BadInput(
                f"{path}, line 1: no column 'source', found {', '.join(map(repr, head))}.",
                hint="The first line of a CSV file names its columns.",
            )
        line = reader.line_num + 1
        for row in reader:
            if row:
                wrong = f"{len(row)} fields, the header has {len(head)}"
                yield line, dict(zip(head, row, strict=True)) if len(row) == len(head) else wrong
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"{path}, line {reader.line_num}: {error}.", hint="Is this a CSV file?") from error


def _read(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error.strerror or error}.", hint="Check the path.") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadInput(
            f"{path}, line {line}: byte {raw[error.start]:#04x} is not UTF-8.", hint="Convert the file to UTF-8."
        ) from error
