"""Searching weights: settings tried in a second, sources that a search needs, choices that a fit needs.

    python -m benchmarks.weights speed [--data DIR] [--sources 300] [--out FOLDER]
    python -m benchmarks.weights few --out runs/few [--data DIR] [--draws 12] [--settings 2000]
    python -m benchmarks.weights person --out runs/person [--data DIR] [--sources 300] [--choices 500 60]

`speed`: the arena of `training.weights` against choosing again result by result. Both take the same score tables
(`edits`, n = 30, RSSE dev; made first, or read from FOLDER) and the same random weights, and must agree: the naive way
is `Result.reweight` for every source, then SARI of the chosen texts from statistics counted beforehand, so that it is
not charged for tokenising. Bar: 1,000 settings a second with 1,000 sources, and 20 × the naive way.

`few`: weights tuned for SARI on few sources of RSSE dev, each drawn by an edit model that had not seen it, as with
--cross-fit, and scored on all the others. Of each size so many random draws of sources are tuned on. "Better" counts
those whose weights do better on the sources that were not drawn than the best preset there, which costs no search.

`person`: a simulated person whose taste is the preset `accurate`, with the noise that the model assumes: pairs are
drawn by a seed from what `edits` (n = 30) finds for RSSE dev and guards let pass, and A is preferred to B with the odds
of their scores S, as Bradley and Terry have it. Writes OUT/N/choices.jsonl for each number of choices and fits them as
`python -m training.weights --preferences` does, which prints its figures.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measuring import command_line, print_rates, timed
from rerank.combine import weight_vector
from rerank.types import FloatArray, ScoreTable
from rerank.weights import PRESETS, Weights
from rewrite.datasets import Example, data_folder
from rewrite.evaluate.sari import SariScore
from rewrite.result import Result
from training.command import StepFailed, run_to_the_end
from training.weighting.arena import Arena, contests
from training.weighting.options import WeightOptions
from training.weighting.preferences import LEAST
from training.weighting.preferred import fit_preferences
from training.weighting.tune import named_settings, tables_of, tuner

BAR, BAR_RATIO = 1_000.0, 20.0
SIZES = (10, 20, 50, 100, 200)
TASTE = "accurate"
_NAIVE_SETTINGS = 3
_SECONDS = 3.0


def tables(data: str | None, options: WeightOptions, out: Path) -> tuple[list[Example], list[Result]]:
    """Sources of RSSE dev and their results, drawn now or read from `out`."""
    return tables_of(data_folder(data) / "rsse" / "dev_sents.csv", options, out, report=lambda line: None)


def speed(given: argparse.Namespace) -> None:
    """Print settings a second of the arena beside the naive way's."""
    options = WeightOptions(sources="dev", limit=given.sources, seed=0)
    with tempfile.TemporaryDirectory() as folder:
        examples, results = tables(given.data, options, given.out or Path(folder))
    arena = Arena(contests(results, [example.references for example in examples]))
    settings = np.random.default_rng(0).uniform(0.1, 10, (50, len(arena.components)))
    counted = [
        {contest.text((place,)): contest.statistics((place,)).reshape(3, 4, 3) for place in range(-1, len(unit.rows))}
        for contest in arena.contests
        for unit in contest.units
    ]
    few = settings[:_NAIVE_SETTINGS]
    slow, seconds = timed(lambda: [_naive_sari(results, counted, arena.components, setting) for setting in few])
    np.testing.assert_allclose(arena.sari(few), slow, atol=1e-9)
    print(f"{len(arena):,} sources, {arena.size:,} candidates that may be chosen")
    rates = {"naive: reweight each result": len(few) / seconds}
    rates |= {f"arena, {metric} SARI": _arena_rate(arena, settings, metric) for metric in ("corpus", "sentence")}
    print_rates("settings/s", rates)
    naive, corpus, _ = rates.values()
    if corpus < BAR * min(1.0, 1000 / len(arena)) or corpus < BAR_RATIO * naive:
        raise StepFailed("the bar is missed.", status=1)


def _arena_rate(arena: Arena, settings: FloatArray, metric: str) -> float:
    arena.sari(settings[:5], metric=metric)
    tried, started = 0, time.perf_counter()
    while (passed := time.perf_counter() - started) < _SECONDS:
        arena.sari(settings, metric=metric)
        tried += len(settings)
    return tried / passed


def _naive_sari(
    results: Sequence[Result], counted: Sequence[dict[str, FloatArray]], components: Sequence[str], setting: FloatArray
) -> float:
    """SARI under one setting, every result choosing again by itself."""
    weights = dict(zip(components, setting.tolist(), strict=True))
    texts = [result.reweight(weights).text for result in results]
    return SariScore.of(np.array([known[text] for known, text in zip(counted, texts, strict=True)])).sari


