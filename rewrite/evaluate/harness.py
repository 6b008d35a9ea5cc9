"""One harness for outputs of a set: statistics of each source first, figures of their sums, then all that follows.

A task says in its `Scoring` what is counted of one output, what the sums come to, what stands beside the systems and
how the table looks; intervals, differences, signature and report are here.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rerank.types import FloatArray
from rewrite.datasets import Example, json_object, placed_lines
from rewrite.errors import BadInput, BadOption
from rewrite.evaluate.metric import Difference, Measured, Metric, SumMetric
from rewrite.evaluate.resampling import Bootstrap, Interval
from rewrite.evaluate.sets import EvaluationSet
from rewrite.version import version

_Read = TypeVar("_Read")

_HOW = 'Give one text a line, source<TAB>text as .tsv, or {"text": "…"} a line as .jsonl.'


def require_outputs(systems: Mapping[str, Sequence[str]], sources: int) -> None:
    """`BadInput` where there are no sources, or where a system has not one output for each of them."""
    if not sources:
        raise BadInput("There is nothing to evaluate on.", hint="Give a set with at least one example.")
    for system, outputs in systems.items():
        if len(outputs) != sources:
            raise BadInput(
                f"The system {system} gives {len(outputs)} outputs for {sources} sources.",
                hint="Give one output for each source, in order.",
            )


def by_name(given: Sequence[str], load: Callable[[str], _Read], reserved: Collection[str]) -> dict[str, _Read]:
    """What `load` reads of each file, by `NAME=FILE` or the file's name without its ending.

    Raises `BadOption` for a name that is empty, given twice or `reserved`.
    """
    systems: dict[str, _Read] = {}
    for item in given:
        name, separator, path = item.partition("=")
        if not separator or Path(item).exists():
            name, path = Path(item).stem, item
        if not name or name in systems or name in reserved:
            raise BadOption(f"The name {name!r} of {path!r} is empty or taken.", hint="Give another, as NAME=FILE.")
        systems[name] = load(path)
    return systems


def load_outputs(path: str | Path, examples: Sequence[Example]) -> list[str]:
    """What a system made of the sources of `examples`, one output for each, in order.

    `.jsonl` holds objects with `text` (and `source`), as `rewrite` prints them, `.tsv` source<TAB>output, any other
    file one output a line, an empty line being an empty output. Sources that are given must be those of the examples.
    `BadInput` names the line, or both counts where they differ.
    """
    path = Path(path)
    read = {".jsonl": _jsonl_output, ".ndjson": _jsonl_output, ".tsv": _tsv_output}.get(
        path.suffix.lower(), _plain_output
    )
    rows = [(place, *read(place, line)) for place, line in placed_lines(path)]
    if len(rows) != len(examples):
        raise BadInput(f"{path} holds {len(rows)} outputs, the set has {len(examples)} sources.", hint=_HOW)
    for (place, source, _), example in zip(rows, examples, strict=True):
        if source is not None and source.split() != example.source.split():
            raise BadInput(
                f"{place}: the source {source[:60]!r} is not that of the set, {example.source[:60]!r}.",
                hint="Outputs must stand in the order of the set.",
            )
    return [output for *_, output in rows]


def _plain_output(place: str, line: str) -> tuple[str | None, str]:
    return None, line.strip()


def _tsv_output(place: str, line: str) -> tuple[str | None, str]:
    source, tab, output = line.partition("\t")
    if not tab or "\t" in output:
        raise BadInput(f"{place}: {line.count(chr(9))} tabs where source<TAB>output has one: {line[:60]!r}.", hint=_HOW)
    return source, output.strip()


def _jsonl_output(place: str, line: str) -> tuple[str | None, str]:
    row = json_object(line, place)
    output, source = row.get("text"), row.get("source")
    if not isinstance(output, str):
        raise BadInput(f"{place}: no text under 'text', found {', '.join(map(repr, row)) or 'nothing'}.", hint=_HOW)
    return source if isinstance(source, str) else None, output.strip()


class Entry(NamedTuple):
    """Something to score: its name, what it is, what counts its statistics.

    `kind` is `system`, `baseline`, or `control` (a reference scored as if it were an output). Where baselines match the
    length of a system, or of the `gold`, `matches` names it; it is empty for what matches none.
    """

    system: str
    kind: str
    statistics: Callable[[], FloatArray]
    matches: str | None = None


class Scoring(Metric):
    """A metric of a set, for a table of what was scored on it. Its `name` is that of the set."""

    name: str
    COMPARED: tuple[str, ...]
    """The figures in which rows are compared."""

    @abstractmethod
    def settings(self, bootstrap: Mapping[str, object]) -> Mapping[str, object]:
        """All settings and versions that figures hang on, those of the bootstrap in their place."""

    @abstractmethod
    def title(self) -> str:
        """The set and its size."""

    @abstractmethod
    def table(self, rows: Sequence[SystemRow]) -> str:
        """The figures of `rows` for a terminal, with what the columns are."""

    def signature(self, bootstrap: Bootstrap | None = None) -> str:
        """What figures of the set hang on: this version, the settings, numpy's version."""
        drawn = bootstrap or Bootstrap()
        settings = self.settings({"samples": drawn.samples, "seed": drawn.seed})
        parts = {"rewrite-rerank": version(), "set": self.name.replace(" ", "-"), **settings, "numpy": np.__version__}
        return "|".join(f"{key}:{value}" for key, value in parts.items())

    def pairs(self, rows: Sequence[SystemRow]) -> Iterator[tuple[SystemRow, SystemRow]]:
        """Which rows are compared: each system with the baselines, of those that match a system its own, and with the
        systems named after it."""
        systems = [row for row in rows if row.kind == "system"]
        for number, system in enumerate(systems):
            beside = [row for row in rows if row.kind == "baseline" and row.matches in (None, "", system.system)]
            yield from ((system, other) for other in (*beside, *systems[number + 1 :]))

    def signatures(self, signature: str) -> list[str]:
        """The lines at the end of the table: that of the report, and those of its metrics."""
        return [signature]

    def row(self, row: SystemRow) -> dict[str, Any]:
        """`row` as plain data."""
        return row.to_json()

    def difference(self, difference: Difference) -> dict[str, Any]:
        """A difference as plain data."""
        return difference.to_json()


