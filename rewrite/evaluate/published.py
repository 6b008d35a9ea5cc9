"""What papers printed in their tables, for reports to show beside what is measured here: `published.tsv`.

It was measured on the papers' test sets, which need not be the sentences at hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

__all__ = ["PublishedRow", "PublishedTable", "published_rows", "published_table"]

_UNKNOWN = ("-", "?")


class PublishedRow(NamedTuple):
    """A system's figures by name; what was not printed, or cannot be read in the copy at hand, is left out."""

    name: str
    figures: Mapping[str, float]


class PublishedTable(NamedTuple):
    """A table of a paper: the test set, the names of its figures, its rows."""

    test_set: str
    figures: tuple[str, ...]
    rows: tuple[PublishedRow, ...]


def published_table(name: str) -> PublishedTable:
    """The table called so in `published.tsv`."""
    return _tables()[name]


def published_rows(name: str, level: str, coefficient: str, aspects: Sequence[str]) -> tuple[PublishedRow, ...]:
    """Correlations that the paper on negative sampling printed for the set `name`, those of its `aspects`.

    None but for `newsroom` at summary level.
    """
    table = _tables().get(f"{name}-{coefficient}") if level == "summary" else None
    rows = table.rows if table else ()
    return tuple(
        PublishedRow(row.name, {aspect: row.figures[aspect] for aspect in aspects if aspect in row.figures})
        for row in rows
    )


@lru_cache(maxsize=1)
def _tables() -> dict[str, PublishedTable]:
    text = files(__package__).joinpath("published.tsv").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    tables = {}
    for block in lines.strip().split("\n\n"):
        (name, *test_set), (_, *names), *rows = (line.split("\t") for line in block.strip().split("\n"))
        tables[name.strip("[]")] = PublishedTable(
            "".join(test_set), tuple(names), tuple(_row(row[0], zip(names, row[1:], strict=True)) for row in rows)
        )
    return tables


def _row(name: str, cells: zip[tuple[str, str]]) -> PublishedRow:
    return PublishedRow(name, {figure: float(cell) for figure, cell in cells if cell not in _UNKNOWN})
