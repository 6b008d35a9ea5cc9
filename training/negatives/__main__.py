"""Good texts in, examples out: each good text with label 1, and mutations of it with the share that was left alone.

    python -m training.negatives [--kinds KIND …] [--negatives N] [--lang LANG] [--seed N] < GOOD.jsonl > EXAMPLES.jsonl

A row of GOOD.jsonl has a `source` (a document, a complex sentence) and its `text` (a summary, a rewrite); other keys
are passed over. A row whose source or text shows nothing is left out, and named on standard error. A row written has
`source`, `text`, `label` in [0, 1] and `kind`, empty for the good text itself. Rows are read as they are needed, a
thousand at a time, so the file may be larger than memory. Standard error tells at the end which kinds changed no text.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from rerank.errors import counted
from rerank.masked.words import LANGUAGES
from rewrite.errors import BadInput
from rewrite.judging.words import is_blank
from training.command import run_to_the_end
from training.negatives.sampling import KINDS, PAPER_KINDS, Outcome, Positive, examples

__all__ = ["main", "read_positives"]

_HELP = f"{', '.join(KINDS)}; without any, those of the paper: up to {PAPER_KINDS[-1]}"
_FORM = 'Write a row a line: {"source": "…", "text": "…"}.'


def read_positives(lines: Iterable[str], *, left_out: Callable[[int, str], None] | None = None) -> Iterator[Positive]:
    """The rows of a JSONL file, blank lines left out; raises `BadInput` with the line's number for another one.

    `left_out` is told the line and the fault of rows whose source or text shows nothing; without it they are faults.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        source, text = _texts(line, number)
        if fault := next((what for what, given in (("source", source), ("text", text)) if is_blank(given)), ""):
            if left_out is None:
                raise BadInput(f"Line {number}: the {fault} shows nothing: {line[:60]!r}.", hint="Leave the row out.")
            left_out(number, fault)
            continue
        yield Positive(source, text)


def _texts(line: str, number: int) -> tuple[str, str]:
    try:
        row: Any = json.loads(line)
        source, text = row["source"], row["text"]
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"Line {number} is no object with source and text: {line[:60]!r}.", hint=_FORM) from None
    if not (isinstance(source, str) and isinstance(text, str)):
        raise BadInput(f"Line {number}: source and text must be texts: {line[:60]!r}.", hint=_FORM)
    return source, text


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
    return run_to_the_end("negatives", lambda: _make(given))


def _make(given: argparse.Namespace) -> None:
    outcome = Outcome()
    good = read_positives(sys.stdin, left_out=_tell_left_out)
    made = examples(good, given.kinds, negatives=given.negatives, language=given.lang, seed=given.seed, outcome=outcome)
    empty = True
    for example in made:
        empty = False
        sys.stdout.write(json.dumps(asdict(example), ensure_ascii=False) + "\n")
    if empty:
        raise BadInput("No good text came on standard input.", hint=_FORM)
    for kind, count in outcome.barren.items():
        print(f"negatives: {kind} made nothing: tried on {counted(count, 'text')}, it changed none", file=sys.stderr)


def _tell_left_out(number: int, what: str) -> None:
    print(f"negatives: line {number} is left out: its {what} shows nothing", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
