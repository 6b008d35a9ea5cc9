"""Files of pairs, the one way in which every step reads them: CSV, TSV and JSON lines, plain or packed.

docs/training.md, "Files of pairs", says what is accepted.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, model_validator

from rerank.errors import BadInput
from rewrite.datasets import Example, Pair, group_pairs
from rewrite.declaration import Section
from training.records import NO_KEY, Kind, Lines, Malformed, RowCount, json_rows, kind_of, no_rows, shown, table_rows

BAD_ROWS = 0.05
"""The share of malformed rows that a step takes, if it is told no other."""
KNOWN_COLUMNS = (("source", "target"), ("INPUT:source", "OUTPUT:output"), ("complex", "simple"), ("src", "dst"))
"""Names of source and target columns that are recognised in a header, in any case, and as keys of JSON lines."""

_KEYS = (("source", "references"), *KNOWN_COLUMNS)
# Not the comma of CSV, which any sentence may hold.
_DELIMITERS = (";", "\t", "|")
_MOST_NAMED = 8


def _column(value: Any) -> int | str:
    if isinstance(value, bool) or not ((isinstance(value, int) and value >= 1) or (isinstance(value, str) and value)):
        raise ValueError("give the name of a column, or its number from 1")
    return value


Column = Annotated[int | str, PlainValidator(_column)]


class PairFile(Section):
    """A file of pairs. In a recipe a path alone stands for `{path: PATH}`."""

    path: str = Field(min_length=1, description="Plain, or packed as .gz, .xz or .bz2.")
    format: Literal["auto", "csv", "tsv", "jsonl"] = Field(
        default="auto", description="`auto` goes by the name: .csv, .jsonl, .ndjson or .json; anything else is TSV."
    )
    source: Column | None = Field(
        default=None,
        description="Column of the source: its name in the header, its number from 1, or its key in JSONL.",
    )
    target: Column | None = Field(default=None, description="Column of the target, named or numbered as `source` is.")
    header: bool | None = Field(
        default=None, description="Whether the first row names the columns; not given: it does if it holds known names."
    )
    delimiter: str | None = Field(
        default=None, min_length=1, max_length=1, description="Between the fields of CSV; `,` if not given."
    )
    quotes: bool | None = Field(
        default=None,
        description="Whether a field may stand in double quotes, newlines and all; if not given, in CSV only.",
    )

    @model_validator(mode="before")
    @classmethod
    def _path_alone(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _both_columns(self) -> PairFile:
        if (self.source is None) != (self.target is None):
            raise ValueError("give both source and target, or neither")
        if isinstance(self.source, int) != isinstance(self.target, int):
            raise ValueError("source and target must both be names or both be numbers")
        if self.source is not None and self.source == self.target:
            raise ValueError(f"source and target are the same column, {self.source!r}")
        return self

    @property
    def kind(self) -> Kind:
        """The format, as told or by the name."""
        return kind_of(Path(self.path)) if self.format == "auto" else self.format


@dataclass(frozen=True, slots=True)
class Row:
    """A source with its targets, at least one, none of them empty, and the line that it begins on, from 1.

    `controls` are those that its targets fulfil (`rewrite.controls`), where JSON lines have a key for them.
    """

    line: int
    source: str
    targets: tuple[str, ...]
    controls: str = ""


def read_rows(
    lines: Lines, spec: PairFile, *, one_line: bool = False, several: bool = False
) -> Iterator[Row | Malformed]:
    """The rows of a file in order; blank lines are passed over.

    Texts are stripped; with `one_line`, all white space within them becomes single spaces. With `several`, a row of TSV
    without a header is a source and one or more targets; else it has two fields, and a third is no target but a fault.
    Empty targets beside others do not count. Raises `BadInput` where the columns cannot be told, and for what `Lines`
    refuses.
    """
    clean = _single_spaces if one_line else str.strip
    if spec.kind == "jsonl":
        yield from _from_json(lines, spec, clean)
    else:
        yield from _from_table(lines, spec, clean, several=several)


def controlled_pairs_in(
    path: Path, spec: PairFile, count: RowCount, *, several: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Source, target and controls of each pair of the file at `path`, these empty where it has none.

    `count` is told of every row. `several` and errors as in `read_rows`.
    """
    with Lines(path) as lines:
        for row in read_rows(lines, spec, several=several):
            if isinstance(row, Malformed):
                count.add_malformed(str(path), row)
                continue
            count.add()
            for target in row.targets:
                yield row.source, target, row.controls


