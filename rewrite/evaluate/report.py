"""What an evaluation found, as plain-text tables and as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rewrite.evaluate.resampling import Interval
from rewrite.evaluate.sari import SariScore

__all__ = [
    "Report",
    "SystemFigures",
    "TableRow",
    "text_table",
]

_LEGEND = """formed: outputs on which no well-formedness rule fired, in %; facts: outputs that change a fact, in %;
words, chars: output over source, in %; same: outputs equal to the source, in %; w/out, s/out: words and sentences
per output; 95 %: bootstrap interval of SARI"""


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """Figures of one system over a data set.

    `interval` is the bootstrap interval of `sari.sari`. Shares lie in [0, 1]: `changed_facts` of outputs with at least
    one violation of the fact guard, `well_formed` of outputs without a problem, `unchanged` of outputs equal to their
    source. `words` and `characters` are output over source, summed (below 1 is shorter). `output_words` and
    `output_sentences` are means per output. `violations` and `problems` count by kind and rule.
    """

    name: str
    sari: SariScore
    interval: Interval
    changed_facts: float
    well_formed: float
    words: float
    characters: float
    unchanged: float
    output_words: float
    output_sentences: float
    violations: Mapping[str, int]
    problems: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table of SARI scores: a setting and its score with the bootstrap interval."""

    label: str
    sari: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Report:
    """Figures of systems beside their baselines, the n-curve and the ablation where they were asked for.

    `curve` has the layout of the RuSimScore paper's Table 5, `ablation` that of its Table 7. `signature` says what
    was evaluated and how; equal signatures on equal data mean equal figures.
    """

    sources: int
    references: int
    systems: tuple[SystemFigures, ...]
    curve: tuple[TableRow, ...] = ()
    ablation: tuple[TableRow, ...] = ()
    signature: str = ""

    def text(self) -> str:
        """Tables for a terminal."""
        parts = [f"{self.sources} sources, {self.references} references", self._systems(), self._reasons()]
        if self.curve:
            parts.append("Number of candidates\n" + _scores("Count", self.curve))
        if self.ablation:
            parts.append("Ablation\n" + _scores("Model", self.ablation))
        if self.signature:
            parts.append(self.signature)
        return "\n\n".join(part for part in parts if part)

    def _systems(self) -> str:
        head = ["system", "SARI", "95 %", "add", "keep", "delete", "formed", "facts", "words", "chars", "same"]
        return "\n".join([text_table([*head, "w/out", "s/out"], [_figures(one) for one in self.systems]), "", _LEGEND])

    def _reasons(self) -> str:
        """Which rules fired how often, the most frequent first."""
        lines = []
        for one in self.systems:
            for title, counts in (("problems", one.problems), ("facts", one.violations)):
                if counts:
                    listed = ", ".join(f"{name} {count}" for name, count in list(counts.items())[:8])
                    lines.append(f"{one.name}, {title}: {listed}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, ready for `json.dumps`."""
        return asdict(self)


def _figures(one: SystemFigures) -> list[str]:
    score = one.sari
    return [
        one.name,
        f"{score.sari:.2f}",
        one.interval.text(),
        *(f"{part:.2f}" for part in (score.add, score.keep, score.delete)),
        *(f"{100 * share:.1f}" for share in (one.well_formed, one.changed_facts)),
        *(f"{100 * share:.1f}" for share in (one.words, one.characters, one.unchanged)),
        f"{one.output_words:.1f}",
        f"{one.output_sentences:.2f}",
    ]


def _scores(title: str, rows: Sequence[TableRow]) -> str:
    return text_table(
        [title, "SARI", "95 %"],
        [[row.label, f"{row.sari:.2f}", row.interval.text()] for row in rows],
    )


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their widest cell: the first to the left, the others to the right."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = [
        "  ".join(cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(line))
        for line in (list(zip(row, widths, strict=True)) for row in cells)
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)
