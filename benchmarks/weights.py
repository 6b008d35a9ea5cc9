"""Searching weights: the arena of `training.weights` against choosing again result by result.

    python -m benchmarks.weights [--data DIR] [--sources 300]

Both take the same score tables (`edits`, n = 30, RSSE dev) and the same random weights, and must agree: the naive way
is `Result.reweight` for every source, then SARI of the chosen texts from statistics counted beforehand, so that it is
not charged for tokenising. Bar: 1,000 settings a second with 1,000 sources, and 20 × the naive way.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measuring import Race, Work, command_line
from rerank.types import FloatArray
from rewrite.datasets import data_folder
from rewrite.evaluate.sari import SariScore
from rewrite.result import Result
from training.weighting.arena import Arena, contests
from training.weighting.options import WeightOptions
from training.weighting.tune import tables_of

BAR, BAR_RATIO = 1_000.0, 20.0
_NAIVE_SETTINGS = 3


def naive_sari(
    results: Sequence[Result], counted: Sequence[dict[str, FloatArray]], components: Sequence[str], setting: FloatArray
) -> float:
    """SARI under one setting, every result choosing again by itself."""
    weights = dict(zip(components, setting.tolist(), strict=True))
    texts = [result.reweight(weights).text for result in results]
    return SariScore.of(np.array([known[text] for known, text in zip(counted, texts, strict=True)])).sari


def main() -> int:
    """Print settings a second; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("--sources", type=int, default=300)
    options = parser.parse_args()
    file = data_folder(options.data) / "rsse" / "dev_sents.csv"
    asked = WeightOptions(sources="dev", limit=options.sources, seed=0)
    with tempfile.TemporaryDirectory() as folder:
        examples, results = tables_of(file, asked, Path(folder), report=lambda line: None)
    arena = Arena(contests(results, [example.references for example in examples]))
    counted = [
        {contest.text((place,)): contest.statistics((place,)).reshape(3, 4, 3) for place in range(-1, len(unit.rows))}
        for contest in arena.contests
        for unit in contest.units
    ]
    settings = np.random.default_rng(0).uniform(0.1, 10, (50, len(arena.components)))
    few = settings[:_NAIVE_SETTINGS]

    def naive() -> list[float]:
        return [naive_sari(results, counted, arena.components, setting) for setting in few]

    works = [
        Work("naive: reweight each result", naive, len(few)),
        Work("arena, corpus SARI", partial(arena.sari, settings, metric="corpus"), len(settings)),
        Work("arena, sentence SARI", partial(arena.sari, settings, metric="sentence"), len(settings)),
    ]
    race = Race.run("settings", works, rounds=options.rounds, warm=1)
    print(f"{len(arena):,} sources, {arena.size:,} candidates that may be chosen")
    race.print()
    slow, corpus, _ = race.answers
    np.testing.assert_allclose(race.answers[corpus][: len(few)], race.answers[slow], atol=1e-9)
    return int(race.rate(corpus) < BAR * min(1.0, 1000 / len(arena)) or race.missed({(corpus, slow): BAR_RATIO}))


if __name__ == "__main__":
    sys.exit(main())
