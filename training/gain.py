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
from training.forests import folds_of
from training.weighting.draw import cross_fitted, fold_model, pipeline_options
from training.weighting.options import WeightOptions

Measured = tuple[FloatArray, FloatArray]
"""Of what may be chosen for a sentence, the source first: features `[n, k]`, SARI statistics `[n, 3, 4, 3]`."""


def measured(table: ScoreTable, references: Sequence[str], gain: Gain, context: Context) -> Measured:
    """Features and SARI statistics of the source and of its candidates that are not blocked."""
    free = (table.candidates[i] for i, reason in enumerate(table.blocked) if not reason)
    candidates = [Candidate(table.source), *free]
    scored = SariSource(table.source, references)
    statistics = np.array([scored.statistics(candidate.text) for candidate in candidates])
    return gain.features(table.source, candidates, context), statistics


def held_out_choices(pools: Sequence[Measured], folds: Sequence[int]) -> FloatArray:
    """Statistics of what `gain` alone chooses in each pool, `[n_pools, 3, 4, 3]`; no pool chose its own weights."""
    chosen: list[FloatArray] = [np.zeros(0)] * len(pools)
    for fold in sorted(set(folds)):
        weights = fit_gain([pool for pool, own in zip(pools, folds, strict=True) if own != fold])
        for i, (features, statistics) in enumerate(pools):
            if folds[i] == fold:
                chosen[i] = statistics[int(np.argmax(features @ weights))]
    return np.array(chosen)


def pools_of(examples: Sequence[Example], options: WeightOptions, folder: Path) -> tuple[list[Measured], list[int]]:
    """The measured pool of each source of one sentence, and its fold."""
    folds = folds_of(len(examples), options.folds, options.seed or 0)
    results = cross_fitted(examples, folds, pipeline_options(options), folder / "tables")
    context = Context(Analyzer())
    pools: dict[int, Measured] = {}
    for fold in range(options.folds):
        inside = np.flatnonzero(folds == fold).tolist()
        path = fold_model(examples, inside, folder / "models", context.analyzer, print)
        gain = Gain(GainModel(np.zeros(0)), edits=EditModel.load(path))
        for i in inside:
            parts = results[i].sentences
            if len(parts) == 1 and parts[0].table is not None:
                pools[i] = measured(parts[0].table, examples[i].references, gain, context)
    if not pools:
        raise BadInput("No source of one sentence has a candidate.", hint="Raise -n, or name another --generator.")
    return [pools[i] for i in sorted(pools)], [int(folds[i]) for i in sorted(pools)]


def _train(given: argparse.Namespace) -> None:
    examples = load_rsse(data_folder(given.data) / "rsse" / "dev_sents.csv")
    options = WeightOptions(generator=given.generator, n=given.n, seed=given.seed, folds=FOLDS, cross_fit=True)
    pools, folds = pools_of(examples, options, given.tables)
    chosen = held_out_choices(pools, folds)
    score, interval = SariScore.of(chosen), bootstrap(chosen)
    print(
        f"{len(pools)} sources, SARI by gain alone, held out: {score.sari:.2f} "
        f"({interval.low:.2f}–{interval.high:.2f}); "
        f"add {score.add:.2f}, keep {score.keep:.2f}, delete {score.delete:.2f}"
    )
    GainModel(fit_gain(pools)).save(given.out)
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
