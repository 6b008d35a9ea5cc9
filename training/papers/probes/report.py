"""What a probe found: tables for a terminal or as plain data, the paper's figures beside ours."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rewrite.evaluate.report import text_table

__all__ = ["PAPER", "Cell", "Probe", "ProbeReport", "Table", "positive"]

Cell = str | int | float | bool | None
"""`None` for what was not measured, or not printed in the paper."""

PAPER = " (paper)"
"""How the name of a column ends that holds the paper's figures for the one of the same name."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what its rows are called together, the names of its columns, and as many cells in each row."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    decimals: int = 1

    def text(self) -> str:
        """For a terminal; columns of the paper's figures are all headed `paper`."""
        head = ["paper" if name.endswith(PAPER) else name for name in self.head]
        return f"{self.title}\n{text_table(head, [[self._shown(cell) for cell in row] for row in self.rows])}"

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row, ready for `json.dumps`; figures are not rounded."""
        return [
            {"table": self.title, **{name: _plain(cell) for name, cell in zip(self.head, row, strict=True)}}
            for row in self.rows
        ]

    def _shown(self, cell: Cell) -> str:
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if isinstance(cell, float):
            return f"{cell:.{self.decimals}f}" if math.isfinite(cell) else "-"
        return "-" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell


def _plain(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Tables, what there is to say of them, and a signature: equal ones on equal data, equal figures."""

    tables: Sequence[Table]
    notes: Sequence[str]
    signature: str

    def text(self) -> str:
        """All of it for a terminal."""
        return "\n\n".join([*(table.text() for table in self.tables), "\n".join(self.notes), self.signature])

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row of each table, then one with the notes."""
        rows = [row for table in self.tables for row in table.to_json()]
        return [*rows, {"notes": list(self.notes), "signature": self.signature}]


@dataclass(frozen=True, slots=True)
class Probe:
    """A probe as the command has it: its name, what it is in a line, its arguments, and what runs it.

    `draws` says whether it takes `--limit` and `--seed`.
    """

    name: str
    summary: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], ProbeReport]
    draws: bool = True


def positive(text: str) -> int:
    """A whole number from 1, for `argparse`."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number
