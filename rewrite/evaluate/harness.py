"""One harness for outputs of a set: statistics of each source first, figures of their sums, then all that follows.

A task says in its `Scoring` what is counted of one output, what the sums come to, what stands beside the systems and
how the table looks; intervals, differences, signature and report are here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from rerank.types import FloatArray
from rewrite.datasets import Example, json_object, text_lines
from rewrite.errors import BadInput, BadOption
from rewrite.evaluate.resampling import Bootstrap, Interval, Measured, measured
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
    rows = [read(line, f"{path}, line {number}") for number, line in enumerate(text_lines(path), 1)]
    if len(rows) != len(examples):
        raise BadInput(f"{path} holds {len(rows)} outputs, the set has {len(examples)} sources.", hint=_HOW)
    for number, ((source, _), example) in enumerate(zip(rows, examples, strict=True), 1):
        if source is not None and source.split() != example.source.split():
            raise BadInput(
                f"{path}, line {number}: the source {source[:60]!r} is not that of the set, {example.source[:60]!r}.",
                hint="Outputs must stand in the order of the set.",
            )
    return [output for _, output in rows]


def _plain_output(line: str, place: str) -> tuple[str | None, str]:
    return None, line.strip()


def _tsv_output(line: str, place: str) -> tuple[str | None, str]:
    source, tab, output = line.partition("\t")
    if not tab or "\t" in output:
        raise BadInput(f"{place}: {line.count(chr(9))} tabs where source<TAB>output has one: {line[:60]!r}.", hint=_HOW)
    return source, output.strip()


def _jsonl_output(line: str, place: str) -> tuple[str | None, str]:
    row = json_object(line, place)
    output, source = row.get("text"), row.get("source")
    if not isinstance(output, str):
        raise BadInput(f"{place}: no text under 'text', found {', '.join(map(repr, row)) or 'nothing'}.", hint=_HOW)
    return source if isinstance(source, str) else None, output.strip()


class Entry(NamedTuple):
    """Something to score: its name, what it is, what counts its statistics.

    `kind` is `system`, `baseline`, or `control` (a reference scored as if it were an output). A baseline may match the
    length of a system, or of the `gold`.
    """

    system: str
    kind: str
    statistics: Callable[[], FloatArray]
    matches: str = ""


class Scoring(ABC):
    """A set prepared once, to score any number of outputs."""

    FIGURES: ClassVar[tuple[str, ...]]
    COMPARED: ClassVar[tuple[str, ...]]
    """The figures in which systems are compared."""
    data: EvaluationSet

    @abstractmethod
    def entries(self, systems: Mapping[str, Sequence[str]], seed: int) -> Iterator[Entry]:
        """The systems (one output for each example, in order) and what stands beside them."""

    @abstractmethod
    def figures(self, totals: FloatArray) -> FloatArray:
        """Sums of statistics, shape `[n, columns]`, to `FIGURES`, shape `[n, len(FIGURES)]`; NaN: not computed."""

    @abstractmethod
    def signature(self, bootstrap: Mapping[str, object]) -> Mapping[str, object]:
        """All settings and versions that figures hang on, those of the bootstrap in their place."""

    @abstractmethod
    def table(self, rows: Sequence[SystemRow]) -> str:
        """The figures of `rows` for a terminal, with what the columns are."""

    def title(self) -> str:
        """The set and its size."""
        references = sum(len(example.references) for example in self.data.examples)
        return f"{self.data.name}: {len(self.data.examples)} sources, {references} references"

    def reasons(self, system: str) -> Mapping[str, object]:
        """What else is counted of the outputs of `system`, once its statistics are made, as plain data."""
        return {}

    def bleu_signature(self) -> str:
        """Of BLEU in sacrebleu's form, where the report names it."""
        return ""


