"""Make a table of paraphrases of bilingual lines: phrases of one language that share translations in the other.

    python -m training.paraphrases --lang en --out FOLDER [--data DIR] [--sets SET …]

The folder gets the table, a card and checksums. Lines that are no pair of sentences are left out, counted and named.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from rerank.paraeval.table import TABLE
from rewrite.datasets import data_folder
from rewrite.errors import BadInput
from training.command import command_line, positive, run_to_the_end, share
from training.paraphrases.aligning import align
from training.paraphrases.building import Limits, build, read_sides
from training.paraphrases.reading import Report, read_lines, sets_in
from training.paraphrases.writing import write_table, write_table_card


def main(arguments: list[str] | None = None) -> int:
    """Read the options, make the table; returns the exit status."""
    given = _parser().parse_args(arguments)
    return run_to_the_end("paraphrases", lambda: _make(given))


def _parser() -> argparse.ArgumentParser:
    parser = command_line("paraphrases", __doc__, data=True)
    parser.add_argument("--lang", choices=("en", "ru"), required=True, help="the language of the paraphrases")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument(
        "--sets", nargs="+", metavar="SET", help="files of parallel_enru, without ending; all by default"
    )
    for name, usual in asdict(Limits()).items():
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=positive if isinstance(usual, int) else share,
            default=usual,
            metavar="X",
            help=str(usual),
        )
    return parser


def _make(given: argparse.Namespace) -> None:
    data, report = data_folder(given.data), Report()
    lines = list(read_lines(data, given.sets or sets_in(data), report))
    print("\n".join(report.lines()), file=sys.stderr)
    if not lines:
        raise BadInput("No line of these sets is good.", hint="Give sets of English and Russian with a tab between.")
    sides = read_sides(lines, given.lang)
    limits = Limits(**{name: getattr(given, name) for name in asdict(Limits())})
    probabilities, refused = build(sides, align(sides.bitext), limits)
    for rule, count in refused.most_common():
        print(f"refused, {rule}: {count:,}", file=sys.stderr)
    given.out.mkdir(parents=True, exist_ok=True)
    write_table(given.out / TABLE, probabilities, given.lang)
    several = sum(any(" " in phrase for phrase in pair) for pair in probabilities)
    figures = {
        "lines": len(lines),
        "phrases": len({phrase for phrase, _ in probabilities}),
        "paraphrases": len(probabilities),
        "paraphrases with a phrase of several words": several,
        "bytes": (given.out / TABLE).stat().st_size,
    }
    write_table_card(given.out, given.lang, report, figures, {"aligner": "eflomal", **asdict(limits)})
    print(", ".join(f"{name}: {value:,}" for name, value in figures.items()))


if __name__ == "__main__":
    sys.exit(main())
