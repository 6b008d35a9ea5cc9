"""Evaluation of split-and-rephrase: systems beside the source itself, a cut in halves, and a reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rerank.english import EnglishAnalyzer
from rerank.types import FloatArray
from rewrite.errors import BadInput
from rewrite.evaluate.multi_bleu import signature as bleu_signature
from rewrite.evaluate.resampling import Interval, percentile_interval, resampled_totals
from rewrite.evaluate.splitting.baselines import halves
from rewrite.evaluate.splitting.data import SplitSet
from rewrite.evaluate.splitting.published import PUBLISHED
from rewrite.evaluate.splitting.report import SplitDifference, SplitReport, SplitRow
from rewrite.evaluate.splitting.scores import FIGURES, Scoring
from rewrite.version import version

__all__ = ["RESERVED", "SplitSettings", "evaluate_splitting"]

ECHO, HALVES, REFERENCE = "echo", "halves", "reference"
RESERVED: tuple[str, ...] = (ECHO, HALVES, REFERENCE)
"""Names of the rows that are always there."""
_COMPARED = ("bleu", "sari")
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class SplitSettings:
    """`samples` of the bootstrap, and its `seed`."""

    samples: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Scored:
    """One system's name, what it is, its figures and those of its bootstrap samples."""

    system: str
    kind: str
    figures: FloatArray
    samples: FloatArray


def evaluate_splitting(
    data: SplitSet,
    systems: Mapping[str, Sequence[str]] | None = None,
    *,
    settings: SplitSettings | None = None,
    analyzer: EnglishAnalyzer | None = None,
    progress: Callable[[str], None] | None = None,
) -> SplitReport:
    """Figures of `systems` (one output for each example, in order), of the source itself, of halves and a reference.

    `progress` is told the name of each as it is scored. `BadInput` for a wrong number of outputs or an empty set.
    """
    if not data.examples:
        raise BadInput("There is nothing to evaluate on.", hint="Give a set with at least one example.")
    for system, outputs in (systems or {}).items():
        if len(outputs) != len(data.examples):
            raise BadInput(
                f"The system {system} gives {len(outputs)} outputs for {len(data.examples)} sources.",
                hint="Give one output for each source, in order.",
            )
    settings = settings or SplitSettings()
    scoring = Scoring(data, analyzer=analyzer)
    scored = []
    for system, kind, statistics in _entries(scoring, systems or {}, progress or (lambda name: None)):
        samples = scoring.figures(resampled_totals(statistics, samples=settings.samples, seed=settings.seed))
        figures = scoring.figures(statistics.sum(axis=0, keepdims=True))[0]
        scored.append(_Scored(system, kind, figures, samples))
    references = [len(example.references) for example in data.examples]
    return SplitReport(
        name=data.name,
        sources=len(references),
        references=sum(references),
        rows=tuple(map(_row, scored)),
        differences=tuple(_differences(scored)),
        published=PUBLISHED.get(data.name.partition(" ")[0], ()),
        bleu=bleu_signature(references),
        signature=_signature(scoring, settings),
    )


def _entries(
    scoring: Scoring, systems: Mapping[str, Sequence[str]], progress: Callable[[str], None]
) -> Iterator[tuple[str, str, FloatArray]]:
    """Name, kind and statistics of everything to score."""
    sources = [example.source for example in scoring.data.examples]
    for name, outputs in ((ECHO, sources), (HALVES, list(map(halves, sources)))):
        progress(name)
        yield name, "baseline", scoring.statistics(outputs)
    progress(REFERENCE)
    yield REFERENCE, "control", scoring.first_references()
    for name, given in systems.items():
        progress(name)
        yield name, "system", scoring.statistics(given)


def _row(one: _Scored) -> SplitRow:
    figures = dict(zip(FIGURES, one.figures.tolist(), strict=True))
    intervals = {name: _interval(one.samples[:, place]) for place, name in enumerate(FIGURES)}
    return SplitRow(one.system, one.kind, figures, intervals)


def _interval(samples: FloatArray) -> Interval:
    return percentile_interval(samples, _LEVEL)


def _differences(scored: Sequence[_Scored]) -> Iterator[SplitDifference]:
    """Each system against both baselines and the systems named after it; the same sources are drawn for both."""
    baselines = [one for one in scored if one.kind == "baseline"]
    systems = [one for one in scored if one.kind == "system"]
    for number, system in enumerate(systems):
        for other in (*baselines, *systems[number + 1 :]):
            for name in _COMPARED:
                place = FIGURES.index(name)
                value = float(system.figures[place] - other.figures[place])
                interval = _interval(system.samples[:, place] - other.samples[:, place])
                yield SplitDifference(system.system, other.system, name, value, interval)


def _signature(scoring: Scoring, settings: SplitSettings) -> str:
    parts = {
        "rewrite-rerank": version(),
        "set": scoring.data.name.replace(" ", "-"),
        "sari": "easse,13a,lowercase",
        "sentence-bleu": "floor,effective-order",
        "analysis": scoring.analyzer.signature,
        "samples": settings.samples,
        "seed": settings.seed,
        "numpy": np.__version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
