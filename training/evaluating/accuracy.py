"""Does an evaluator find a human rewrite better than the same rewrite corrupted?

    python -m training.evaluating.accuracy [--set NAME] [--model NAME] [--kinds KIND …] [--rows N] [--seed N]

Takes the human rewrites of a set of `training.evaluating.held_out` (`rsse`, Russian, `wikisplit-dev`, English, or the
summaries of `newsroom`, judged by the evaluator of summaries) or of a JSONL file with `source` and `text`, makes one
mutation of each kind of each of them, and prints the share of pairs that every output of the evaluator has in the right
order (a tie is half a pair), beside what no model needs: how much of a text its source has, and how long it is. The row
`source itself` is of rewrites beside their sources, which are no bad texts. The last two are the shares of human and of
corrupted texts that get more than 0.5, each on its own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rerank.evaluator import Evaluator
from rerank.evaluator.registry import create_evaluator
from rerank.masked.words import LANGUAGES, split
from rerank.types import FloatArray
from rewrite.errors import BadInput
from rewrite.evaluate.harness import text_table
from training.command import command_line, run_to_the_end
from training.evaluating.held_out import HELD_OUT, held_out
from training.negatives.sampling import KINDS, Example, Positive, examples

LENGTH_KEPT = (
    *("word-replacement", "word-insertion", "sentence-replacement", "sentence-insertion", "cross-pair"),
    *("names", "numbers", "negation", "agreement", "order"),
)
"""Those whose figures are compared throughout: no deletion, which is what simplification legitimately does."""


def corrupted(good: Sequence[Positive], kind: str, *, language: str, seed: int) -> list[tuple[Example, Example]]:
    """Good texts with a mutation of a kind each; texts that have none (no name, no number) are left out."""
    pairs: list[tuple[Example, Example]] = []
    best: Example | None = None
    for example in examples(good, (kind,), negatives=1, language=language, seed=seed):
        if not example.kind:
            best = example
        elif best is not None:
            pairs.append((best, example))
    return pairs


def copied(good: Sequence[Positive]) -> list[tuple[Example, Example]]:
    """Good texts, each with its source in its place: no bad text, but one that a rewrite was to better."""
    return [(Example(pair.source, pair.text, 1.0), Example(pair.source, pair.source, 1.0, "source")) for pair in good]


def accuracy(
    judge: Callable[[Sequence[tuple[str, str]]], FloatArray], pairs: Sequence[tuple[Example, Example]]
) -> FloatArray:
    """The share in [0, 1] of pairs whose first text gets more, for each column that `judge` gives (source, text)."""
    first, second = (judge([(pair[side].source, pair[side].text) for pair in pairs]) for side in (0, 1))
    shares: FloatArray = ((first > second) + 0.5 * (first == second)).mean(axis=0)
    return shares


def _copied(source: str, text: str) -> float:
    """The share of a text's words that its source has."""
    known = {token.word.text.lower() for token in split(source)}
    words = [token.word.text.lower() for token in split(text)]
    return sum(word in known for word in words) / max(1, len(words))


BASELINES: Mapping[str, Callable[[str, str], float]] = {
    "copied": _copied,
    "longer": lambda source, text: float(len(text)),
    "shorter": lambda source, text: -float(len(text)),
}
_HALF = 0.5


def _baselines(pairs: Sequence[tuple[str, str]]) -> FloatArray:
    return np.array([[measure(source, text) for measure in BASELINES.values()] for source, text in pairs])


def _table(
    evaluator: Evaluator, good: Sequence[Positive], kinds: Sequence[str], *, language: str, seed: int
) -> list[tuple[str, ...]]:
    columns = (*evaluator.outputs, *BASELINES)
    rows, counts, shares = [("", "pairs", *columns)], [], []
    made = {kind: corrupted(good, kind, language=language, seed=seed) for kind in kinds}
    for kind, pairs in made.items():
        if not pairs:
            rows.append((kind, "0", *("–" for _ in columns)))
            continue
        shares.append(_shares(evaluator, pairs))
        counts.append(len(pairs))
        rows.append(_row(kind, len(pairs), shares[-1]))
    if counts:
        rows.append(_row("all pairs", sum(counts), np.average(shares, axis=0, weights=counts)))
    rows.append(_row("source itself", len(good), _shares(evaluator, copied(good))))
    human = [Example(pair.source, pair.text, 1.0) for pair in good]
    broken = [bad for pairs in made.values() for _, bad in pairs]
    for name, texts in (("human over 0.5", human), ("corrupted over 0.5", broken)):
        if texts:
            cells = _row(name, len(texts), _over(evaluator, texts))
            rows.append((*cells, *("–" for _ in BASELINES)))
    return rows


def _shares(evaluator: Evaluator, pairs: Sequence[tuple[Example, Example]]) -> FloatArray:
    return np.concatenate([accuracy(evaluator.judge, pairs), accuracy(_baselines, pairs)])


def _row(name: str, count: int, values: FloatArray) -> tuple[str, ...]:
    return (name, f"{count:,}", *(f"{value:.3f}" for value in values))


def _over(evaluator: Evaluator, texts: Sequence[Example]) -> FloatArray:
    shares: FloatArray = (evaluator.judge([(example.source, example.text) for example in texts]) > _HALF).mean(axis=0)
    return shares


def _print(given: argparse.Namespace) -> None:
    good = list(dict.fromkeys(held_out(given.set, given.data)))[: given.rows]
    if not good:
        raise BadInput(
            f"{given.set}: there are no rewrites.", hint="Give a file that has some, and --rows of 1 or more."
        )
    known = HELD_OUT.get(given.set)
    language = known.language if known else given.lang
    evaluator = create_evaluator(given.model, language=language, task=known.task if known else "rewrites")
    table = _table(evaluator, good, given.kinds, language=language, seed=given.seed)
    print(f"{evaluator.signature()}, {given.set}: {len(good):,} texts, seed {given.seed}")
    print(text_table(table[0], table[1:]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and print the table; returns the exit status."""
    parser = command_line("evaluating.accuracy", __doc__, data=True)
    sets = f"{', '.join(HELD_OUT)}, or a JSONL file"
    parser.add_argument("--set", default="rsse", metavar="NAME", help=f"{sets}; default: rsse")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="of the texts of a file; default: en")
    parser.add_argument("--model", default="bundled", metavar="NAME", help="bundled, or a folder of training.evaluator")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=LENGTH_KEPT, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--rows", type=int, metavar="N", help="rewrites at most")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    return run_to_the_end("accuracy", lambda: _print(given))


if __name__ == "__main__":
    sys.exit(main())
