"""What the probes share: the model asked, the sample, progress on standard error, and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from rerank.masked.base import MaskedModel
from rerank.rank import signature
from rewrite.evaluate.harness import text_table

_Item = TypeVar("_Item")
Cell = str | int | float | bool | None
"""`None` for what was not measured."""


def run_signature(probe: str, model: MaskedModel, settings: Mapping[str, object]) -> str:
    """One line that says what was measured and how."""
    return signature([], settings={"probe": probe, "model": model.signature(), **settings})


def watched(items: Sequence[_Item], what: str) -> Iterable[_Item]:
    """The items one after the other, with a bar on standard error that tells how many are done."""
    return track(items, what, console=Console(stderr=True), transient=True)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what its rows are called together, the names of its columns, and as many cells in each row."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    decimals: int = 1

    def text(self) -> str:
        """For a terminal."""
        return f"{self.title}\n{text_table(self.head, [[self._shown(cell) for cell in row] for row in self.rows])}"

    def _shown(self, cell: Cell) -> str:
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if isinstance(cell, float):
            return f"{cell:.{self.decimals}f}" if math.isfinite(cell) else "-"
        return "-" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Tables, what there is to say of them, and a signature: equal ones on equal data, equal figures."""

    tables: Sequence[Table]
    notes: Sequence[str]
    signature: str

    def text(self) -> str:
        """All of it for a terminal."""
        return "\n\n".join([*(table.text() for table in self.tables), "\n".join(self.notes), self.signature])
