"""Searching weights for a figure that has no gradient, and cross-validation: what a search finds on some sources is
worth what it gives on others.

The search is differential evolution (Storn and Price, 1997). The figure is constant between the points where a choice
flips, so nothing smooth helps. A weight is 0 in a fifth of its range, else log-uniform from 0.05 to the highest. All is
drawn from one seed, and settings are rounded to three digits before they are tried, so what is found is what a file can
hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray
from rewrite.datasets import Example
from rewrite.errors import BadInput, MissingExtra
from rewrite.evaluate.harness import SystemRow, text_table
from rewrite.evaluate.resampling import Bootstrap, Interval
from rewrite.evaluate.rsse import RsseScoring, drop_every_third, first_half
from rewrite.evaluate.sari import SARI
from rewrite.evaluate.sets import EvaluationSet
from training.weighting.arena import Arena

Objective = Callable[[FloatArray], FloatArray]

_LEAST = 0.05
_ABSENT = 0.2
_POPULATION = 60


@dataclass(frozen=True, eq=False)
class Best:
    """The best setting `weights [k]` with its `value`, and how many settings were tried."""

    weights: FloatArray
    value: float
    tried: int


def optimizers() -> Any:
    """`scipy.optimize`. Raises `MissingExtra` without scipy."""
    try:
        from scipy import optimize
    except ImportError:
        raise MissingExtra("Weights are found by scipy.", hint="Run: pip install 'rewrite-rerank[train]'") from None
    return optimize


def rounded(weights: FloatArray) -> FloatArray:
    """Weights to three significant digits, as a preset file holds them."""
    flat = [float(f"{value:.3g}") for value in np.ravel(weights).tolist()]
    return np.array(flat, dtype=np.float64).reshape(np.shape(weights))


def _weights(places: FloatArray, most: float) -> FloatArray:
    """Places in [0, 1] as weights."""
    share = (places - _ABSENT) / (1 - _ABSENT)
    least = min(_LEAST, most)
    weights: FloatArray = np.where(share < 0, 0.0, least * (most / least) ** share)
    return weights


def _places(weights: FloatArray, most: float) -> FloatArray:
    least = min(_LEAST, most)
    share = np.log(np.clip(weights, least, most) / least) / max(np.log(most / least), 1e-9)
    places: FloatArray = np.where(weights > 0, _ABSENT + (1 - _ABSENT) * share, 0.0)
    return places


def search(
    objective: Objective,
    starts: FloatArray,
    *,
    free: npt.NDArray[np.bool_],
    settings: int,
    most: float = 20.0,
    seed: int = 0,
) -> Best:
    """The setting with the highest `objective`, of at most `settings` tried.

    `objective` takes settings `[m, k]` and returns `[m]`. `starts [s, k]` are tried first, at least one; weights that
    are not `free [k]` keep the value that they have in the first start. The result depends on the seed alone.
    """
    starts = rounded(np.where(free, starts, starts[0]))
    values = objective(starts)
    best = int(np.argmax(values))
    population = min(_POPULATION, settings - len(starts))
    if not free.any() or population < 5:
        return Best(starts[best], float(values[best]), len(starts))

    def tried(places: FloatArray) -> FloatArray:
        given = np.tile(starts[0], (places.shape[1], 1))
        given[:, free] = rounded(_weights(places.T, most))
        return given

    first = np.random.default_rng(seed).random((population, int(free.sum())))
    first[: len(starts)] = _places(starts[:, free], most)[:population]
    optimum = optimizers().differential_evolution(
        lambda places: -objective(tried(places)),
        [(0.0, 1.0)] * int(free.sum()),
        init=first,
        maxiter=(settings - len(starts)) // population - 1,
        vectorized=True,
        updating="deferred",
        polish=False,
        tol=0.0,
        seed=seed,
    )
    # Each evaluation that scipy counts is one of a whole population.
    count = len(starts) + optimum.nfev * population
    if values[best] >= -optimum.fun:
        return Best(starts[best], float(values[best]), count)
    return Best(tried(optimum.x[:, np.newaxis])[0], -float(optimum.fun), count)


Tune = Callable[[Arena], Best]


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
    they were not, with the weights; `gain` is the interval of (tuned, held out) − default
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
            "rows": [row.to_json() for row in self.rows],
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
        best = tune(arena.subset(np.flatnonzero(folds != fold).tolist()))
        held_out = arena.subset(inside.tolist())
        statistics[inside] = held_out.statistics(best.weights)
        means += held_out.means(best.weights[np.newaxis])[0] * len(inside) / len(arena)
        for i, text in zip(inside.tolist(), held_out.texts(best.weights), strict=True):
            outputs[i] = text
        by_fold.append(figures := _fold(fold, best, statistics[inside], arena.components))
        report(f"fold {fold + 1} of {count}: {figures['tuned_on']:.2f} tuned on, {figures['held_out']:.2f} held out")
    scoring, drawn = RsseScoring(EvaluationSet("sources", tuple(examples))), Bootstrap(samples, seed)
    texts = {"tuned, cross-validated": outputs, "tuned on all, scored on the same": arena.texts(final)}
    texts |= {name: arena.texts(weights) for name, weights in fixed_settings.items()}
    texts |= {name: [make(example.source) for example in examples] for name, make in _BASELINES.items()}
    rows = [SystemRow(name, "system", None, scoring.measured(system, drawn)) for name, system in texts.items()]
    of_default = arena.statistics(fixed_settings[default])
    tuned, preset = (SARI.aggregate(counts, drawn) for counts in (statistics, of_default))
    _, gain = tuned.less(preset, "sari")
    named = dict(zip(arena.components, means.tolist(), strict=True))
    return Validation(tuple(rows), tuple(by_fold), gain, tuple(outputs), named)


def _fold(fold: int, best: Best, statistics: FloatArray, components: Sequence[str]) -> dict[str, Any]:
    return {
        "fold": fold,
        "tuned_on": best.value,
        "held_out": SARI.of(statistics)["sari"],
        "sources": len(statistics),
        "weights": dict(zip(components, best.weights.tolist(), strict=True)),
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
