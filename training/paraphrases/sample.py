"""Draw paraphrases of a table at random, for a reader to judge, and sum up what was judged.

    python -m training.paraphrases.sample FOLDER [--count 200] [--seed N] > SAMPLE.tsv
    python -m training.paraphrases.sample --judged SAMPLE.tsv

A row is a phrase, its paraphrase, and for every reading of the sample `yes` or `no`: could a careful reader accept one
for the other in some ordinary sentence, with the meaning kept? Each two phrases are drawn once, whatever the direction.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rerank.paraeval.table import TABLE, ParaphraseTable
from rewrite.errors import BadInput
from training.command import run_to_the_end

__all__ = ["drawn", "main", "summary"]

_HEAD = "phrase\tparaphrase"
_ANSWERS = ("yes", "no")


def drawn(table: ParaphraseTable, count: int, seed: int) -> list[tuple[str, str]]:
    """`count` pairs of the table, all alike likely, in a random order; fewer where it has fewer."""
    pairs = []
    for number in range(len(table)):
        phrase = table.phrase(number)
        pairs += [(" ".join(phrase), " ".join(other)) for other in table.of(phrase) if phrase < other]
    return random.Random(seed).sample(pairs, min(count, len(pairs)))


def summary(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Precision of each reading for all rows, single words and others, and how often the readings agree.

    Raises `BadInput` that names the row with an answer that is none.
    """
    for number, row in enumerate(rows, 2):
        if len(row) < 3 or len(row) != len(rows[0]) or not set(row[2:]) <= set(_ANSWERS):
            raise BadInput(f"Line {number}: after two phrases {' or '.join(_ANSWERS)} is wanted: {' | '.join(row)!r}.")
    single = [row for row in rows if not any(" " in phrase for phrase in row[:2])]
    parts = {"all": rows, "single words": single, "others": [row for row in rows if row not in single]}
    for name, part in parts.items():
        for reading in range(2, len(part[0]) if part else 0):
            good = sum(row[reading] == "yes" for row in part)
            yield f"{name}, reading {reading - 1}: {good} of {len(part)}, {good / len(part):.1%}"
    same = sum(len(set(row[2:])) == 1 for row in rows)
    if rows and len(rows[0]) > 3:
        yield f"the readings agree on {same} of {len(rows)}"


def main(arguments: list[str] | None = None) -> int:
    """Print a sample, or what was judged; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.paraphrases.sample",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("folder", type=Path, nargs="?", help="the folder of a table")
    asked.add_argument("--judged", type=Path, metavar="FILE", help="a sample with answers")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    return run_to_the_end("sample", lambda: print("\n".join(_lines(given))))


def _lines(given: argparse.Namespace) -> Iterator[str]:
    if given.judged:
        yield from summary(_read(given.judged))
    else:
        yield _HEAD
        pairs = drawn(ParaphraseTable.open(given.folder / TABLE), given.count, given.seed)
        yield from ("\t".join(pair) for pair in pairs)


def _read(path: Path) -> list[list[str]]:
    try:
        return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: it cannot be read: {error}.") from None


if __name__ == "__main__":
    sys.exit(main())
