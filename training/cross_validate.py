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

from rerank.analysis import Analyzer
from rerank.weights import PRESETS
from rewrite.datasets import load_rsse
from rewrite.evaluate.rsse import COUNTS, Evaluation, ablation, evaluate_rsse, n_curve
from rewrite.request import Options
from training.disk import write_text
from training.edit_model import fold_of
from training.weighting.cache import TableStore
from training.weighting.draw import cross_fitted

__all__ = ["main"]


def main() -> None:
    """Read the options, draw, print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with rsse/dev_sents.csv")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for outputs, tables and models; the last two are reused"
    )
    parser.add_argument("-n", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tables", action="store_true", help="the n-curve and the ablation as well")
    arguments = parser.parse_args()
    examples = load_rsse(arguments.data / "rsse" / "dev_sents.csv")
    analyzer = Analyzer()
    sources = [example.source for example in examples]
    options = Options(n=arguments.n, seed=arguments.seed)
    results = cross_fitted(examples, fold_of(len(examples)), options, TableStore(arguments.out / "tables"))
    outputs = {name: [r.reweight(weights).text for r in results] for name, weights in PRESETS.items()}
    lines = (
        {"source": source} | {name: texts[i] for name, texts in outputs.items()} for i, source in enumerate(sources)
    )
    write_text(arguments.out / "outputs.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
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
