"""A vocabulary of one's own, for a fresh model (`finetune.new`): a byte-level BPE from files of pairs.

    python -m training.tokenizer PAIRS.jsonl [MORE.tsv …] --out tokenizer.json [--size 10000]

Both sides of every pair count. Files are read as the steps read them (docs/training.md, "Files of pairs"); after the
step filter, RUN/pairs.jsonl is one. Two runs on the same files write the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rewrite.errors import BadInput, BadOption
from training.command import run_to_the_end
from training.disk import write_whole
from training.pairs import BAD_ROWS, PairFile, pairs_in
from training.records import RowCount
from training.ru_small import SPECIAL, train_tokenizer

__all__ = ["main", "make_tokenizer"]

_BYTES = 256
_LEAST = _BYTES + len(SPECIAL)


def make_tokenizer(files: Sequence[Path], out: Path, *, size: int) -> int:
    """Write a tokenizer.json of at most `size` tokens; returns how many it has: fewer where the texts are few.

    Raises `BadOption` for a size without room for the 256 bytes and the special tokens, `BadInput` for files that
    cannot be read or hold no pair, `CannotWrite`.
    """
    if size < _LEAST:
        raise BadOption(f"--size is {size}: give a whole number of {_LEAST} or more.")
    rows = RowCount()
    tokenizer = train_tokenizer(_texts(files, rows), size)
    rows.require(BAD_ROWS)
    if rows.rows == rows.malformed:
        raise BadInput("The files hold no pairs.", hint="Check the paths.")
    with write_whole(out) as draft:
        tokenizer.save(str(draft))
    return int(tokenizer.get_vocab_size())


def _texts(files: Sequence[Path], rows: RowCount) -> Iterator[str]:
    for path in files:
        for pair in pairs_in(path, PairFile(path=str(path)), rows):
            yield from pair


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and make it; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.tokenizer", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pairs", nargs="+", type=Path, metavar="PAIRS", help="files of pairs")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the tokenizer.json to write")
    parser.add_argument("--size", type=int, default=10_000, help="tokens at most; default: 10000")
    given = parser.parse_args(arguments)

    def work() -> None:
        print(f"{given.out}: {make_tokenizer(given.pairs, given.out, size=given.size):,} tokens")

    return run_to_the_end("tokenizer", work)


if __name__ == "__main__":
    sys.exit(main())
