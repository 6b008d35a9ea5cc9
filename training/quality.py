"""Train the model behind the component `quality` on RuSimpleSentEval dev.

    python -m training.quality --data DIR --tables runs/quality --out rewrite/models/quality_ru.npz \\
        --generator "edits+ct2:runs/ru-small-folds/{fold}/model"

Pools are drawn, guarded and checked as `rewrite simplify` does it, each fold by an edit model and a language model that
have not seen it, and kept in `--tables`; the models of `training.ru_small_folds` say what they have not seen. A linear
model learns what each candidate adds to corpus SARI. Prints SARI of the choice by `quality` alone, each fold chosen by
a model fitted on the others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rerank.analysis import Analyzer
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray, ScoreTable
from rewrite.datasets import Example, data_folder, load_rsse
from rewrite.evaluate.sari import SariScore, SariSource, bootstrap
from rewrite.generators.edits.model import EditModel
from rewrite.quality import Quality, QualityModel
from training.command import run_to_the_end
from training.edit_model import FOLDS, fit_gain
from training.weighting.cache import TableStore
from training.weighting.draw import cross_fitted, fold_model, folds_of, pipeline_options
from training.weighting.options import WeightOptions

__all__ = ["held_out_choices", "main", "measured"]

Measured = tuple[FloatArray, FloatArray]
"""Of what may be chosen for a sentence, the source first: features `[n, k]`, SARI statistics `[n, 3, 4, 3]`."""


def measured(table: ScoreTable, references: Sequence[str], quality: Quality, context: Context) -> Measured:
    """Features and SARI statistics of the source and of its candidates that are not blocked."""
    free = [c for c, reason in zip(table.candidates, table.blocked, strict=True) if not reason]
    candidates = [Candidate(table.source), *free]
    scored = SariSource(table.source, references)
    statistics = np.array([scored.statistics(candidate.text) for candidate in candidates])
    return quality.features(table.source, candidates, context), statistics


def held_out_choices(pools: Sequence[Measured], folds: Sequence[int]) -> FloatArray:
    """Statistics of what `quality` alone chooses in each pool, `[n_pools, 3, 4, 3]`; no pool chose its own weights."""
    chosen = np.zeros((len(pools), 3, 4, 3))
    for fold in sorted(set(folds)):
        weights = fit_gain([pool for pool, own in zip(pools, folds, strict=True) if own != fold])
        for i, (features, statistics) in enumerate(pools):
            if folds[i] == fold:
                chosen[i] = statistics[int(np.argmax(features @ weights))]
    return chosen


def _pools(examples: Sequence[Example], options: WeightOptions, tables: Path) -> tuple[list[Measured], list[int]]:
    """The measured pool of each source of one sentence, and its fold."""
    folds = folds_of(len(examples), options.folds, options.seed or 0)
    store = TableStore(tables / "tables")
    results = cross_fitted(examples, folds, pipeline_options(options), store)
    context = Context(Analyzer())
    found: dict[int, Measured] = {}
    for fold in range(options.folds):
        inside = np.flatnonzero(folds == fold).tolist()
        path = fold_model(examples, inside, tables / "models", context.analyzer, print)
        quality = Quality(QualityModel(np.zeros(0)), edits=EditModel.load(path))
        for i in inside:
            parts = results[i].sentences
            if len(parts) == 1 and parts[0].table is not None:
                found[i] = measured(parts[0].table, examples[i].references, quality, context)
    return [found[i] for i in sorted(found)], [int(folds[i]) for i in sorted(found)]


def _train(given: argparse.Namespace) -> None:
    examples = load_rsse(data_folder(given.data) / "rsse" / "dev_sents.csv")
    options = WeightOptions(generator=given.generator, n=given.n, seed=given.seed, folds=FOLDS, cross_fit=True)
    pools, folds = _pools(examples, options, given.tables)
    chosen = held_out_choices(pools, folds)
    score, interval = SariScore.of(chosen), bootstrap(chosen)
    print(
        f"{len(pools)} sources, SARI by quality alone, held out: {score.sari:.2f} "
        f"({interval.low:.2f}–{interval.high:.2f}); "
        f"add {score.add:.2f}, keep {score.keep:.2f}, delete {score.delete:.2f}"
    )
    QualityModel(fit_gain(pools)).save(given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.1f} kB")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, draw, fit, say how good it is; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--tables", type=Path, required=True, help="folder for what is drawn, which is used again")
    parser.add_argument("--generator", default="edits", help="as for rewrite simplify; {fold} is the fold, from 0")
    parser.add_argument("-n", type=int, default=30, help="candidates of each generator")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    return run_to_the_end("quality", lambda: _train(given), stopped="stopped; the tables made so far are kept")


if __name__ == "__main__":
    sys.exit(main())
