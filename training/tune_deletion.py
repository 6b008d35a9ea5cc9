"""Chooses the weights of the deletion generator by cross-validated SARI on RSSE dev.

    python -m training.tune_deletion FOLDER

FOLDER holds `rsse/dev_sents.csv`. Each fold is scored with the setting that was best on the other four, so that no
output counts towards the choice of its own weights. The output of a source is the generator's first candidate, or the
source where there is none. Takes about two minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from rerank.analysis import Analyzer
from rerank.rusim import RELEASED_WEIGHTS, components
from rerank.types import FloatArray
from rewrite.datasets import load_rsse
from rewrite.evaluate.sari import SariScore, SariSource, bootstrap
from rewrite.generators.base import Sampling
from rewrite.generators.deletion import DeletionGenerator

__all__ = ["GRID", "main"]

_FOLDS = 5

GRID: tuple[Mapping[str, float], ...] = (
    {},
    {"similarity": 0.4},
    {"similarity": 0.15},
    {"similarity": 0.1, "length": 3.0},
    {"similarity": 0.1, "length": 5.0},
    {"similarity": 0.1, "length": 5.0, "entities": 0.3},
    {"similarity": 0.1, "length": 5.0, "entities": 0.3, "depth": 1.0},
    {"similarity": 0.1, "length": 8.0, "entities": 0.3, "lexical": 0.5},
)
"""What differs from the released exponents in each setting. Names keep a weight: without one, more of them go."""


def main(arguments: Sequence[str]) -> None:
    examples = load_rsse(Path(arguments[0]) / "rsse" / "dev_sents.csv")
    sources = [example.source for example in examples]
    counted = [SariSource(example.source, example.references) for example in examples]
    analyzer, scorers = Analyzer(cache_size=100_000), components()
    statistics: list[FloatArray] = []
    for changes in GRID:
        generator = DeletionGenerator(analyzer=analyzer, scorers=scorers, weights={**RELEASED_WEIGHTS, **changes})
        drawn = generator.generate(sources, Sampling(n=1))
        outputs = [texts[0].text if texts else source for texts, source in zip(drawn, sources, strict=True)]
        statistics.append(np.array([s.statistics(output) for s, output in zip(counted, outputs, strict=True)]))
        kept = np.mean([len(o.split()) / len(s.split()) for o, s in zip(outputs, sources, strict=True)])
        score = SariScore.of(statistics[-1])
        print(f"{score.sari:.2f}  keep {score.keep:.2f}  delete {score.delete:.2f}  length {kept:.2f}  {dict(changes)}")
    fold = np.random.default_rng(0).permutation(len(sources)) % _FOLDS
    chosen = np.empty_like(statistics[0])
    for k in range(_FOLDS):
        best = max(range(len(GRID)), key=lambda i: SariScore.of(statistics[i][fold != k]).sari)
        chosen[fold == k] = statistics[best][fold == k]
        print(f"fold {k}: {dict(GRID[best])}")
    print(f"{_FOLDS}-fold SARI {SariScore.of(chosen).sari:.2f}, 95 % interval {bootstrap(chosen)}")


if __name__ == "__main__":
    main(sys.argv[1:])
