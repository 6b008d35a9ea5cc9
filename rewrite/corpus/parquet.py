"""Parquet: texts are read by themselves, and what came of them is joined to the other columns at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rewrite.corpus.tables import Value, as_json
from rewrite.errors import BadInput, BadOption, MissingExtra

_READ, _GROUP = 1024, 8192
"""Rows that are read at once, and those of a row group that is written."""


class ParquetTable:
    """A file whose columns have types. Its lines are the new columns alone, until `joined` puts them to the others.

    With `keeps_rows`, rows are read whole.
    """

    def __init__(self, path: str) -> None:
        try:
            import pyarrow.parquet
        except ImportError:
            raise MissingExtra("Parquet needs pyarrow.", hint="Run: pip install 'rewrite-rerank[corpus]'") from None
        self._path = path
        try:
            self._file: Any = pyarrow.parquet.ParquetFile(path)
        except OSError as error:
            raise BadInput(f"Cannot read {path!r}: {error.strerror or error}.") from None
        except pyarrow.ArrowException as error:
            raise BadInput(f"{path}: it is no Parquet file, or damaged: {error}.") from None
        self.names: Sequence[str] = list(self._file.schema_arrow.names)
        self.keeps_rows = False

    def cells(self, wanted: Sequence[str]) -> Iterator[tuple[Any, list[Any], str]]:
        import pyarrow

        for name in wanted:
            self._require_text(name)
        try:
            for batch in self._file.iter_batches(_READ, columns=None if self.keeps_rows else [*dict.fromkeys(wanted)]):
                rows = batch.to_pylist() if self.keeps_rows else [None] * batch.num_rows
                columns = [_cells(batch.column(name)) for name in wanted]
                for row, cells in zip(rows, zip(*columns, strict=True), strict=True):
                    error = next((str(cell) for cell in cells if isinstance(cell, UnicodeDecodeError)), "")
                    yield row, [] if error else list(cells), error
        except (OSError, UnicodeDecodeError, pyarrow.ArrowException) as error:
            raise BadInput(f"{self._path}: it is damaged: {error}.") from None

    def head(self, names: Sequence[str]) -> str:
        return ""

    def line(self, raw: Any, added: Mapping[str, Value]) -> str:
        return as_json(list(added.values())) + "\n"

    def row(self, raw: Any) -> dict[str, Any]:
        return dict(raw)

    def count(self) -> int:
        return int(self._file.metadata.num_rows)

    def holds_lists(self, name: str) -> bool:
        """Whether a column's cells are lists."""
        import pyarrow

        kind = self._file.schema_arrow.field(name).type
        return bool(pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind))

    def _require_text(self, name: str) -> None:
        import pyarrow

        kind = self._file.schema_arrow.field(name).type
        held = kind.value_type if self.holds_lists(name) or pyarrow.types.is_dictionary(kind) else kind
        text = pyarrow.types.is_string(held) or pyarrow.types.is_large_string(held)
        if not text and not pyarrow.types.is_string_view(held) and not pyarrow.types.is_null(held):
            raise BadOption(f"{self._path}: the column {name!r} holds {kind}, and no text.")

    def joined(self, part: Path, whole: Path, into: Sequence[str], *, numbers: bool, lists: bool) -> None:
        """Write the file with its new columns, which are the lines of `part`, in row groups of one size."""
        import pyarrow
        import pyarrow.parquet

        kind = pyarrow.float64() if numbers else pyarrow.string()
        kinds = (pyarrow.list_(kind) if lists else kind, pyarrow.string())
        fields = [pyarrow.field(name, its) for name, its in zip(into, kinds, strict=True)]
        schema = self._file.schema_arrow
        for field in fields:
            schema = schema.append(field)
        with (
            part.open("rb") as lines,
            pyarrow.parquet.ParquetWriter(whole, schema, compression=self._compression) as out,
        ):
            for group in self._groups():
                rows = [json.loads(line) for line in islice(lines, group.num_rows)]
                for field, values in zip(fields, zip(*rows, strict=True), strict=True):
                    group = group.append_column(field, pyarrow.array(values, field.type))
                out.write_table(group, row_group_size=_GROUP)

    def _groups(self) -> Iterator[Any]:
        """Tables of `_GROUP` rows, but the last."""
        import pyarrow

        waiting: list[Any] = []
        count = 0
        for batch in self._file.iter_batches(_READ):
            waiting.append(batch)
            count += batch.num_rows
            if count >= _GROUP:
                table = pyarrow.Table.from_batches(waiting)
                yield table.slice(0, _GROUP)
                waiting, count = table.slice(_GROUP).to_batches(), count - _GROUP
        if count:
            yield pyarrow.Table.from_batches(waiting)

    @property
    def _compression(self) -> str:
        metadata = self._file.metadata
        used = metadata.num_row_groups and metadata.num_columns
        codec = metadata.row_group(0).column(0).compression if used else "SNAPPY"
        return "NONE" if codec == "UNCOMPRESSED" else str(codec)


def _cells(column: Any) -> list[Any]:
    """The texts of a column; of what is no UTF-8 the error."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        pass
    return list(map(_cell, column))


def _cell(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError as error:
        return error
