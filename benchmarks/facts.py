"""Speed of the fact guard: candidates a second on one core, against a guard that forgets.

    python -m benchmarks.facts --data DIR [--sources 200] [--candidates 30]

Candidates are the source with one, two or three random words left out. The naive loop makes a new guard for each
candidate but keeps the dictionary: the source's facts and all word readings are found anew. Verdicts must be equal.
"""

from __future__ import annotations

import random

from benchmarks.measuring import command_line, print_rates, rsse_examples, timed
from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.morphology import Morphology


def shorten(source: str, rng: random.Random) -> str:
    """The source without one to three of its words."""
    words = source.split()
    for _ in range(min(rng.randint(1, 3), len(words) - 1)):
        words.pop(rng.randrange(len(words)))
    return " ".join(words)


def main() -> None:
    """Measure all three and print one table."""
    parser = command_line(__doc__)
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--candidates", type=int, default=30)
    options = parser.parse_args()
    rng = random.Random(0)
    sources = [example.source for example in rsse_examples(options.data, options.sources)]
    pools = [[shorten(source, rng) for _ in range(options.candidates)] for source in sources]
    tasks = list(zip(sources, pools, strict=True))
    analyzer, dictionary = Analyzer(), Morphology(cache_size=0)
    dictionary.lemma("слово")
    guard = FactGuard(analyzer, morphology=Morphology())
    guard.check("Слово.", "Дело.")

    cold, first = timed(lambda: [guard.check_all(source, pool) for source, pool in tasks])
    warm, second = timed(lambda: [guard.check_all(source, pool) for source, pool in tasks])
    few = tasks[: max(1, len(tasks) // 10)]

    def forgetful(source: str, pool: list[str]) -> list[object]:
        return [FactGuard(analyzer, morphology=dictionary).check(source, text) for text in pool]

    naive, slow = timed(lambda: [forgetful(source, pool) for source, pool in few])
    if naive != cold[: len(few)] or cold != warm:
        raise SystemExit("verdicts differ between the loops")
    total = sum(map(len, pools))
    rates = {
        "naive: nothing remembered": sum(len(pool) for _, pool in few) / slow,
        "first pass, words new": total / first,
        "source and words prepared": total / second,
    }
    print_rates("candidates/s", rates)


if __name__ == "__main__":
    main()
