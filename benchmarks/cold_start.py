"""Cold start: `rewrite simplify` on one sentence against loading natasha's three taggers alone.

    python -m benchmarks.cold_start [--repeats 7]

Each figure is the median over fresh processes, the two kinds taking turns, so that a busy machine slows both alike.
Bars: ratio ≤ 2, no torch, peak memory < 1 GB. Exit code 1 where one is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

SENTENCE = "Положение стало угрожающим для царевича, когда Филипп женился — на знатной македонянке Клеопатре."
TAGGERS = """
from natasha import NewsEmbedding, NewsMorphTagger, NewsNERTagger, NewsSyntaxParser
embedding = NewsEmbedding()
NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)
"""
# Runs the command in this process and reports, after it, what was imported and the most memory ever held.
PROBE = f"""
import atexit, json, resource, sys
sys.argv = ["rewrite", "simplify", {SENTENCE!r}]
def report():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps({{"torch": "torch" in sys.modules, "peak": peak, "modules": len(sys.modules)}}), file=sys.stderr)
atexit.register(report)
from rewrite.cli import main
main()
"""


def timed(*command: str) -> float:
    """Wall-clock seconds of one process."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, capture_output=True, env=_environment())
    return time.perf_counter() - started


def _environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def measure(repeats: int) -> dict[str, float]:
    """Medians in seconds by name, after one unmeasured round that warms the disk cache."""
    commands = {
        "python -c pass": ("-c", "pass"),
        "three taggers of natasha": ("-c", TAGGERS),
        "rewrite --help": ("-m", "rewrite", "--help"),
        "rewrite simplify, one sentence": ("-m", "rewrite", "simplify", SENTENCE),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(repeats + 1):
        for name, command in commands.items():
            seconds = timed(*command)
            if turn:
                times[name].append(seconds)
    return {name: statistics.median(values) for name, values in times.items()}


def probe() -> dict[str, int]:
    """Modules and peak memory (bytes) of one `rewrite simplify`."""
    done = subprocess.run([sys.executable, "-c", PROBE], check=True, capture_output=True, env=_environment())
    result: dict[str, int] = json.loads(done.stderr.decode().splitlines()[-1])
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    medians = measure(arguments.repeats)
    baseline = medians["three taggers of natasha"]
    print(f"{'':32} seconds   ratio")
    for name, seconds in medians.items():
        print(f"{name:32} {seconds:7.2f} {seconds / baseline:7.2f}")
    found = probe()
    print(f"torch imported: {'yes' if found['torch'] else 'no'}; peak memory: {found['peak'] / 2**20:.0f} MiB")
    reached = medians["rewrite simplify, one sentence"] <= 2 * baseline
    return 0 if reached and not found["torch"] and found["peak"] < 2**30 else 1


if __name__ == "__main__":
    sys.exit(main())