def read_examples(path: Path, *, bad_rows: float = BAD_ROWS) -> tuple[list[Example], RowCount]:
    """Sources with their references, rows of one source together, in the order they first came; the count of rows.

    Raises `BadInput` for a file without a row that can be used, for more than the share `bad_rows` of malformed ones,
    and as `read_rows` with `several`.
    """
    count = RowCount()
    rows = controlled_pairs_in(path, PairFile(path=str(path)), count, several=True)
    pairs = [Pair(source, target) for source, target, _ in rows]
    count.require(bad_rows)
    if not pairs:
        raise no_rows(path, count)
    return group_pairs(pairs), count


def _single_spaces(text: str) -> str:
    return " ".join(text.split())


def _row(line: int, source: Any, targets: Any, clean: Callable[[str], str]) -> Row | Malformed:
    """A row of the two values, or why they are none."""
    listed = targets if isinstance(targets, list) else [targets]
    for name, value in (("source", source), *(("target", target) for target in listed)):
        if not isinstance(value, str):
            return Malformed(line, f"the {name} is not a text", shown(value))
        if "\0" in value:
            return Malformed(line, f"the {name} holds a character that is no text", shown(value))
    kept = tuple(text for target in listed if (text := clean(target)))
    if not (cleaned := clean(source)) or not kept:
        return Malformed(line, f"the {'target' if cleaned else 'source'} is empty", shown([source, *listed]))
    return Row(line, cleaned, kept)


def _from_json(lines: Lines, spec: PairFile, clean: Callable[[str], str]) -> Iterator[Row | Malformed]:
    if isinstance(spec.source, int) or spec.header is not None or spec.delimiter or spec.quotes is not None:
        raise BadInput(
            f"{lines.name}: JSON lines have keys; column numbers, header, delimiter and quotes are for tables.",
            hint="Leave them out.",
        )
    wanted = ((str(spec.source), str(spec.target)),) if spec.source is not None else _KEYS
    for row in json_rows(lines):
        yield row if isinstance(row, Malformed) else _of_object(*row, wanted, clean)


