"""Evaluation of compression: systems beside baselines of the same rate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from typing import Literal

import numpy as np

from rewrite.evaluate.compression.baselines import BASELINES, baseline_outputs, budgets_at, budgets_of
from rewrite.evaluate.compression.data import CompressionSet
from rewrite.evaluate.compression.published import published_tables
from rewrite.evaluate.compression.report import CompressionReport, CompressionRow
from rewrite.evaluate.compression.scores import FIGURES, References, Scoring
from rewrite.evaluate.outputs import require_outputs
from rewrite.evaluate.report import Difference
from rewrite.evaluate.resampling import Measured, measured
from rewrite.version import version

__all__ = ["BASELINE_NAMES", "GOLD", "CompressionSettings", "evaluate_compression"]

GOLD = "gold"
UNEDITED = "unedited"
BASELINE_NAMES: tuple[str, ...] = (UNEDITED, *BASELINES)
_COMPARED = ("f1", "rougeL")


@dataclass(frozen=True, slots=True)
class CompressionSettings:
    """How to evaluate.

    `references`: `mean` over several references or the `best` of them. `match`: baselines keep one rate of all
    sentences (`corpus`), or of each `sentence` as many words as what they match. `characters`: F1 and CR by characters.
    `bleu`: `None` counts it in Chinese only. `samples` of the bootstrap, and its `seed`, which random drop shares.
    """

    references: References = "mean"
    match: Literal["corpus", "sentence"] = "corpus"
    characters: bool = False
    bleu: bool | None = None
    samples: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Scored:
    """One system's name, what it is and its figures."""

    system: str
    kind: str
    matches: str
    measured: Measured


def evaluate_compression(
    data: CompressionSet,
    systems: Mapping[str, Sequence[str]] | None = None,
    *,
    settings: CompressionSettings | None = None,
    progress: Callable[[str], None] | None = None,
) -> CompressionReport:
    """Figures of `systems` (one output for each example, in order) and of the baselines at each system's rate.

    Without a system the baselines are those at the gold rate. `progress` is told the name of each as it is scored.
    `BadInput` for a wrong number of outputs or an empty set, `MissingExtra` without rouge-score.
    """
    require_outputs(systems or {}, len(data.examples))
    settings = settings or CompressionSettings()
    scoring = Scoring(data, references=settings.references, characters=settings.characters, bleu=settings.bleu)
    scored = []
    for system, kind, matches, outputs in _entries(scoring, systems or {}, settings):
        if progress is not None:
            progress(system)
        statistics = scoring.statistics(outputs)
        own = measured(statistics, scoring.figures, FIGURES, samples=settings.samples, seed=settings.seed)
        scored.append(_Scored(system, kind, matches, own))
    return CompressionReport(
        name=data.name,
        sources=len(data.examples),
        references=sum(len(example.references) for example in data.examples),
        gold_rate=sum(scoring.gold_words) / sum(scoring.source_words),
        rows=tuple(
            CompressionRow(one.system, one.kind, one.matches, one.measured.figures, one.measured.intervals())
            for one in scored
        ),
        differences=tuple(_differences(scored)),
        published=published_tables(data.name),
        signature=_signature(scoring, settings),
    )


def _entries(
    scoring: Scoring, systems: Mapping[str, Sequence[str]], settings: CompressionSettings
) -> Iterator[tuple[str, str, str, Sequence[str]]]:
    """Name, kind, whose rate it matches and outputs of everything to score."""
    sources = [example.source for example in scoring.data.examples]
    yield UNEDITED, "baseline", "", sources
    kept: dict[str, Sequence[float]] = {system: scoring.kept_words(outputs) for system, outputs in systems.items()}
    for target, counts in (kept or {GOLD: scoring.gold_words}).items():
        budgets = _budgets(scoring.source_words, counts, settings)
        for name in BASELINES:
            label = name if len(kept) < 2 else f"{name} as {target}"
            outputs = baseline_outputs(name, sources, scoring.splitters, budgets, seed=settings.seed)
            yield label, "baseline", target, outputs
        if target in systems:
            yield target, "system", "", systems[target]


def _budgets(lengths: Sequence[int], kept: Sequence[float], settings: CompressionSettings) -> list[int]:
    if settings.match == "sentence":
        return budgets_of(lengths, kept)
    # A system that adds words, or that returns nothing at all, still has baselines.
    return budgets_at(lengths, min(1.0, max(sum(kept), 1) / sum(lengths)))


def _differences(scored: Sequence[_Scored]) -> Iterator[Difference]:
    """Each system against the unedited text, the baselines of its rate and the systems named after it; the same sources
    are drawn for both.
    """
    systems = [one for one in scored if one.kind == "system"]
    for number, system in enumerate(systems):
        beside = [one for one in scored if one.system == UNEDITED or one.matches == system.system]
        for other in (*beside, *systems[number + 1 :]):
            for name in _COMPARED:
                yield Difference(system.system, other.system, name, *system.measured.less(other.measured, name))


def _signature(scoring: Scoring, settings: CompressionSettings) -> str:
    parts = {
        "rewrite-rerank": version(),
        "set": scoring.data.name.replace(" ", "-"),
        "unit": "characters" if settings.characters else "words",
        "references": settings.references,
        "rouge": "recall,truncated-by-bytes",
        "baselines": settings.match,
        "samples": settings.samples,
        "seed": settings.seed,
        "bleu": scoring.bleu.tokenizer if scoring.bleu else "no",
        "rouge-score": installed_version("rouge-score"),
        **({"sacrebleu": installed_version("sacrebleu")} if scoring.bleu else {}),
        "numpy": np.__version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
