"""The learned evaluator: sentence pairs a second, beside one pair after the other.

    python -m benchmarks.evaluator --data FOLDER [--model NAME] [--pairs 1000] [--naive 200] [--rounds 3]

The pairs are sources of RuSimpleSentEval dev with their references. Ours are sorted by length and run in batches; the
naive loop asks for each pair alone. Both must give the same numbers but for rounding in 8 bits. Bar: 300 pairs a second
on two cores. Exit code 1 where it is missed or a number differs by more than 0.02.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

import numpy as np

from benchmarks.measuring import Race, Work, command_line, rsse_examples
from rerank.evaluator import Evaluator
from rerank.evaluator.registry import create_evaluator

FASTEST = 300.0
_ROUNDING = 0.02


def opened(model: str) -> Evaluator:
    """An evaluator whose weights are loaded, without memory of any pair that is timed."""
    evaluator = create_evaluator(model, language="ru")
    evaluator.judge([("Он ушёл домой.", "Он ушёл.")])
    return evaluator


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("--model", default="bundled", help="bundled, or a folder of training.evaluator")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--naive", type=int, default=200, help="how many of them the naive loop does")
    options = parser.parse_args(arguments)
    # No pair twice: the evaluator remembers what it has judged.
    examples = rsse_examples(options.data)
    pairs = list(dict.fromkeys((one.source, text) for one in examples for text in one.references))[: options.pairs]
    few, fresh = pairs[: options.naive], partial(opened, options.model)

    def alone(evaluator: Evaluator) -> np.ndarray:
        return np.concatenate([evaluator.judge([pair]) for pair in few])

    works = [
        Work("one after the other", alone, len(few), fresh),
        Work("in batches", lambda evaluator: evaluator.judge(pairs), len(pairs), fresh),
    ]
    race = Race.run("pairs", works, rounds=options.rounds)
    words = np.mean([len(f"{source} {text}".split()) for source, text in pairs])
    print(f"{len(pairs):,} pairs of {words:.0f} words in the mean")
    race.print()
    one_by_one, batched = race.answers.values()
    apart = float(np.abs(batched[: len(few)] - one_by_one).max())
    print(f"largest difference {apart:.4f}")
    return int(race.rate("in batches") < FASTEST or apart > _ROUNDING)


if __name__ == "__main__":
    sys.exit(main())
