"""Good texts in, examples out: each good text with label 1, and mutations of it with the share that was left alone.

    python -m training.negatives [--kinds KIND …] [--negatives N] [--lang LANG] [--seed N] < GOOD.jsonl > EXAMPLES.jsonl

A row of GOOD.jsonl has a `source` (a document, a complex sentence) and its `text` (a summary, a rewrite); other keys
are left out. A row written has `source`, `text`, `label` in [0, 1] and `kind`, empty for the good text itself. Rows are
read as they are needed, a thousand at a time, so the file may be larger than memory.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from rerank.masked.words import LANGUAGES
from rewrite.errors import BadInput
from training.negatives.sampling import KINDS, PAPER_KINDS, Positive, examples

__all__ = ["main", "read_positives"]

_HELP = f"{', '.join(KINDS)}; without any, those of the paper: up to {PAPER_KINDS[-1]}"


def read_positives(lines: Iterable[str]) -> Iterator[Positive]:
    """The rows of a JSONL file, blank lines left out; raises `BadInput` with the line's number for another one."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
            source, text = row["source"], row["text"]
        except (ValueError, KeyError, TypeError):
            raise BadInput(f"Line {number} is no object with source and text: {line[:60]!r}.") from None
        if not (isinstance(source, str) and isinstance(text, str) and text.strip()):
            raise BadInput(f"Line {number}: source and text must be texts, and text not blank: {line[:60]!r}.")
        yield Positive(source, text)


def main(arguments: list[str] | None = None) -> int:
    """Read standard input and write standard output; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.negatives",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=PAPER_KINDS, metavar="KIND", help=_HELP)
    parser.add_argument("--negatives", type=int, default=5, metavar="N", help="for each good text; 5, as in the paper")
    parser.add_argument("--lang", choices=LANGUAGES, help="of the texts; guessed of each without it")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    if given.negatives < 0:
        parser.error(f"--negatives is {given.negatives}, less than none")
    made = examples(
        read_positives(sys.stdin), given.kinds, negatives=given.negatives, language=given.lang, seed=given.seed
    )
    try:
        for example in made:
            sys.stdout.write(json.dumps(asdict(example), ensure_ascii=False) + "\n")
    except BadInput as error:
        print(f"negatives: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
