"""The edits generator on RuSimpleSentEval dev, 5-fold cross-validated: nothing is trained on the fold that is scored.

    python -m training.cross_validate --data ../shared/data --out runs/cv

For each fold the edit model is trained on the other four; the sources of the fold are rewritten with it once, and
every preset chooses from the same tables. Prints the report of `rewrite evaluate rsse` for the presets and baselines,
and writes the outputs to `outputs.jsonl` for reading.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from rerank.analysis import Analyzer
from rerank.presets import PRESETS
from rewrite.datasets import Example, load_rsse
from rewrite.evaluate.rsse import COUNTS, Evaluation, ablation, evaluate_rsse, n_curve
from rewrite.generators.edits import EditsGenerator
from rewrite.generators.edits.model import EditModel
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result
from training.edit_model import FOLDS, fold_of
from training.weighting.draw import fold_model

__all__ = ["cross_validate"]


def cross_validate(analyzer: Analyzer, examples: Sequence[Example], *, options: Options, models: Path) -> list[Result]:
    """One result per source, each from a model that has not seen it; `models` is a folder to keep the models in."""
    folds = fold_of(len(examples))
    results: dict[int, Result] = {}
    for fold in range(FOLDS):
        inside = np.flatnonzero(folds == fold).tolist()
        model = EditModel.load(fold_model(examples, inside, models, analyzer, print))
        pipeline = Pipeline(options, analyzer=analyzer, generator=EditsGenerator(analyzer=analyzer, model=model))
        results.update(zip(inside, pipeline.run([examples[i].source for i in inside]), strict=True))
        print(f"fold {fold + 1} of {FOLDS} done", flush=True)
    return [results[i] for i in range(len(examples))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with rsse/dev_sents.csv")
    parser.add_argument("--out", type=Path, required=True, help="folder for outputs and models, which are reused")
    parser.add_argument("-n", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tables", action="store_true", help="the n-curve and the ablation as well")
    arguments = parser.parse_args()
    examples = load_rsse(arguments.data / "rsse" / "dev_sents.csv")
    analyzer = Analyzer()
    sources = [example.source for example in examples]
    options = Options(n=arguments.n, seed=arguments.seed)
    results = cross_validate(analyzer, examples, options=options, models=arguments.out / "models")
    outputs = {name: [r.reweight(weights).text for r in results] for name, weights in PRESETS.items()}
    with open(arguments.out / "outputs.jsonl", "w", encoding="utf-8") as file:
        for i, source in enumerate(sources):
            line = {"source": source, **{name: texts[i] for name, texts in outputs.items()}}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    systems = {name: partial(_recall, texts) for name, texts in outputs.items()}
    print(evaluate_rsse(examples, systems=systems, analyzer=analyzer).text())
    if arguments.tables:
        evaluation = Evaluation(examples, analyzer=analyzer)
        counts = [count for count in COUNTS if count <= arguments.n]
        for row in (*n_curve(evaluation, results, counts), *ablation(evaluation, results)):
            print(f"{row.label:40} {row.sari:6.2f} [{row.interval.low:.2f}, {row.interval.high:.2f}]")


def _recall(outputs: Sequence[str], sources: Sequence[str]) -> Sequence[str]:
    """A system whose outputs are known."""
    return outputs


if __name__ == "__main__":
    main()
