"""Evaluation of split-and-rephrase: systems beside the source itself, a cut in halves, and a reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rerank.english import EnglishAnalyzer
from rerank.types import FloatArray
from rewrite.evaluate.multi_bleu import signature as bleu_signature
from rewrite.evaluate.outputs import require_outputs
from rewrite.evaluate.report import Difference
from rewrite.evaluate.resampling import Measured, measured
from rewrite.evaluate.splitting.baselines import halves
from rewrite.evaluate.splitting.data import SplitSet
from rewrite.evaluate.splitting.published import PUBLISHED
from rewrite.evaluate.splitting.report import SplitReport, SplitRow
from rewrite.evaluate.splitting.scores import FIGURES, Scoring
from rewrite.version import version

__all__ = ["RESERVED", "SplitSettings", "evaluate_splitting"]

ECHO, HALVES, REFERENCE = "echo", "halves", "reference"
RESERVED: tuple[str, ...] = (ECHO, HALVES, REFERENCE)
"""Names of the rows that are always there."""
_COMPARED = ("bleu", "sari")


@dataclass(frozen=True, slots=True)
class SplitSettings:
    """`samples` of the bootstrap, and its `seed`."""

    samples: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Scored:
    """One system's name, what it is and its figures."""

    system: str
    kind: str
    measured: Measured


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
    require_outputs(systems or {}, len(data.examples))
    settings = settings or SplitSettings()
    scoring = Scoring(data, analyzer=analyzer)
    scored = []
    for system, kind, statistics in _entries(scoring, systems or {}, progress or (lambda name: None)):
        own = measured(statistics, scoring.figures, FIGURES, samples=settings.samples, seed=settings.seed)
        scored.append(_Scored(system, kind, own))
    references = [len(example.references) for example in data.examples]
    return SplitReport(
        name=data.name,
        sources=len(references),
        references=sum(references),
        rows=tuple(SplitRow(o.system, o.kind, o.measured.figures, o.measured.intervals()) for o in scored),
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


def _differences(scored: Sequence[_Scored]) -> Iterator[Difference]:
    """Each system against both baselines and the systems named after it; the same sources are drawn for both."""
    baselines = [one for one in scored if one.kind == "baseline"]
    systems = [one for one in scored if one.kind == "system"]
    for number, system in enumerate(systems):
        for other in (*baselines, *systems[number + 1 :]):
            for name in _COMPARED:
                yield Difference(system.system, other.system, name, *system.measured.less(other.measured, name))


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
