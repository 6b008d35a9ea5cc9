"""What an evaluation of split-and-rephrase found, as plain-text tables and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rewrite.evaluate.report import Difference, differences_table, plain_intervals, text_table
from rewrite.evaluate.resampling import Interval
from rewrite.evaluate.splitting.published import PublishedRow

__all__ = ["SplitReport", "SplitRow"]

_LEGEND = """BLEU: of the corpus, all references of a source together; mean: mean of sentences' BLEU; 95 %: bootstrap
interval over sources; #S/C: sentences per source; #T/S: tokens per sentence; exact, same: outputs equal to a reference,
to the source, in %; copied: outputs with all names and numbers of the source, in %; dropped, invented: outputs without
a content word of the source, with one that it has not, in %, and such words per output"""


@dataclass(frozen=True, slots=True)
class SplitRow:
    """Figures of one system: `figures` and their `intervals` by the names of `rewrite.evaluate.splitting.scores`.

    `kind` is `baseline`, `control` (a reference scored as if it were an output) or `system`.
    """

    system: str
    kind: str
    figures: Mapping[str, float]
    intervals: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class SplitReport:
    """Systems beside the baselines, what the paper printed, and a signature: equal ones on equal data, equal figures.

    `bleu` is the signature of BLEU in sacrebleu's form.
    """

    name: str
    sources: int
    references: int
    rows: tuple[SplitRow, ...]
    differences: tuple[Difference, ...]
    published: tuple[PublishedRow, ...]
    bleu: str
    signature: str

    def text(self) -> str:
        """Tables for a terminal; the published rows stand apart."""
        title = f"{self.name}: {self.sources} sources, {self.references} references"
        head = ["system", "BLEU", "95 %", "mean", "SARI", "95 %", "#S/C", "#T/S", "exact", "same", "copied"]
        measured = text_table([*head, "dropped", "invented"], [_measured(row) for row in self.rows])
        signatures = f"BLEU {self.bleu}\n{self.signature}"
        parts = [title, measured, _LEGEND, differences_table(self.differences), _published(self.published), signatures]
        return "\n\n".join(part for part in parts if part)

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row, ready for `json.dumps`: measured rows, then differences, then published ones."""
        signatures = {"bleu_signature": self.bleu, "signature": self.signature}
        rows = [{"set": self.name, **_plain(row), **signatures} for row in self.rows]
        rows += [{"set": self.name, **one.to_json()} for one in self.differences]
        return rows + [{"set": self.name, "kind": "published", **asdict(row)} for row in self.published]


def _measured(row: SplitRow) -> list[str]:
    figures = row.figures
    return [
        row.system,
        f"{figures['bleu']:.2f}",
        row.intervals["bleu"].text(),
        f"{figures['sentence_bleu']:.2f}",
        f"{figures['sari']:.2f}",
        row.intervals["sari"].text(),
        *(f"{figures[name]:.2f}" for name in ("sentences", "tokens")),
        *(f"{figures[name]:.1f}" for name in ("exact", "unchanged", "copied")),
        *(f"{figures[name]:.1f} ({figures[f'{name}_words']:.2f})" for name in ("dropped", "invented")),
    ]


def _published(rows: tuple[PublishedRow, ...]) -> str:
    if not rows:
        return ""
    lines = [[row.system, f"{row.bleu:.2f}", f"{row.sentences:.2f}", f"{row.tokens:.2f}"] for row in rows]
    title = "Published, not measured here: Table 3 of the Split-and-Rephrase paper (its own test set)"
    return f"{title}\n{text_table(['published', 'BLEU', '#S/C', '#T/S'], lines)}"


def _plain(row: SplitRow) -> dict[str, Any]:
    return {"kind": row.kind, "system": row.system, **row.figures, "intervals": plain_intervals(row.intervals)}