def few(given: argparse.Namespace) -> None:
    """Print means over the draws of each size."""
    path = data_folder(given.data) / "rsse" / "dev_sents.csv"
    options = WeightOptions(sources=str(path), cross_fit=True, settings=given.settings, seed=0)
    examples, results = tables_of(path, options, given.out)
    arena = Arena(contests(results, [example.references for example in examples]))
    rng = np.random.default_rng(0)
    print("sources  tuned on  held out  best preset  better")
    for size in SIZES:
        draws = [rng.permutation(len(arena))[:size].tolist() for _ in range(given.draws)]
        rows = np.array([_trial(arena, d, options.model_copy(update={"seed": n})) for n, d in enumerate(draws)])
        better = int((rows[:, 1] > rows[:, 2]).sum())
        means = "  ".join(f"{mean:{width}.2f}" for mean, width in zip(rows.mean(axis=0), (8, 8, 11), strict=True))
        print(f"{size:7}  {means}  {better} of {len(rows)}", flush=True)


def _trial(arena: Arena, inside: Sequence[int], options: WeightOptions) -> tuple[float, float, float]:
    """SARI of weights tuned on the sources `inside`: there, on all others, and that of the best preset on these."""
    known = named_settings(arena.components, presets=list(PRESETS))
    rest = arena.subset(i for i in range(len(arena)) if i not in set(inside))
    tuned = tuner(options, arena.components, known)(arena.subset(inside))
    presets = np.array([known[name] for name in PRESETS])
    return tuned.value, float(rest.sari(tuned.weights[np.newaxis])[0]), float(rest.sari(presets).max())


@dataclass(frozen=True, eq=False)
class Pool:
    """What the person may be shown of a source: two texts or more, with their log S under the person's taste."""

    source: str
    texts: tuple[str, ...]
    totals: FloatArray


def pool_of(table: ScoreTable) -> Pool:
    """The candidates that guards let pass."""
    free = [i for i, reason in enumerate(table.blocked) if not reason]
    taste = weight_vector(Weights.resolve(table.components, preset=TASTE), table.components)
    totals = np.log(np.maximum(table.values[free], LEAST)) @ taste
    return Pool(table.source, tuple(table.candidates[i].text for i in free), totals)


def pools_of(results: Sequence[Result]) -> list[Pool]:
    """Of sources of one sentence, those with something to choose between."""
    single = [r.sentences[0].table for r in results if len(r.sentences) == 1]
    pools = [pool_of(table) for table in single if table is not None]
    return [pool for pool in pools if len(pool.texts) > 1]


def choices(pools: Sequence[Pool], count: int, *, seed: int) -> list[dict[str, str]]:
    """`count` choices, each of a source and two of its texts drawn at random."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        pool = pools[int(rng.integers(len(pools)))]
        a, b = (int(place) for place in rng.choice(len(pool.texts), 2, replace=False))
        if rng.random() >= 1 / (1 + np.exp(pool.totals[b] - pool.totals[a])):
            a, b = b, a
        rows.append({"source": pool.source, "preferred": pool.texts[a], "other": pool.texts[b]})
    return rows


def person(given: argparse.Namespace) -> None:
    """Draw, choose and fit, for each number of choices."""
    options = WeightOptions(sources="dev", limit=given.sources, seed=given.seed)
    _, results = tables(given.data, options, given.out)
    pools = pools_of(results)
    for count in given.choices:
        folder = given.out / str(count)
        folder.mkdir(parents=True, exist_ok=True)
        rows = choices(pools, count, seed=given.seed)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / "choices.jsonl").write_text(lines, encoding="utf-8")
        print(f"== {count} choices, taste {TASTE}", flush=True)
        fit = WeightOptions(preferences="choices.jsonl", seed=given.seed)
        fit_preferences(folder / "choices.jsonl", fit, folder, processes=None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=("speed", "few", "person"))
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where tables, choices and presets are kept")
    parser.add_argument("--sources", type=int, default=300)
    parser.add_argument("--draws", type=int, default=12, help="few: of sources, of each size")
    parser.add_argument("--settings", type=int, default=2_000, help="few: of weights that a search tries")
    parser.add_argument("--choices", type=int, nargs="+", default=[500, 60], help="person: how many")
    parser.add_argument("--seed", type=int, default=0, help="person: of sources, pairs and choices")
    given = parser.parse_args(arguments)
    if given.out is None and given.what != "speed":
        parser.error(f"{given.what} needs --out")
    return run_to_the_end(
        f"weights {given.what}", partial({"speed": speed, "few": few, "person": person}[given.what], given)
    )


if __name__ == "__main__":
    sys.exit(main())
