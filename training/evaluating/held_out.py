"""Human rewrites that no evaluator in the package has learnt from, by the name of the set.

    python -m training.evaluating.held_out [NAME] [--data DIR] > held.csv

Writes a row for each source and rewrite, as `rewrite evaluate rsse --data held.csv` reads them. `rsse` is the fifth of
RuSimpleSentEval dev, by the checksum of the source; `wikisplit-dev` those of rows 3,501 to 4,000 of WikiSplit's
validation part that have no eight words in a row with what is learnt from: its other rows, MinWiki, DeSSE and BiSECT;
`newsroom` the 60 summaries by journalists beside those that people rated.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from rerank.evaluator.registry import Task
from rewrite.datasets import data_folder
from rewrite.errors import BadInput
from rewrite.evaluate.meta.rated_sets import load_rated
from training.command import command_line, run_to_the_end
from training.evaluating.examples import of_file, rsse
from training.masked.corpora import HeldBack
from training.negatives.sampling import Positive
from training.splitting.pairs import SETS as SPLITS
from training.splitting.pairs import read_set

_DEV = "wikisplit-dev"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Texts in a language; `read` gives the sources of a data folder, each with all its human texts in a row.

    `task` is that of the bundled evaluator that judges them.
    """

    language: str
    read: Callable[[Path], Iterator[Positive]]
    task: Task = "rewrites"


def _wikisplit_dev(data: Path) -> Iterator[Positive]:
    # MinWiki was made of WikiSplit, and articles repeat their sentences with a word changed.
    others = [name for name in SPLITS if name != _DEV]
    learnt = HeldBack(text for name in others for pair in read_set(name, data) for text in pair.texts)
    for pair in read_set(_DEV, data):
        if not any(text in learnt for text in pair.texts):
            yield Positive(pair.complex, " ".join(pair.simple))


def _newsroom(data: Path) -> Iterator[Positive]:
    of_document = {item.document: item.row for item in load_rated("newsroom", data).items}
    yield from (Positive(row.source, text) for row in of_document.values() for text in row.references)


HELD_OUT: Mapping[str, HeldOut] = MappingProxyType(
    {
        "rsse": HeldOut("ru", partial(rsse, held_out=True)),
        _DEV: HeldOut("en", _wikisplit_dev),
        "newsroom": HeldOut("en", _newsroom, "summaries"),
    }
)


def held_out(name: str, data: str | None = None) -> list[Positive]:
    """The texts of a set of `HELD_OUT` in a data folder (`REWRITE_DATA`), or of a JSONL file with `source` and `text`.

    Raises `BadInput` for a name that is neither, and for files that are missing or broken.
    """
    if name in HELD_OUT:
        return list(HELD_OUT[name].read(data_folder(data)))
    if not Path(name).is_file():
        raise BadInput(f"No set and no file {name!r}.", hint=f"Sets: {', '.join(HELD_OUT)}; or a JSONL file.")
    return list(of_file(Path(name)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and write the rows to standard output; returns the exit status."""
    parser = command_line("evaluating.held_out", __doc__, data=True)
    parser.add_argument("set", nargs="?", choices=HELD_OUT, default="rsse", metavar="NAME", help=", ".join(HELD_OUT))
    given = parser.parse_args(arguments)

    def write() -> None:
        pairs = held_out(given.set, given.data)
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(("INPUT:source", "OUTPUT:output"))
        writer.writerows((pair.source, pair.text) for pair in pairs)

    return run_to_the_end("held_out", write)


if __name__ == "__main__":
    sys.exit(main())
