"""What an evaluation of compression found, in the layout of the NDD paper's Tables 3 to 6, and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rewrite.evaluate.compression.published import PublishedRow, PublishedTable
from rewrite.evaluate.report import Difference, differences_table, plain_intervals, text_table
from rewrite.evaluate.resampling import Interval

__all__ = ["CompressionReport", "CompressionRow"]

_BLEU = ("bleu1", "bleu2", "bleu3", "bleu4")
_ROUGE = ("rouge1", "rouge2", "rougeL")
_LEGEND = """F1: words kept, mean over sources; R1, R2, RL: ROUGE recall of outputs cut to the bytes of the gold; CR:
words of the outputs over words of the sources, in brackets that less the gold ratio; chars: the same by characters;
95 %: bootstrap interval over sources"""


@dataclass(frozen=True, slots=True)
class CompressionRow:
    """Figures of one system: `figures` and their `intervals` by the names of `rewrite.evaluate.compression.scores`.

    `kind` is `system` or `baseline`; a baseline keeps as many words as `matches` does, `gold` or a system's name.
    """

    system: str
    kind: str
    matches: str
    figures: Mapping[str, float]
    intervals: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class CompressionReport:
    """Systems beside the baselines, what the paper printed, and a signature: equal ones on equal data, equal figures.

    `gold_rate` is the references' mean length over that of the sources, in words.
    """

    name: str
    sources: int
    references: int
    gold_rate: float
    rows: tuple[CompressionRow, ...]
    differences: tuple[Difference, ...]
    published: tuple[PublishedTable, ...]
    signature: str

    def text(self) -> str:
        """Tables for a terminal; the published rows stand apart."""
        title = f"{self.name}: {self.sources} sources, {self.references} references, gold CR {self.gold_rate:.3f}"
        bleu = any("bleu4" in row.figures for row in self.rows)
        measured = text_table(_head("system", bleu, True), [_measured(row, bleu) for row in self.rows])
        published = map(_published, self.published)
        parts = [title, measured, _LEGEND, differences_table(self.differences), *published, self.signature]
        return "\n\n".join(part for part in parts if part)

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row, ready for `json.dumps`: measured rows, then differences, then published ones."""
        rows = [{"set": self.name, **_plain_row(row), "signature": self.signature} for row in self.rows]
        rows += [{"set": self.name, **one.to_json()} for one in self.differences]
        return rows + [_plain_published(table, row) for table in self.published for row in table.rows]


def _head(first: str, bleu: bool, intervals: bool) -> list[str]:
    orders = ["B1", "B2", "B3", "B4"] if bleu else []
    rest = ["chars (ΔC)", "F1 95 %", "RL 95 %"] if intervals else []
    return [first, "F1", *orders, "R1", "R2", "RL", "CR (ΔC)", *rest]


def _measured(row: CompressionRow, bleu: bool) -> list[str]:
    figures = row.figures
    return [
        row.system,
        f"{figures['f1']:.1f}",
        *(f"{figures[name]:.1f}" for name in (_BLEU if bleu else ())),
        *(f"{figures[name]:.1f}" for name in _ROUGE),
        _rate(figures["cr"], figures["delta_c"]),
        _rate(figures["cr_characters"], figures["delta_c_characters"]),
        *(row.intervals[name].text(1) for name in ("f1", "rougeL")),
    ]


def _rate(ratio: float, delta: float) -> str:
    return f"{ratio:.2f} ({delta:+.2f})"


def _published(table: PublishedTable) -> str:
    bleu = any(row.bleu for row in table.rows)
    rows = [
        [
            row.system,
            *(_cell(value) for value in (row.f1, *(row.bleu if bleu else ()), *row.rouge)),
            _rate(row.cr, row.delta_c),
        ]
        for row in table.rows
    ]
    title = f"Published, not measured here: Table {table.number} of the NDD paper ({table.test_set})"
    return f"{title}\n{text_table(_head('published', bleu, False), rows)}"


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _plain_row(row: CompressionRow) -> dict[str, Any]:
    head = {"kind": row.kind, "system": row.system, "matches": row.matches}
    return {**head, **row.figures, "intervals": plain_intervals(row.intervals)}


def _plain_published(table: PublishedTable, row: PublishedRow) -> dict[str, Any]:
    values: list[tuple[str, float | None]] = [("f1", row.f1), *zip(_BLEU, row.bleu, strict=False)]
    values += [*zip(_ROUGE, row.rouge, strict=True), ("cr", row.cr), ("delta_c", row.delta_c)]
    head = {"kind": "published", "table": table.number, "test_set": table.test_set, "system": row.system}
    return {**head, **{name: value for name, value in values if value is not None}}
