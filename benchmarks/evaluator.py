"""The learned evaluator: sentence pairs a second, beside one pair after the other.

    python -m benchmarks.evaluator --data FOLDER [--model NAME] [--pairs 1000] [--naive 200] [--repeats 3]

The pairs are sources of RuSimpleSentEval dev with their references. Ours are sorted by length and run in batches; the
naive loop asks for each pair alone. Both must give the same numbers but for rounding in 8 bits. Bar: 300 pairs a second
on two cores. Exit code 1 where it is missed or a number differs by more than 0.02.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

from rerank.evaluator.base import Evaluator
from rerank.evaluator.registry import create_evaluator
from rewrite.datasets import data_folder, load_rsse

FASTEST = 300.0
_ROUNDING = 0.02


def make_pairs(folder: str, count: int) -> list[tuple[str, str]]:
    """Sources with their references, no pair twice: the evaluator remembers what it has judged."""
    examples = load_rsse(f"{folder}/rsse/dev_sents.csv")
    return list(dict.fromkeys((one.source, text) for one in examples for text in one.references))[:count]


def opened(model: str) -> Evaluator:
    """An evaluator whose weights are loaded, without memory of any pair that is timed."""
    found = create_evaluator(model, language="ru")
    found.judge([("Он ушёл домой.", "Он ушёл.")])
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=None, help="folder of the data sets [REWRITE_DATA]")
    parser.add_argument("--model", default="bundled", help="bundled, or a folder of training.evaluator")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--naive", type=int, default=200, help="how many of them the naive loop does")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    pairs = make_pairs(str(data_folder(options.data)), options.pairs)
    few, slow = pairs[: options.naive], opened(options.model)
    began = time.perf_counter()
    alone = np.concatenate([slow.judge([pair]) for pair in few])
    rate = len(few) / (time.perf_counter() - began)
    seconds = []
    for _ in range(options.repeats):
        quick = opened(options.model)
        began = time.perf_counter()
        together = quick.judge(pairs)
        seconds.append(time.perf_counter() - began)
    best = len(pairs) / min(seconds)
    words = np.mean([len(f"{source} {text}".split()) for source, text in pairs])
    print(f"{len(pairs):,} pairs of {words:.0f} words in the mean")
    print("                     pairs/s   ratio")
    for name, value in (("one after the other", rate), ("in batches", best)):
        print(f"{name:20} {value:7.0f}   {value / rate:5.1f}")
    apart = float(np.abs(together[: len(few)] - alone).max())
    print(f"largest difference {apart:.4f}")
    return int(best < FASTEST or apart > _ROUNDING)


if __name__ == "__main__":
    sys.exit(main())
