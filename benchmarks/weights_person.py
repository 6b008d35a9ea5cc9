"""How many choices a fit needs: a simulated person whose taste is a preset, with the noise that the model assumes.

    python -m benchmarks.weights_person --out runs/person [--data DIR] [--sources 300] [--choices 500 60]

Pairs are drawn by a seed from what `edits` (n = 30) finds for RSSE dev and guards let pass. The person prefers A to B
with the odds of their scores S under the preset `accurate`, as Bradley and Terry have it. Writes OUT/N/choices.jsonl
for each number of choices and fits them as `python -m training.weights --preferences` does, which prints its figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from rerank.combine import weight_vector
from rerank.types import FloatArray, ScoreTable
from rerank.weights import Weights
from rewrite.result import Result
from training.command import run_to_the_end
from training.weighting.options import WeightOptions
from training.weighting.preferences import LEAST
from training.weighting.preferred import fit_preferences
from training.weighting.tune import tables_of

TASTE = "accurate"


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
    tables = [r.sentences[0].table for r in results if len(r.sentences) == 1]
    pools = [pool_of(table) for table in tables if table is not None]
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


def run(given: argparse.Namespace) -> None:
    """Draw, choose and fit, for each number of choices."""
    options = WeightOptions(sources="dev", limit=given.sources, seed=given.seed)
    _, results = tables_of(given.data / "rsse" / "dev_sents.csv", options, given.out)
    pools = pools_of(results)
    for count in given.choices:
        folder = given.out / str(count)
        folder.mkdir(parents=True, exist_ok=True)
        rows = choices(pools, count, seed=given.seed)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / "choices.jsonl").write_text(lines, encoding="utf-8")
        print(f"== {count} choices, taste {TASTE}", flush=True)
        own = WeightOptions(preferences="choices.jsonl", seed=given.seed)
        fit_preferences(folder / "choices.jsonl", own, folder, processes=None)


def main() -> int:
    """Read the options and run; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("REWRITE_DATA", "../shared/data")))
    parser.add_argument("--out", type=Path, required=True, help="where tables, choices and presets are written")
    parser.add_argument("--sources", type=int, default=300)
    parser.add_argument("--choices", type=int, nargs="+", default=[500, 60])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    return run_to_the_end("weights_person", lambda: run(given))


if __name__ == "__main__":
    sys.exit(main())
