"""Cross-validation of weights: what a search finds on some sources is worth what it gives on others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray
from rewrite.datasets import Example
from rewrite.errors import BadInput
from rewrite.evaluate.harness import SystemRow, text_table
from rewrite.evaluate.resampling import Bootstrap, Interval
from rewrite.evaluate.rsse import RsseScoring, drop_every_third, first_half
from rewrite.evaluate.sari import SariScore, paired_bootstrap, sari_of_totals
from rewrite.evaluate.sets import EvaluationSet
from training.weighting.arena import Arena
from training.weighting.search import Found

Tune = Callable[[Arena], Found]


def drop_tail(source: str) -> str:
    """The first two thirds of the words, rounded down."""
    words = source.split()
    return " ".join(words[: 2 * len(words) // 3])


_BASELINES: Mapping[str, Callable[[str], str]] = {
    "source": str,
    "first half": first_half,
    "drop tail (last third)": drop_tail,
    "drop every third": drop_every_third,
}


@dataclass(frozen=True)
class Validation:
    """What cross-validation found.

    `rows` are the systems; `folds` tell, for each fold, the SARI of its weights on what they were tuned on and on what
    they were not (in the metric tuned for), with the weights; `gain` is the interval of (tuned, held out) − default
    preset in corpus SARI; `means` are the mean component values of what was chosen held out; `gap` is the mean over
    folds of tuned on minus held out.
    """

    rows: tuple[SystemRow, ...]
    folds: tuple[Mapping[str, Any], ...]
    gain: Interval
    outputs: tuple[str, ...]
    means: Mapping[str, float]

    @property
    def gap(self) -> float:
        return float(np.mean([fold["tuned_on"] - fold["held_out"] for fold in self.folds]))

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": [row.to_json(matches=False) for row in self.rows],
            "folds": [dict(fold) for fold in self.folds],
            "gain_over_default": asdict(self.gain),
            "gap": self.gap,
            "means": dict(self.means),
        }


def cross_validated(
    arena: Arena,
    examples: Sequence[Example],
    folds: npt.NDArray[np.int64],
    tune: Tune,
    *,
    fixed_settings: Mapping[str, FloatArray],
    final: FloatArray,
    default: str,
    metric: str = "corpus",
    samples: int = 1000,
    seed: int = 0,
    report: Callable[[str], None] = print,
) -> Validation:
    """Tune on all folds but one and score that one, for each in turn; beside it what needs no tuning.

    `fixed_settings` are named weights `[k]`, such as presets, `default` one of their names; `final` are the weights
    tuned on everything, shown as what they are: scored on what they were tuned on. Raises `BadInput` for fewer sources
    than folds.
    """
    count = int(folds.max()) + 1
    if len(arena) < count or len(np.unique(folds)) < count:
        raise BadInput(f"{len(arena)} sources for {count} folds.", hint="Give more sources, or fewer --folds.")
    outputs = [""] * len(arena)
    means = np.zeros(len(arena.components))
    statistics = np.zeros((len(arena), 3, 4, 3))
    by_fold = []
    for fold in range(count):
        inside = np.flatnonzero(folds == fold)
        found = tune(arena.subset(np.flatnonzero(folds != fold).tolist()))
        held_out = arena.subset(inside.tolist())
        statistics[inside] = held_out.statistics(found.weights)
        means += held_out.means(found.weights[np.newaxis])[0] * len(inside) / len(arena)
        for i, text in zip(inside.tolist(), held_out.texts(found.weights), strict=True):
            outputs[i] = text
        by_fold.append(figures := _fold(fold, found, statistics[inside], arena.components, metric))
        report(f"fold {fold + 1} of {count}: {figures['tuned_on']:.2f} tuned on, {figures['held_out']:.2f} held out")
    scoring, drawn = RsseScoring(EvaluationSet("sources", tuple(examples))), Bootstrap(samples, seed)
    texts = {"tuned, cross-validated": outputs, "tuned on all, scored on the same": arena.texts(final)}
    texts |= {name: arena.texts(weights) for name, weights in fixed_settings.items()}
    texts |= {name: [make(example.source) for example in examples] for name, make in _BASELINES.items()}
    rows = [SystemRow(name, "system", "", scoring.measured(system, drawn)) for name, system in texts.items()]
    gain = paired_bootstrap(statistics, arena.statistics(fixed_settings[default]), samples=samples, seed=seed)
    named = dict(zip(arena.components, means.tolist(), strict=True))
    return Validation(tuple(rows), tuple(by_fold), gain, tuple(outputs), named)


def _fold(fold: int, found: Found, statistics: FloatArray, components: Sequence[str], metric: str) -> dict[str, Any]:
    corpus = SariScore.of(statistics).sari
    return {
        "fold": fold,
        "tuned_on": found.value,
        "held_out": corpus if metric == "corpus" else float(sari_of_totals(statistics).mean()),
        "sources": len(statistics),
        "weights": dict(zip(components, found.weights.tolist(), strict=True)),
    }


def rows_text(rows: Sequence[SystemRow]) -> str:
    """The rows as a table for a terminal."""
    head = ["system", "SARI", "95 %", "add", "keep", "delete", "sentence", "words", "same"]
    return text_table(head, [_cells(row) for row in rows])


def _cells(row: SystemRow) -> list[str]:
    figures = row.figures
    return [
        row.system,
        f"{figures['sari']:.2f}",
        row.measured.interval("sari").text(),
        *(f"{figures[name]:.2f}" for name in ("sari_add", "sari_keep", "sari_delete", "sentence")),
        *(f"{100 * figures[name]:.1f}" for name in ("words", "unchanged")),
    ]
