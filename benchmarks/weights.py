"""Settings of weights tried in a second: the arena of `training.weights` against choosing again result by result.

    python -m benchmarks.weights [--data DIR] [--sources 300] [--out FOLDER]

Both take the same score tables (`edits`, n = 30, RSSE dev; made first, or read from FOLDER) and the same random
weights, and must agree: the naive way is `Result.reweight` for every source, then SARI of the chosen texts from
statistics counted beforehand, so that it is not charged for tokenising. Bar: 1,000 settings a second with 1,000
sources, and 20 × the naive way.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from rerank.types import FloatArray
from rewrite.evaluate.sari import SariScore
from rewrite.result import Result
from training.weighting.arena import Arena, contests
from training.weighting.options import WeightOptions
from training.weighting.tune import tables_of

NAIVE_SETTINGS = 3
SECONDS = 3.0
BAR, BAR_RATIO = 1_000.0, 20.0


def fast_rate(arena: Arena, settings: FloatArray, metric: str) -> float:
    """Settings a second through the arena."""
    arena.sari(settings[:5], metric=metric)
    tried, started = 0, time.perf_counter()
    while (passed := time.perf_counter() - started) < SECONDS:
        arena.sari(settings, metric=metric)
        tried += len(settings)
    return tried / passed


def naive(
    results: list[Result], counted: list[dict[str, FloatArray]], components: tuple[str, ...], setting: FloatArray
) -> float:
    """SARI under one setting, every result choosing again by itself."""
    weights = dict(zip(components, setting.tolist(), strict=True))
    texts = [result.reweight(weights).text for result in results]
    return SariScore.of(np.array([known[text] for known, text in zip(counted, texts, strict=True)])).sari


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("REWRITE_DATA", "../shared/data")))
    parser.add_argument("--sources", type=int, default=300)
    parser.add_argument("--out", type=Path, help="where score tables are kept; thrown away without it")
    arguments = parser.parse_args()
    options = WeightOptions(sources="dev", limit=arguments.sources, seed=0)
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.data / "rsse" / "dev_sents.csv"
        examples, results = tables_of(path, options, arguments.out or Path(folder), report=lambda line: None)
    arena = Arena(contests(results, [example.references for example in examples]))
    settings = np.random.default_rng(0).uniform(0.1, 10, (50, len(arena.components)))
    counted = [
        {contest.text((place,)): contest.statistics((place,)).reshape(3, 4, 3) for place in range(-1, len(unit.rows))}
        for contest in arena.contests
        for unit in contest.units
    ]
    started = time.perf_counter()
    slow = [naive(results, counted, arena.components, setting) for setting in settings[:NAIVE_SETTINGS]]
    slow_rate = NAIVE_SETTINGS / (time.perf_counter() - started)
    np.testing.assert_allclose(arena.sari(settings[:NAIVE_SETTINGS]), slow, atol=1e-9)
    print(f"{len(arena):,} sources, {arena.size:,} candidates that may be chosen")
    print(f"{'':32} settings/s   ratio")
    print(f"{'naive: reweight each result':32} {slow_rate:10.1f}    1.00")
    rates = {metric: fast_rate(arena, settings, metric) for metric in ("corpus", "sentence")}
    for metric, rate in rates.items():
        print(f"{f'arena, {metric} SARI':32} {rate:10,.0f} {rate / slow_rate:7,.0f}")
    enough = rates["corpus"] >= BAR * min(1.0, 1000 / len(arena)) and rates["corpus"] >= BAR_RATIO * slow_rate
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
