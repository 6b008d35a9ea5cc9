"""Speed of the fact guard: candidates a second on one core, against a guard that forgets.

    python -m benchmarks.facts --data DIR [--sources 200] [--candidates 30]

Candidates are the source with one, two or three random words left out. The naive loop makes a new guard for each
candidate but keeps the dictionary: the source's facts and all word readings are found anew. Verdicts must be equal.
"""

from __future__ import annotations

import random

from benchmarks.measuring import Race, Work, command_line, rsse_examples
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
    tasks = [(source, [shorten(source, rng) for _ in range(options.candidates)]) for source in sources]
    few = tasks[: max(1, len(tasks) // 10)]
    analyzer, dictionary = Analyzer(), Morphology(cache_size=0)

    def fresh() -> FactGuard:
        guard = FactGuard(analyzer, morphology=Morphology())
        guard.check("Слово.", "Дело.")
        return guard

    def naive() -> list[list[object]]:
        return [[FactGuard(analyzer, morphology=dictionary).check(s, text) for text in pool] for s, pool in few]

    def all_of(guard: FactGuard) -> list[object]:
        return [guard.check_all(source, pool) for source, pool in tasks]

    known, total = fresh(), len(tasks) * options.candidates
    all_of(known)
    works = [
        Work("naive: nothing remembered", naive, len(few) * options.candidates),
        Work("first pass, words new", all_of, total, fresh),
        Work("source and words prepared", all_of, total, lambda: known),
    ]
    race = Race.run("candidates", works, rounds=options.rounds)
    forgetful, cold, warm = race.answers.values()
    if forgetful != cold[: len(few)] or cold != warm:
        raise SystemExit("verdicts differ between the loops")
    race.print()


if __name__ == "__main__":
    main()
