"""Does an evaluator see what any reader sees? Sentences with a good rewrite and a bad one, written by hand.

    python -m training.evaluating.contrasts [--lang LANG] [--model NAME] [--rows]

For each kind of fault, and for all, the share of pairs in the right order (a tie is half a pair) by the score of
`rewrite judge` and by each output, beside `copied` (how much of a text its source has, which no model needs), and how
many of the good and of the bad texts score more than 0.5. `--no-facts` leaves the fact guard out of the score, and
`--rows` prints each pair with its scores. Nothing is learnt from
these texts; of the bad ones a good third are such that `training.negatives` could make them of the good ones (another
number, a denial), the others not (*free*, *agreement*, most of *opposite*). There are few of a kind: look at the rows.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rerank.evaluator.registry import create_evaluator
from rerank.types import FloatArray
from rewrite.errors import BadOption
from rewrite.judging.registry import create_metric
from rewrite.judging.types import Metric, Row
from training.command import run_to_the_end
from training.evaluating.accuracy import BASELINES, print_table

__all__ = ["Contrast", "contrasts", "main"]

_HERE = Path(__file__).parent
_LANGUAGES = ("en", "ru")
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Contrast:
    """A source, a rewrite that is right, and one with a fault of a kind."""

    kind: str
    source: str
    good: str
    bad: str


def contrasts(language: str) -> list[Contrast]:
    """The pairs of a language, `en` or `ru`, in the order of their file."""
    path = _HERE / f"contrasts_{language}.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return [Contrast(*row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def _told(metric: Metric, outputs: Sequence[str], pairs: Sequence[Contrast]) -> FloatArray:
    """What is said of good and bad texts, `[2, pairs, score, outputs and baseline]`."""
    copied = BASELINES["copied"]
    sides = [[Row(one.source, text) for one, text in zip(pairs, texts, strict=True)] for texts in _texts(pairs)]
    return np.array(
        [
            [
                [judged.score, *(judged.components[name] for name in outputs), copied(row.source, row.text)]
                for row, judged in zip(side, metric.score(side), strict=True)
            ]
            for side in sides
        ]
    )


def _texts(pairs: Sequence[Contrast]) -> tuple[list[str], list[str]]:
    return [one.good for one in pairs], [one.bad for one in pairs]


def _row(name: str, told: FloatArray) -> tuple[str, ...]:
    good, bad = told
    right = ((good > bad) + _HALF * (good == bad)).mean(axis=0)
    over = ((side[:, 0] > _HALF).sum() for side in (good, bad))
    return (name, str(len(good)), *(f"{share:.2f}" for share in right), *(str(count) for count in over))


def _print(given: argparse.Namespace) -> None:
    evaluator = create_evaluator(given.model, language=given.lang)
    if evaluator.language != given.lang:
        told = f"{given.model} is of {evaluator.language!r}, --lang of {given.lang!r}."
        raise BadOption(told, hint="Give the language of the model.")
    pairs = contrasts(given.lang)
    metric = create_metric("learned", language=given.lang, model=given.model, facts=given.facts)
    values = _told(metric, evaluator.outputs, pairs)
    table = [("", "pairs", "score", *evaluator.outputs, "copied", "good over 0.5", "bad over 0.5")]
    kinds = dict.fromkeys(one.kind for one in pairs)
    table += [_row(kind, values[:, [one.kind == kind for one in pairs]]) for kind in kinds]
    table.append(_row("all", values))
    print(f"{evaluator.signature()}: {len(pairs)} pairs by hand, {given.lang}")
    print_table(table)
    if given.rows:
        for one, good, bad in zip(pairs, *values[:, :, 0], strict=True):
            print(f"\n{one.kind}: {one.source}\n  {good:.2f}  {one.good}\n  {bad:.2f}  {one.bad}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and print the table; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluating.contrasts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--lang", choices=_LANGUAGES, default="en", help="default: en")
    parser.add_argument("--model", default="bundled", metavar="NAME", help="bundled, or a folder of training.evaluator")
    parser.add_argument("--no-facts", dest="facts", action="store_false", help="score without the fact guard")
    parser.add_argument("--rows", action="store_true", help="print each pair")
    given = parser.parse_args(arguments)
    return run_to_the_end("contrasts", lambda: _print(given))


if __name__ == "__main__":
    sys.exit(main())
