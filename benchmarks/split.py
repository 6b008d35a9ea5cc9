"""`rewrite split`: sentences a second, cold start and memory, against parsing the same sentences alone.

    python -m benchmarks.split --data FOLDER [--sentences 100] [-n 10] [--starts 5]

The sentences are the first of WikiSplit's validation part. Warm: models loaded, all in one call, seconds on the clock
and of the processor. Cold: `rewrite split` on one sentence in a fresh process, the median of some starts. Bars: 3
sentences a second warm, 3 seconds cold, a peak of 1 GB in the process. Exit code 1 where one is missed.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from rewrite import SplitOptions, Splitter
from rewrite.datasets import data_folder
from rewrite.splitting.parsing import Parser

FASTEST, COLD, PEAK = 3.0, 3.0, 1e9
_FIRST = "This sentence has the models loaded, and it is not one of those that are timed."
_COLD = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of the processor."""
    clock, own = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - own


def cold(repeats: int) -> float:
    """The median of seconds that a fresh process takes for one sentence, after one that is not counted."""
    found = []
    for _ in range(repeats + 1):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "rewrite", "split", _COLD], check=True, capture_output=True)
        found.append(time.perf_counter() - began)
    return statistics.median(found[1:])


def show(rows: Sequence[tuple[str, float, float]], count: int) -> None:
    """One line for each of what was timed."""
    print(f"{count} sentences              clock s   processor s   sentences/s   ratio")
    least = rows[0][1]
    for name, clock, own in rows:
        print(f"{name:26} {clock:7.2f}   {own:11.2f}   {count / clock:11.1f}   {clock / least:5.1f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=None, help="folder of the data sets [REWRITE_DATA]")
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("-n", type=int, default=10, help="candidates for each sentence")
    parser.add_argument("--starts", type=int, default=5, help="fresh processes that are timed")
    options = parser.parse_args(arguments)
    with (data_folder(options.data) / "wikisplit" / "validation.tsv").open(encoding="utf-8") as file:
        texts = [line.partition("\t")[0] for line, _ in zip(file, range(options.sentences), strict=False)]
    parser_alone, splitter = Parser(), Splitter(SplitOptions(n=options.n))
    parser_alone.parse([_FIRST])
    splitter.run([_FIRST])
    rows = [
        ("parsing alone", *timed(lambda: parser_alone.parse(texts))),
        (f"rewrite split, n = {options.n}", *timed(lambda: splitter.run(texts))),
    ]
    show(rows, len(texts))
    # On Linux the kernel tells kilobytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    start = cold(options.starts)
    print(f"cold start, one sentence: {start:.2f} s; peak memory: {peak / 1e6:.0f} MB")
    return int(len(texts) / rows[1][1] < FASTEST or start > COLD or peak > PEAK)


if __name__ == "__main__":
    sys.exit(main())
