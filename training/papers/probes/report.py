"""What the probes share: the model asked, the sample, progress on standard error, and tables beside the paper's."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

from rerank.masked.base import MaskedModel
from rerank.masked.bundled import BundledMaskedModel
from rerank.masked.packed import SETTINGS
from rerank.masked.registry import create_masked_model
from rerank.rank import signature
from rewrite.errors import ModelNotFound
from rewrite.evaluate.harness import text_table

SENSITIVITY: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "ΔPPL": {"Syn-Ant": 5.3, "POS": 2.8, "Term": 8.7, "Lemma": 7.9, "Sup.": 11.2},
        "S_C": {"Syn-Ant": 7.8, "POS": 8.1, "Term": 9.1, "Lemma": 0.0, "Sup.": 20.8},
        "NDD": {"Syn-Ant": 19.1, "POS": 22.7, "Term": 11.2, "Lemma": 17.8, "Sup.": 24.0},
        "NDD + S_C": {"Syn-Ant": 12.5, "POS": 14.5, "Term": 10.8, "Lemma": 6.8, "Sup.": 28.2},
    }
)
"""Table 1: Pearson's correlation · 100 of each metric in each test, with roberta-base."""

PRUNING: Mapping[tuple[str, float], tuple[int, ...]] = MappingProxyType(
    {
        ("random", 1.0): (4, 21, 22, 54, 55, 31, 27),
        ("random", 2.0): (4, 24, 23, 48, 52, 29, 23),
        ("PPL", 1.0): (3, 20, 21, 56, 79, 57, 48),
        ("PPL", 2.0): (3, 23, 24, 50, 71, 45, 37),
        ("NDD", 1.0): (1, 19, 20, 60, 90, 81, 66),
        ("NDD", 2.0): (2, 23, 23, 52, 82, 70, 63),
    }
)
"""Table 7, by method and N_max: Depth-1, 2, 3 and ≥ 4, Subtree-1, 2 and ≥ 3, in per cent."""

PREDICATES: Mapping[tuple[str, str], tuple[float, ...]] = MappingProxyType(
    {
        ("PPL", "delete"): (36.8, 56.8, 44.5, 60.4, 26.6, 54.5),
        ("PPL", "mask"): (35.9, 56.7, 33.1, 48.5, 25.1, 50.4),
        ("NDD", "delete"): (53.1, 77.0, 62.5, 80.8, 48.8, 77.1),
        ("NDD", "mask"): (48.0, 74.4, 57.3, 80.6, 44.2, 75.0),
        ("NDD", "stop word"): (49.9, 76.4, 56.4, 78.5, 45.2, 77.2),
        ("NDD", "ensemble"): (54.3, 79.7, 63.1, 83.3, 54.7, 82.8),
    }
)
"""Table 8, by metric and edit: mAP and AUC of ENG-ID, of ENG-OOD and of SPA."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited sentence of Table 10, the group it stands in, and its PPL, NDD and S_C there."""

    group: str
    text: str
    ppl: float
    ndd: float
    cosine: float


SOURCE = Edit("", "I am walking in the cold rain.", 5.99, 0.0, 1.0)
"""The initial sentence of Table 10."""

SENTENCES: tuple[Edit, ...] = (
    Edit("adjective", "I am walking in the cool rain.", 10.10, 0.81, 0.995),
    Edit("adjective", "I am walking in the freezing rain.", 5.63, 0.97, 0.997),
    Edit("adjective", "I am walking in the heavy rain.", 5.30, 1.82, 0.994),
    Edit("adjective", "I am walking in the hot rain.", 14.77, 3.17, 0.995),
    Edit("noun", "I am walking in the cold snow.", 5.37, 2.46, 0.996),
    Edit("noun", "I am walking in the cold night.", 6.18, 3.52, 0.991),
    Edit("noun", "I am walking in the cold sunshine.", 8.59, 4.73, 0.994),
    Edit("verb", "I am running in the cold rain.", 11.86, 0.66, 0.990),
    Edit("verb", "I am wandering in the cold rain.", 16.89, 0.89, 0.982),
    Edit("verb", "I am swimming in the cold rain.", 14.84, 3.29, 0.986),
    Edit("subject and tense", "I was walking in the cold rain.", 10.32, 4.72, 0.980),
    Edit("subject and tense", "He am walking in the cold rain.", 105.55, 13.04, 0.991),
    Edit("subject and tense", "He is walking in the cold rain.", 13.95, 7.22, 0.980),
)
"""Table 10, without the initial sentence."""


_Item = TypeVar("_Item")
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
