"""Files with columns by their suffix; what has none, or not those that are asked for, is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rewrite.corpus.compression import suffixes
from rewrite.corpus.tables import CellTable, JsonlTable, Table
from rewrite.errors import BadOption


def open_table(path: str | None, columns: Mapping[str, str]) -> Table:
    """The file with these columns, by option. Raises `BadOption` for what has none, or not these."""
    flag = f"--{next(iter(columns)).replace('_', '-')}"
    if path in (None, "-", ""):
        raise BadOption(f"{flag} with no file.", hint="Name one with -i: its suffix says what it is.")
    kind = suffixes(str(path))[0]
    if kind not in _TABLES:
        raise BadOption(
            f"{flag} with {path!r}: {kind or 'a file without a suffix'} has no columns.",
            hint=f"Columns are in {', '.join(_TABLES)}, each but the last also as .gz or .zst.",
        )
    table = _TABLES[kind](str(path))
    for option, name in columns.items():
        if table.names is not None and name not in table.names:
            raise BadOption(
                f"{path}: there is no column {name!r} for --{option.replace('_', '-')}.",
                hint=f"There are: {', '.join(table.names)}.",
            )
        if table.names is not None and table.names.count(name) > 1:
            raise BadOption(f"{path}: there are several columns {name!r}.", hint="Give them names of their own.")
    return table


def names_of(table: Table) -> Sequence[str]:
    """The columns of a file; of objects those of the first one."""
    if table.names is not None:
        return table.names
    row = next((raw for raw, cells, error in table.cells(()) if not error and raw.strip()), "{}")
    return list(table.row(row))


def refuse_columns(path: str | None) -> None:
    """Raises `BadOption` for a file with columns of which none was named: its lines are no text."""
    if path in (None, "-", "") or suffixes(str(path))[0] not in _TABLES:
        return
    table = _TABLES[suffixes(str(path))[0]](str(path))
    raise BadOption(
        f"{path} has columns, and --column says of which the texts are.",
        hint=f"There are: {', '.join(names_of(table))}. For lines as they are, give it as standard input.",
    )


def _parquet(path: str) -> Table:
    from rewrite.corpus.parquet import ParquetTable

    return ParquetTable(path)


_TABLES: dict[str, Callable[[str], Table]] = {
    ".csv": lambda path: CellTable(path, tabs=False),
    ".tsv": lambda path: CellTable(path, tabs=True),
    ".jsonl": JsonlTable,
    ".parquet": _parquet,
}