def _of_object(
    line: int, record: dict[str, Any], wanted: Sequence[tuple[str, str]], clean: Callable[[str], str]
) -> Row | Malformed:
    there = [keys for keys in wanted if all(key in record for key in keys)]
    if not there:
        # The last of the usual keys is `target`: `references` is its other name.
        usual = wanted[0] if len(wanted) == 1 else KNOWN_COLUMNS[0]
        lacking = next(key for key in usual if key not in record)
        keys = ", ".join(repr(shown(key)) for key in list(record)[:_MOST_NAMED]) or "none"
        return Malformed(line, f"{NO_KEY}{lacking!r}, its keys: {keys}", shown(record))
    source, target = next((keys for keys in there if record[keys[1]] not in (None, "", [])), there[0])
    row = _row(line, record[source], record[target], clean)
    controls = record.get("controls", "")
    if not isinstance(controls, str):
        return Malformed(line, "the controls are not a text", shown(controls))
    return replace(row, controls=controls) if isinstance(row, Row) and controls else row


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where source and targets stand among the fields, from 0; `width` fields are expected, `None`: two or more."""

    source: int
    targets: slice
    width: int | None
    named: bool


def _from_table(
    lines: Lines, spec: PairFile, clean: Callable[[str], str], *, several: bool
) -> Iterator[Row | Malformed]:
    delimiter = spec.delimiter or ("," if spec.kind == "csv" else "\t")
    quotes = spec.quotes if spec.quotes is not None else spec.kind == "csv"
    columns: _Columns | None = None
    for row in table_rows(lines, delimiter=delimiter, quotes=quotes):
        if isinstance(row, Malformed):
            yield row
            continue
        line, fields = row
        if columns is None and _is_no_row(fields, spec, delimiter):
            yield Malformed(line, "fields: 1, expected 2", shown(fields[0]))
            continue
        if columns is None:
            columns = _columns(lines.name, fields, spec, delimiter, several=several and spec.kind == "tsv")
            if columns.named:
                continue
        if len(fields) != columns.width and (columns.width is not None or len(fields) < 2):
            expected = "2 or more" if columns.width is None else columns.width
            yield Malformed(line, f"fields: {len(fields)}, expected {expected}", shown(" | ".join(fields)))
        else:
            yield _row(line, fields[columns.source], fields[columns.targets], clean)


def _columns(name: str, fields: Sequence[str], spec: PairFile, delimiter: str, *, several: bool) -> _Columns:
    """What the first row and the recipe say of the columns."""
    width = len(fields)
    if isinstance(spec.source, int) and isinstance(spec.target, int):
        most = max(spec.source, spec.target)
        if most > width:
            raise BadInput(f"{name}: no column {most}, the first row has {width}.", hint="Check the columns.")
        return _two(spec.source - 1, spec.target - 1, width, named=bool(spec.header))
    if spec.header is not False and (places := _named(fields, spec)) is not None:
        return _two(*places, width, named=True)
    if spec.source is None and several:
        return _Columns(0, slice(1, None), None, bool(spec.header))
    if spec.source is None and width == 2:
        return _two(0, 1, width, named=bool(spec.header))
    other = _other_delimiter(fields, delimiter)
    columns = ", ".join(repr(shown(field)) for field in fields[:_MOST_NAMED])
    if spec.source is not None and other is None:
        raise _no_such_column(name, fields, spec, columns)
    raise BadInput(
        f"{name}: cannot tell source and target among {width} columns: {columns}.",
        hint=f"Are they separated by {other!r}? Then say so: {{path: …, format: csv, delimiter: {other!r}}}."
        if other
        else "Name them source and target in the first row, or in the recipe: {path: …, source: NAME, target: NAME}, "
        "or by number from 1.",
    )


def _no_such_column(name: str, fields: Sequence[str], spec: PairFile, columns: str) -> BadInput:
    """The error for columns that the recipe names and the first row does not."""
    if spec.header is False:
        return BadInput(
            f"{name}: columns are named, {spec.source!r} and {spec.target!r}, and header is false.",
            hint="Give their numbers, from 1, or leave header out.",
        )
    there = {field.strip() for field in fields}
    absent = [str(column) for column in (spec.source, spec.target) if column not in there]
    close = difflib.get_close_matches(absent[0], sorted(there), n=1)
    return BadInput(
        f"{name}: no column {' and no column '.join(map(repr, absent))}; the first row has {columns}.",
        hint=f"Did you mean {close[0]!r}?" if close else "Check the names in the recipe, or give numbers, from 1.",
    )


def _is_no_row(fields: Sequence[str], spec: PairFile, delimiter: str) -> bool:
    """Whether a first row of one field is a fault of its own, and says nothing about the columns of the others."""
    return len(fields) == 1 and spec.source is None and not spec.header and _other_delimiter(fields, delimiter) is None


def _other_delimiter(fields: Sequence[str], delimiter: str) -> str | None:
    """What the fields may be separated by, if the row is one field only by the `delimiter` that is expected."""
    others = (mark for mark in _DELIMITERS if mark != delimiter and mark in fields[0])
    return next(others, None) if len(fields) == 1 else None


def _two(source: int, target: int, width: int, *, named: bool) -> _Columns:
    return _Columns(source, slice(target, target + 1), width, named)


def _named(fields: Sequence[str], spec: PairFile) -> tuple[int, int] | None:
    """The places of the columns that are named; `None` where the row does not hold the names."""
    names = [field.strip() for field in fields]
    wanted: Sequence[tuple[str, str]] = ((str(spec.source), str(spec.target)),)
    if spec.source is None:
        names, wanted = [field.lower() for field in names], [(s.lower(), t.lower()) for s, t in KNOWN_COLUMNS]
    return next(((names.index(s), names.index(t)) for s, t in wanted if s in names and t in names), None)
