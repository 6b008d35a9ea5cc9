"""How many sources a search of weights needs: weights tuned for SARI on few, scored on all the others.

    python -m benchmarks.weights_few --data DIR --out runs/few [--draws 12] [--settings 2000]

Sources are those of RSSE dev; each was drawn by an edit model that had not seen it, as with --cross-fit. Of each size
so many random draws of sources are tuned on. "Better" counts those whose weights do better on the sources that were not
drawn than the best preset there, which costs no search.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from rerank.presets import PRESETS
from rewrite.datasets import data_folder
from training.command import run_to_the_end
from training.weighting.arena import Arena, contests
from training.weighting.options import WeightOptions
from training.weighting.tune import named_settings, tables_of, tuner

SIZES = (10, 20, 50, 100, 200)


def trial(arena: Arena, inside: Sequence[int], options: WeightOptions) -> tuple[float, float, float]:
    """SARI of weights tuned on the sources `inside`: there, on all others, and that of the best preset on these."""
    known = named_settings(arena.components, presets=list(PRESETS))
    rest = arena.subset(i for i in range(len(arena)) if i not in set(inside))
    found = tuner(options, arena.components, known)(arena.subset(inside))
    presets = np.array([known[name] for name in PRESETS])
    return found.value, float(rest.sari(found.weights[np.newaxis])[0]), float(rest.sari(presets).max())


def _run(given: argparse.Namespace) -> None:
    path = data_folder(given.data) / "rsse" / "dev_sents.csv"
    options = WeightOptions(sources=str(path), cross_fit=True, settings=given.settings, seed=0)
    examples, results = tables_of(path, options, given.out)
    arena = Arena(contests(results, [example.references for example in examples]))
    rng = np.random.default_rng(0)
    print("sources  tuned on  held out  best preset  better")
    for size in SIZES:
        rows = np.array(
            [
                trial(arena, rng.permutation(len(arena))[:size].tolist(), options.model_copy(update={"seed": draw}))
                for draw in range(given.draws)
            ]
        )
        better = int((rows[:, 1] > rows[:, 2]).sum())
        means = "  ".join(f"{mean:{width}.2f}" for mean, width in zip(rows.mean(axis=0), (8, 8, 11), strict=True))
        print(f"{size:7}  {means}  {better} of {len(rows)}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and measure; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where tables are kept")
    parser.add_argument("--draws", type=int, default=12, help="of sources, of each size")
    parser.add_argument("--settings", type=int, default=2_000, help="of weights that a search tries")
    given = parser.parse_args(arguments)
    return run_to_the_end("weights_few", lambda: _run(given))


if __name__ == "__main__":
    sys.exit(main())
