"""`rewrite split`: how fast it is beside parsing alone.

    python -m benchmarks.split --data FOLDER [--sentences 100] [-n 10] [--rounds 3]

The sentences are the first of WikiSplit's validation part. Warm: models loaded, all in one call. Cold: `rewrite split`
on one sentence in a fresh process. Bars: 3 sentences a second warm, 3 seconds cold, a peak of 1 GB in the process. Exit
code 1 where one is missed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from benchmarks.measuring import Race, Work, command_line, fresh_process, peak_mib
from rewrite import SplitOptions, Splitter
from rewrite.datasets import data_folder, text_lines
from rewrite.splitting.words import read_words, sentence_analyzer

FASTEST, COLD, PEAK = 3.0, 3.0, 1e9 / 2**20
_FIRST = "This sentence has the models loaded, and it is not one of those that are timed."
_COLD = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."


def main(arguments: Sequence[str] | None = None) -> int:
    """Print sentences a second, how often a command starts, and the peak of memory; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("-n", type=int, default=10, help="candidates for each sentence")
    options = parser.parse_args(arguments)
    rows = text_lines(data_folder(options.data) / "wikisplit" / "validation.tsv")[: options.sentences]
    texts = [row.partition("\t")[0] for row in rows]
    parsing, splitting = partial(read_words, analyzer=sentence_analyzer()), Splitter(SplitOptions(n=options.n)).run
    for work in (parsing, splitting):
        work([_FIRST])
    split = f"rewrite split, n = {options.n}"
    works = [
        Work("parsing alone", partial(parsing, texts), len(texts)),
        Work(split, partial(splitting, texts), len(texts)),
    ]
    warm = Race.run("sentences", works, rounds=options.rounds)
    warm.print(f"{len(texts)} sentences")
    peak = peak_mib()
    command = fresh_process("cold start, one sentence", "-m", "rewrite", "split", _COLD)
    cold = Race.run("starts", [command], rounds=options.rounds, warm=1)
    cold.print()
    print(f"peak memory: {peak * 2**20 / 1e6:.0f} MB")
    return int(warm.rate(split) < FASTEST or 1 / cold.rate(command.name) > COLD or peak > PEAK)


if __name__ == "__main__":
    sys.exit(main())
