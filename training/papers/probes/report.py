"""What the probes share: the model asked, the sample, progress on standard error, and tables beside the paper's."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeVar

from rerank.masked.base import MaskedModel
from rerank.masked.bundled import BundledMaskedModel
from rerank.masked.packed import SETTINGS
from rerank.masked.registry import create_masked_model
from rerank.rank import signature
from rewrite.errors import ModelNotFound
from rewrite.evaluate.report import text_table
from training.sizes import duration

__all__ = [
    "PAPER",
    "Cell",
    "ProbeReport",
    "Progress",
    "Table",
    "drawn",
    "masked_model",
    "run_signature",
]

_Item = TypeVar("_Item")
_EVERY = 5.0
Cell = str | int | float | bool | None
"""`None` for what was not measured, or not printed in the paper."""
PAPER = " (paper)"
"""How the name of a column ends that holds the paper's figures for the one of the same name."""


def masked_model(spec: str, *, language: str = "en", device: str = "cpu") -> MaskedModel:
    """The model that `spec` names: whatever `create_masked_model` takes, or the folder of a bundled or an hf model.

    Nothing is loaded before it is asked something. Raises `ModelNotFound` for a path without a folder, `UnknownName`.
    """
    folder = Path(spec).expanduser()
    if spec not in ("bundled", "hf") and folder.is_dir():
        if (folder / SETTINGS).is_file():
            return BundledMaskedModel(folder)
        return create_masked_model(f"hf:{folder}", language=language, device=device)
    if spec.startswith(("/", "./", "../", "~")):
        raise ModelNotFound(f"There is no folder {spec!r}.", hint="Check --masked-model.")
    return create_masked_model(spec, language=language, device=device)


def run_signature(probe: str, model: MaskedModel, settings: Mapping[str, object]) -> str:
    """One line that says what was measured and how."""
    return signature([], settings={"probe": probe, "model": model.signature(), **settings})


def drawn(items: Sequence[_Item], limit: int | None, seed: int) -> list[_Item]:
    """`limit` of the items drawn with the seed, in their order; all of them where there are no more, or no limit."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place] for place in sorted(random.Random(seed).sample(range(len(items)), limit))]


class Progress:
    """A line at most every five seconds: what is measured, how much of `total` is done, and the time left."""

    def __init__(self, what: str, total: int, *, stream: TextIO | None = None) -> None:
        self._what = what
        self._total = total
        self._stream = stream or sys.stderr
        self._began = self._last = time.monotonic()

    def update(self, done: int) -> None:
        """So much is done since the beginning."""
        now = time.monotonic()
        if now - self._last < _EVERY or not done:
            return
        self._last = now
        left = (now - self._began) * (self._total - done) / done
        self._stream.write(f"{self._what}: {done:,} of {self._total:,}, {duration(left)} left\n")
        self._stream.flush()


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