@dataclass(frozen=True, slots=True)
class SystemRow:
    """Figures of one system, with their intervals; the other fields as in `Entry`."""

    system: str
    kind: str
    matches: str
    measured: Measured

    @property
    def figures(self) -> Mapping[str, float]:
        return self.measured.figures

    @property
    def intervals(self) -> dict[str, Interval]:
        return self.measured.intervals()

    def to_json(self, *, matches: bool) -> dict[str, Any]:
        """The same as plain data."""
        intervals = {name: [interval.low, interval.high] for name, interval in self.intervals.items()}
        told = {"matches": self.matches} if matches else {}
        return {"kind": self.kind, "system": self.system, **told, **self.figures, "intervals": intervals}


@dataclass(frozen=True, slots=True)
class Difference:
    """`figure` of `system` less that of `baseline`, with the interval of the paired bootstrap."""

    system: str
    baseline: str
    figure: str
    value: float
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, `kind` first."""
        return {"kind": "difference", **asdict(self), "interval": [self.interval.low, self.interval.high]}


@dataclass(frozen=True, slots=True)
class HarnessReport:
    """Systems beside baselines, and a signature: equal ones on equal data, equal figures."""

    scoring: Scoring
    rows: tuple[SystemRow, ...]
    differences: tuple[Difference, ...]
    signature: str

    def text(self) -> str:
        """Tables for a terminal."""
        scoring, bleu = self.scoring, self.scoring.bleu_signature()
        signature = f"BLEU {bleu}\n{self.signature}" if bleu else self.signature
        parts = [scoring.title(), scoring.table(self.rows), _differences_table(self.differences), signature]
        return "\n\n".join(part for part in parts if part)

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row, ready for `json.dumps`: measured rows, then differences."""
        about, bleu = {"set": self.scoring.data.name}, self.scoring.bleu_signature()
        signatures = {**({"bleu_signature": bleu} if bleu else {}), "signature": self.signature}
        matches = any(row.matches for row in self.rows)
        told = [(row.to_json(matches=matches), self.scoring.reasons(row.system)) for row in self.rows]
        rows = [{**about, **row, **reasons, **signatures} for row, reasons in told]
        return rows + [{**about, **one.to_json()} for one in self.differences]


def evaluate(
    data: EvaluationSet,
    prepare: Callable[[EvaluationSet], Scoring],
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
    rows = []
    for entry in scoring.entries(systems or {}, bootstrap.seed):
        if progress is not None:
            progress(entry.system)
        figures = measured(entry.statistics(), scoring.figures, scoring.FIGURES, bootstrap)
        rows.append(SystemRow(entry.system, entry.kind, entry.matches, figures))
    settings = {"samples": bootstrap.samples, "seed": bootstrap.seed}
    return HarnessReport(
        scoring,
        tuple(rows),
        tuple(_differences(rows, scoring.COMPARED)),
        signature_of(data.name.replace(" ", "-"), scoring.signature(settings)),
    )


def signature_of(name: str, settings: Mapping[str, object]) -> str:
    """What figures of the set `name` hang on: this version, the settings, numpy's version."""
    parts = {"rewrite-rerank": version(), "set": name, **settings, "numpy": np.__version__}
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _differences(rows: Sequence[SystemRow], compared: Sequence[str]) -> Iterator[Difference]:
    """Each system against the baselines, of those that match a system its own, and the systems named after it.

    The same sources are drawn for both.
    """
    systems = [row for row in rows if row.kind == "system"]
    for number, system in enumerate(systems):
        beside = [row for row in rows if row.kind == "baseline" and row.matches in ("", system.system)]
        for other in (*beside, *systems[number + 1 :]):
            for name in compared:
                yield Difference(system.system, other.system, name, *system.measured.less(other.measured, name))


def _differences_table(differences: Sequence[Difference]) -> str:
    rows = [
        [
            f"{one.system} − {one.baseline}",
            one.figure,
            f"{one.value:+.2f}",
            f"[{one.interval.low:+.2f}, {one.interval.high:+.2f}]",
        ]
        for one in differences
    ]
    return text_table(["difference", "of", "", "95 %"], rows) if rows else ""


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
