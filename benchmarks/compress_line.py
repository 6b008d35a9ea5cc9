"""How long one sentence takes `rewrite compress`, models loaded.

    python -m benchmarks.compress_line --data FOLDER [--ratio 0.5] [--sentences 20]

The sentences are the first of the broadcast set with 28 to 32 words, each compressed in a call of its own by both
distances with the bundled English model. Bar: every one in less than 2 seconds on the clock, on the cores there are.
Exit code 1 where one takes longer.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from rich.console import Console
from rich.table import Table

from rewrite import Compressor
from rewrite.compression.options import Method, compress_options
from rewrite.datasets import data_folder
from rewrite.evaluate.compression.corpora import load_sentcomp

BAR = 2.0
_METHODS: tuple[Method, ...] = ("fast-ndd", "ndd")
_FIRST = "This sentence has the models loaded, whatever they are, before the others are timed."
_LENGTHS = range(28, 33)


def seconds(compressor: Compressor, sentences: list[str]) -> list[float]:
    """Wall-clock time of each sentence, after a first call that loads what there is to load."""
    compressor.run([_FIRST])
    found = []
    for sentence in sentences:
        began = time.perf_counter()
        compressor.run([sentence])
        found.append(time.perf_counter() - began)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=None, help="folder of the data sets [REWRITE_DATA]")
    parser.add_argument("--ratio", type=float, default=0.5)
    parser.add_argument("--sentences", type=int, default=20)
    options = parser.parse_args()
    examples = load_sentcomp(data_folder(options.data) / "sentcomp" / "broadcast.jsonl")
    fitting = (example.source for example in examples if len(example.source.split()) in _LENGTHS)
    sentences = list(dict.fromkeys(fitting))[: max(1, options.sentences)]
    table = Table(title=f"Seconds for a sentence of 28 to 32 words ({len(sentences)} of them)")
    for column in ("method", "median", "longest", "bar"):
        table.add_column(column, justify="left" if column == "method" else "right")
    missed = False
    for method in _METHODS:
        found = seconds(Compressor(compress_options(ratio=options.ratio, method=method, lang="en")), sentences)
        missed |= max(found) >= BAR
        table.add_row(method, f"{np.median(found):.2f}", f"{max(found):.2f}", f"{BAR:g}")
    Console().print(table)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
