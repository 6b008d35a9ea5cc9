"""Train the model behind the component `gain` on RuSimpleSentEval dev.

    python -m training.gain --data DIR --tables runs/gain --out rewrite/models/gain_ru.npz

Pools are drawn, guarded and checked as `rewrite simplify` does it, each fold by an edit model that has not seen it, and
kept in `--tables`. A linear model learns what each candidate adds to corpus SARI. Prints SARI of the choice by `gain`
alone, each fold chosen by a model fitted on the others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rerank.analysis import Analyzer
from rerank.errors import BadInput
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray, ScoreTable
from rewrite.datasets import Example, data_folder, load_rsse
from rewrite.evaluate.sari import SariScore, SariSource, bootstrap
from rewrite.gain import Gain, GainModel
from rewrite.generators.edits.model import EditModel
from training.command import run_to_the_end
from training.edit_model import FOLDS, fit_gain
from training.weighting.cache import TableStore
from training.weighting.draw import cross_fitted, fold_model, folds_of, pipeline_options
from training.weighting.options import WeightOptions

__all__ = ["careful_choices", "chances", "held_out_choices", "held_out_gains", "main", "measured"]

Measured = tuple[FloatArray, FloatArray]
"""Of what may be chosen for a sentence, the source first: features `[n, k]`, SARI statistics `[n, 3, 4, 3]`."""

_CAUTIONS = (0, 1, 2, 4, 6, 8, 12, 16, 24)
# No candidate is ever surer to fail than this, as in `caution`.
_LEAST = 1e-6


@dataclass(frozen=True)
class Pools:
    """Of each source: what may be chosen, the chance `[n]` that an editor passes it, who made it, and the fold."""

    measured: list[Measured]
    chances: list[FloatArray]
    makers: list[list[str]]
    folds: list[int]


def measured(table: ScoreTable, references: Sequence[str], gain: Gain, context: Context) -> Measured:
    """Features and SARI statistics of the source and of its candidates that are not blocked."""
    candidates = [Candidate(table.source), *(table.candidates[i] for i in _free(table))]
    scored = SariSource(table.source, references)
    statistics = np.array([scored.statistics(candidate.text) for candidate in candidates])
    return gain.features(table.source, candidates, context), statistics


def chances(table: ScoreTable) -> FloatArray:
    """The chance, as `caution` gives it, that an editor passes the source and what is not blocked, shape `[n]`."""
    column = table.values[_free(table), table.components.index("caution")]
    return np.concatenate([[1.0], column])


def held_out_gains(pools: Sequence[Measured], folds: Sequence[int]) -> list[FloatArray]:
    """What each candidate is expected to gain, `[n]` for each pool, by weights that the other folds have chosen."""
    gains: list[FloatArray] = [np.zeros(0)] * len(pools)
    for fold in sorted(set(folds)):
        weights = fit_gain([pool for pool, own in zip(pools, folds, strict=True) if own != fold])
        for i, (features, _) in enumerate(pools):
            if folds[i] == fold:
                gains[i] = features @ weights
    return gains


def held_out_choices(pools: Sequence[Measured], folds: Sequence[int]) -> FloatArray:
    """Statistics of what `gain` alone chooses in each pool, `[n_pools, 3, 4, 3]`; no pool chose its own weights."""
    gains = held_out_gains(pools, folds)
    return np.array([statistics[int(np.argmax(gain))] for (_, statistics), gain in zip(pools, gains, strict=True)])


def careful_choices(gains: Sequence[FloatArray], chances: Sequence[FloatArray], caution: float) -> list[int]:
    """For each pool the candidate with the most gain + caution · log chance; the source is 0."""
    return [
        int(np.argmax(gain + caution * np.log(np.maximum(_LEAST, chance))))
        for gain, chance in zip(gains, chances, strict=True)
    ]


def _free(table: ScoreTable) -> list[int]:
    return [i for i, reason in enumerate(table.blocked) if not reason]


def _pools(examples: Sequence[Example], options: WeightOptions, tables: Path) -> Pools:
    """The measured pool of each source of one sentence."""
    folds = folds_of(len(examples), options.folds, options.seed or 0)
    store = TableStore(tables / "tables")
    results = cross_fitted(examples, folds, pipeline_options(options), store)
    context = Context(Analyzer())
    by_source: dict[int, tuple[Measured, FloatArray, list[str]]] = {}
    for fold in range(options.folds):
        inside = np.flatnonzero(folds == fold).tolist()
        path = fold_model(examples, inside, tables / "models", context.analyzer, print)
        gain = Gain(GainModel(np.zeros(0)), edits=EditModel.load(path))
        for i in inside:
            parts = results[i].sentences
            if len(parts) == 1 and parts[0].table is not None:
                table = parts[0].table
                makers = ["source", *(table.candidates[j].generator for j in _free(table))]
                by_source[i] = (measured(table, examples[i].references, gain, context), chances(table), makers)
    if not by_source:
        raise BadInput("No source of one sentence has a candidate.", hint="Raise -n, or name another --generator.")
    order = sorted(by_source)
    pools, passed, made = zip(*(by_source[i] for i in order), strict=True)
    return Pools(list(pools), list(passed), list(made), [int(folds[i]) for i in order])


def _print_frontier(pools: Pools) -> None:
    """What SARI costs, and what it is worth, at each price of a doubt."""
    gains = held_out_gains(pools.measured, pools.folds)
    makers = sorted({maker for names in pools.makers for maker in names})
    print("caution   SARI    add   keep  delete  chance  " + "  ".join(f"{name:>7}" for name in makers))
    for caution in _CAUTIONS:
        chosen = careful_choices(gains, pools.chances, caution)
        picks = list(zip(pools.measured, pools.chances, pools.makers, chosen, strict=True))
        score = SariScore.of(np.array([statistics[k] for (_, statistics), _, _, k in picks]))
        chance = np.mean([own[k] for _, own, _, k in picks])
        shares = [np.mean([names[k] == maker for _, _, names, k in picks]) for maker in makers]
        figures = f"{score.sari:6.2f} {score.add:6.2f} {score.keep:6.2f} {score.delete:7.2f} {chance:7.3f}"
        print(f"{caution:7} {figures}  " + "  ".join(f"{share:7.2f}" for share in shares))


def _train(given: argparse.Namespace) -> None:
    examples = load_rsse(data_folder(given.data) / "rsse" / "dev_sents.csv")
    options = WeightOptions(generator=given.generator, n=given.n, seed=given.seed, folds=FOLDS, cross_fit=True)
    pools = _pools(examples, options, given.tables)
    chosen = held_out_choices(pools.measured, pools.folds)
    score, interval = SariScore.of(chosen), bootstrap(chosen)
    print(
        f"{len(pools.folds)} sources, SARI by gain alone, held out: {score.sari:.2f} "
        f"({interval.low:.2f}–{interval.high:.2f}); "
        f"add {score.add:.2f}, keep {score.keep:.2f}, delete {score.delete:.2f}"
    )
    _print_frontier(pools)
    GainModel(fit_gain(pools.measured)).save(given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.1f} kB")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, draw, fit, say how good it is; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--tables", type=Path, required=True, help="folder for what is drawn, which is used again")
    parser.add_argument("--generator", default="edits", help="as for rewrite simplify")
    parser.add_argument("-n", type=int, default=30, help="candidates of each generator")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    return run_to_the_end("gain", lambda: _train(given), stopped="stopped; the tables made so far are kept")


if __name__ == "__main__":
    sys.exit(main())
