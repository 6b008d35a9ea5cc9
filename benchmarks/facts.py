"""Speed of the fact guard: candidates a second on one core, against a guard that forgets.

    python -m benchmarks.facts --data DIR [--sources 200] [--candidates 30]

Candidates are the source with one, two or three random words left out. The naive loop makes a new guard for each
candidate but keeps the dictionary: the source's facts and all word readings are found anew. Verdicts must be equal.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.morphology import Morphology
from training.corrupt import rsse_pairs


def shorten(source: str, rng: random.Random) -> str:
    """The source without one to three of its words."""
    words = source.split()
    for _ in range(min(rng.randint(1, 3), len(words) - 1)):
        words.pop(rng.randrange(len(words)))
    return " ".join(words)


def main() -> None:
    """Measure both and print one table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--candidates", type=int, default=30)
    options = parser.parse_args()
    rng = random.Random(0)
    sources = list(dict.fromkeys(source for source, _ in rsse_pairs(options.data)))[: options.sources]
    pools = [[shorten(source, rng) for _ in range(options.candidates)] for source in sources]
    total = sum(map(len, pools))
    analyzer = Analyzer()
    Morphology().lemma("слово")

    guard = FactGuard(analyzer, morphology=Morphology())
    guard.check("Слово.", "Дело.")
    start = time.perf_counter()
    cold = [guard.check_all(source, pool) for source, pool in zip(sources, pools, strict=True)]
    cold_rate = total / (time.perf_counter() - start)
    start = time.perf_counter()
    warm = [guard.check_all(source, pool) for source, pool in zip(sources, pools, strict=True)]
    warm_rate = total / (time.perf_counter() - start)

    naive_sources = max(1, len(sources) // 10)
    dictionary = Morphology(cache_size=0)
    dictionary.lemma("слово")
    start = time.perf_counter()
    naive = [
        [FactGuard(analyzer, morphology=dictionary).check(source, text) for text in pool]
        for source, pool in zip(sources[:naive_sources], pools, strict=False)
    ]
    naive_rate = sum(map(len, pools[:naive_sources])) / (time.perf_counter() - start)
    if naive != cold[:naive_sources] or cold != warm:
        raise SystemExit("verdicts differ between the loops")
    print(f"{'':<34}{'candidates/s':>14}{'ratio':>8}")
    for name, rate in (
        ("naive: nothing remembered", naive_rate),
        ("first pass, words new", cold_rate),
        ("source and words prepared", warm_rate),
    ):
        print(f"{name:<34}{rate:>14,.0f}{rate / naive_rate:>8.1f}")


if __name__ == "__main__":
    main()
