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
from rewrite.evaluate.report import text_table
from rewrite.evaluate.rsse import drop_every_third, first_half
from rewrite.evaluate.sari import Interval, SariScore, SariSource, bootstrap, paired_bootstrap, sari_of_totals
from training.weighting.arena import Arena
from training.weighting.search import Found

__all__ = ["Row", "Validation", "cross_validated", "drop_tail", "row_of", "rows_text"]

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
class Row:
    """A system: corpus SARI, its parts and interval, the mean of sentence SARI, shares of words kept and unchanged."""

    name: str
    sari: SariScore
    interval: Interval
    sentence: float
    words: float
    unchanged: float


@dataclass(frozen=True)
class Validation:
    """What cross-validation found.

    `rows` are the systems; `folds` tell, for each fold, the SARI of its weights on what they were tuned on and on what
    they were not (in the metric tuned for), with the weights; `gain` is the interval of (tuned, held out) − default
    preset in corpus SARI; `means` are the mean component values of what was chosen held out; `gap` is the mean over
    folds of tuned on minus held out.
    """

    rows: tuple[Row, ...]
    folds: tuple[Mapping[str, Any], ...]
    gain: Interval
    outputs: tuple[str, ...]
    means: Mapping[str, float]

    @property
    def gap(self) -> float:
        return float(np.mean([fold["tuned_on"] - fold["held_out"] for fold in self.folds]))

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": [asdict(row) for row in self.rows],
            "folds": [dict(fold) for fold in self.folds],
            "gain_over_default": asdict(self.gain),
            "gap": self.gap,
            "means": dict(self.means),
        }


def row_of(
    name: str, outputs: Sequence[str], statistics: FloatArray, sources: Sequence[str], *, samples: int, seed: int
) -> Row:
    """Figures of one output per source, from their SARI statistics `[n, 3, 4, 3]`."""
    words = sum(len(text.split()) for text in outputs) / max(1, sum(len(text.split()) for text in sources))
    return Row(
        name=name,
        sari=SariScore.of(statistics),
        interval=bootstrap(statistics, samples=samples, seed=seed),
        sentence=float(sari_of_totals(statistics).mean()),
        words=words,
        unchanged=sum(map(str.__eq__, sources, outputs)) / len(sources),
    )


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
    sources = [example.source for example in examples]

    def row(name: str, texts: Sequence[str], counted: FloatArray) -> Row:
        return row_of(name, texts, counted, sources, samples=samples, seed=seed)

    rows = [row("tuned, cross-validated", outputs, statistics)]
    rows.append(row("tuned on all, scored on the same", arena.texts(final), arena.statistics(final)))
    rows += [row(name, arena.texts(w), arena.statistics(w)) for name, w in fixed_settings.items()]
    for name, make in _BASELINES.items():
        texts = [make(example.source) for example in examples]
        counted = [SariSource(e.source, e.references).statistics(t) for e, t in zip(examples, texts, strict=True)]
        rows.append(row(name, texts, np.array(counted)))
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


def rows_text(rows: Sequence[Row]) -> str:
    """The rows as a table for a terminal."""
    head = ["system", "SARI", "95 %", "add", "keep", "delete", "sentence", "words", "same"]
    return text_table(head, [_cells(row) for row in rows])


def _cells(row: Row) -> list[str]:
    parts = (row.sari.add, row.sari.keep, row.sari.delete, row.sentence)
    return [
        row.name,
        f"{row.sari.sari:.2f}",
        f"{row.interval.low:.2f}–{row.interval.high:.2f}",
        *(f"{part:.2f}" for part in parts),
        *(f"{100 * share:.1f}" for share in (row.words, row.unchanged)),
    ]
