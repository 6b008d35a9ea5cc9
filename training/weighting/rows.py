"""Files of rows, read with patience: malformed rows are counted and named, and too many of them are an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from rewrite.datasets import Example
from rewrite.errors import BadInput
from training.lines import Lines
from training.pairs import read_examples
from training.records import Malformed, RowCount, json_rows, kind_of, shown, table_rows

__all__ = ["Rows", "read_rows", "read_sources"]

_T = TypeVar("_T")
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Rows(Generic[_T]):
    """What was read: `values` of the good rows, and the `count` of all, which names the first ten malformed ones."""

    values: tuple[_T, ...]
    count: RowCount

    @property
    def bad(self) -> int:
        return self.count.malformed

    def report(self) -> str:
        """The malformed rows, a line each; empty where there are none."""
        return self.count.report()


def read_rows(path: Path, parse: Callable[[Record], _T], *, most_bad: float) -> Rows[_T]:
    """Rows of a JSONL file, or of a CSV or TSV file with a header (told by its suffix), each as `parse` makes of it.

    `parse` raises `ValueError` with the reason for a row that is no good. Raises `BadInput` for a file that cannot be
    read, has no column `source`, holds no rows, or has more than the share `most_bad` of malformed ones.
    """
    values: list[_T] = []
    count = RowCount()
    with Lines(path) as lines:
        for found in _records(lines, path):
            row = found if isinstance(found, Malformed) else _parsed(parse, *found)
            if isinstance(row, Malformed):
                count.add_malformed(str(path), row)
            else:
                count.add()
                values.append(row)
    count.require(most_bad)
    if not values:
        told = f" {count.report()}" if count.malformed else ""
        raise BadInput(f"{path} holds no rows that can be used.{told}", hint="Is it the right file?")
    return Rows(tuple(values), count)


def read_sources(path: Path, *, most_bad: float = 0.0) -> Rows[Example]:
    """Sources with their references, as `read_examples` reads them, in the order they first came."""
    examples, count = read_examples(path, bad_rows=most_bad)
    return Rows(tuple(examples), count)


def _parsed(parse: Callable[[Record], _T], line: int, record: Record) -> _T | Malformed:
    try:
        return parse(record)
    except ValueError as error:
        return Malformed(line, str(error), shown(record))


def _records(lines: Lines, path: Path) -> Iterator[tuple[int, Record] | Malformed]:
    """Line number and record of each row that is not blank, or what is wrong with the row."""
    kind = kind_of(path)
    if kind == "jsonl":
        yield from json_rows(lines)
        return
    head: list[str] | None = None
    for found in table_rows(lines, delimiter="," if kind == "csv" else "\t", quotes=kind == "csv"):
        if isinstance(found, Malformed):
            yield found
            continue
        line, fields = found
        if head is None:
            head = _head(fields, line, path)
        elif len(fields) != len(head):
            yield Malformed(line, f"fields: {len(fields)}, expected {len(head)}", shown(" | ".join(fields)))
        else:
            yield line, dict(zip(head, fields, strict=True))


def _head(fields: list[str], line: int, path: Path) -> list[str]:
    names = [name.strip() for name in fields]
    if "source" not in names:
        raise BadInput(
            f"{path}, line {line}: no column 'source', found {', '.join(map(repr, names))}.",
            hint="The first line of a table names its columns.",
        )
    return names