class OutputScoring(Scoring, SumMetric):
    """A set of sources with references prepared once, to score any number of outputs."""

    def __init__(self, data: EvaluationSet) -> None:
        self.data, self.name = data, data.name

    @abstractmethod
    def entries(self, systems: Mapping[str, Sequence[str]], seed: int) -> Iterator[Entry]:
        """The systems (one output for each example, in order) and what stands beside them."""

    @abstractmethod
    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """What `figures` needs of one output for each source, a row each."""

    def measured(self, outputs: Sequence[str], bootstrap: Bootstrap) -> Measured:
        """The figures of `outputs`, one for each source."""
        return self.aggregate(self.statistics(outputs), bootstrap)

    def title(self) -> str:
        references = sum(len(example.references) for example in self.data.examples)
        return f"{self.name}: {len(self.data.examples)} sources, {references} references"


@dataclass(frozen=True, slots=True)
class SystemRow:
    """Figures of one system, with their intervals; the other fields as in `Entry`."""

    system: str
    kind: str
    matches: str | None
    measured: Measured

    @property
    def figures(self) -> Mapping[str, float]:
        return self.measured.figures

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        intervals = {name: interval.to_json() for name, interval in self.measured.intervals().items()}
        matches = {} if self.matches is None else {"matches": self.matches}
        return {"kind": self.kind, "system": self.system, **matches, **self.figures, "intervals": intervals}


@dataclass(frozen=True, slots=True)
class HarnessReport:
    """What was scored beside baselines, and a signature: equal ones on equal data, equal figures."""

    scoring: Scoring
    rows: tuple[SystemRow, ...]
    differences: tuple[Difference, ...]
    signature: str

    def text(self) -> str:
        """Tables for a terminal."""
        rows = [
            [
                f"{difference.system} − {difference.baseline}",
                difference.figure,
                *figure_cells(difference.value, difference.interval, sign="+"),
            ]
            for difference in self.differences
        ]
        differences = text_table(["difference", "of", "", "95 %"], rows) if rows else ""
        parts = [self.scoring.title(), self.scoring.table(self.rows), differences]
        return "\n\n".join(part for part in [*parts, "\n".join(self.scoring.signatures(self.signature))] if part)

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row, ready for `json.dumps`: measured rows, then differences."""
        about, scoring = {"set": self.scoring.name}, self.scoring
        rows = [{**about, **scoring.row(row), "signature": self.signature} for row in self.rows]
        return rows + [{**about, **scoring.difference(difference)} for difference in self.differences]


def evaluate(
    data: EvaluationSet,
    prepare: Callable[[EvaluationSet], OutputScoring],
    systems: Mapping[str, Sequence[str]] | None = None,
    *,
    bootstrap: Bootstrap | None = None,
    progress: Callable[[str], None] | None = None,
) -> HarnessReport:
    """Figures of `systems` (one output for each example, in order) and of what `prepare(data)` sets beside them.

    `progress` is told the name of each as it is scored. `BadInput` for a wrong number of outputs or an empty set.
    """
    require_outputs(systems or {}, len(data.examples))
    scoring, bootstrap = prepare(data), bootstrap or Bootstrap()
    return report(scoring, scoring.entries(systems or {}, bootstrap.seed), bootstrap, progress)


def report(
    scoring: Scoring, entries: Iterable[Entry], bootstrap: Bootstrap, progress: Callable[[str], None] | None = None
) -> HarnessReport:
    """The figures of all `entries`, and by how much those that `scoring` compares differ."""
    rows = []
    for entry in entries:
        if progress is not None:
            progress(entry.system)
        measured = scoring.aggregate(entry.statistics(), bootstrap)
        rows.append(SystemRow(entry.system, entry.kind, entry.matches, measured))
    differences = (
        Difference(row.system, other.system, name, *row.measured.less(other.measured, name))
        for row, other in scoring.pairs(rows)
        for name in scoring.COMPARED
    )
    return HarnessReport(scoring, tuple(rows), tuple(differences), scoring.signature(bootstrap))


def figure_cells(value: float, interval: Interval, *, sign: str = "") -> tuple[str, str]:
    """A figure and its interval, each as a cell of a table: a dash where there is none."""
    between = f"[{interval.low:{sign}.2f}, {interval.high:{sign}.2f}]"
    return "–" if math.isnan(value) else f"{value:{sign}.2f}", "–" if math.isnan(interval.low) else between


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
