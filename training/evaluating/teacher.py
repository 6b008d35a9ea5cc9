"""How well the masked model itself tells acceptable Russian sentences: what `likelihood` of an evaluator aims at.

    python -m training.evaluating.teacher [--data FILE] [--rows N]

Prints the area under the curve on RuCoLA of the pseudo-log-likelihood (Salazar et al., 2020): the sum, and the mean, of
the log-probabilities of a sentence's tokens, each with this token alone hidden, one pass of the model for each. FILE is
a part of RuCoLA; without it the out-of-domain dev part of the data folder (`REWRITE_DATA`) is read. Takes minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from rerank.masked.base import MaskedModel, Row
from rerank.masked.bundled import load
from rerank.masked.words import split
from rerank.types import FloatArray
from rewrite.evaluate.meta.sets import load_rated
from rewrite.evaluate.resampling import area_under_curve
from training.command import run_to_the_end

__all__ = ["log_probabilities", "main"]

_ACCEPTABLE = "acceptable"


def log_probabilities(text: str, model: MaskedModel) -> FloatArray:
    """Of each token of a text, `[tokens]`, in nats, with it alone hidden; those beyond the model's window are left out.

    The text is Russian, and so is `model`.
    """
    room = model.window - len(model.prefix) - len(model.suffix)
    tokens = [token for found in split(text, "ru") for token in model.tokens(found.word)][:room]
    row = (*model.prefix, *tokens, *model.suffix)
    places = [len(model.prefix) + n for n in range(len(tokens))]
    hidden = [Row((*row[:place], model.mask, *row[place + 1 :]), (place,)) for place in places]
    return np.array([logs[0, token] for logs, token in zip(model.predict(hidden), tokens, strict=True)])


def _print(data: str | None, rows: int | None) -> None:
    rated, model = load_rated("rucola", data), load("ru", threads=2)
    items = rated.items[:rows]
    found = [log_probabilities(one.row.text, model) for one in items]
    good = np.array([one.ratings[_ACCEPTABLE] == 1 for one in items])
    print(f"{model.name}, {rated.name}: {len(items):,} sentences")
    for name, told in (("sum", [one.sum() for one in found]), ("mean", [one.mean() for one in found])):
        values = np.array(told)
        print(f"{name:<5} {area_under_curve(values[good], values[~good]):.3f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and print the figures; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluating.teacher",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", metavar="FILE", help="a part of RuCoLA; default: the one in REWRITE_DATA")
    parser.add_argument("--rows", type=int, metavar="N", help="sentences at most")
    given = parser.parse_args(arguments)
    return run_to_the_end("teacher", lambda: _print(given.data, given.rows))


if __name__ == "__main__":
    sys.exit(main())
