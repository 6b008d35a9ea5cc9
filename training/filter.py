"""Make a set of pairs to train on from noisy ones: those that pass the rules of a recipe's section `filter`.

    python -m training.filter RECIPE --out FOLDER [--data DIR]
    python -m training.filter PAIRS.tsv [MORE.csv.gz …] --out FOLDER

RECIPE is a YAML file or the name of a shipped recipe; files of pairs are filtered with the defaults. Writes
pairs.jsonl, dropped.jsonl, filter-report.json and filter-report.md. docs/filter.md tells more.
"""

from __future__ import annotations

import os

# Before numpy is imported: the taggers' matrices are small, and the processes share the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rewrite.errors import BadOption
from training.command import command_line, duration, positive, run_to_the_end, share
from training.filtering.run import REPORT_PAGE, run_filter
from training.filtering.thresholds import FilterOptions
from training.pairs import PairFile
from training.recipe import Recipe, Run, load_recipe, shipped_recipes


def open_filter(inputs: Sequence[str], out: Path, data: str | None = None, language: str | None = None) -> Run:
    """The run that the command line asks for: a recipe's, or the defaults on files of pairs.

    Raises `BadOption` for a recipe beside other inputs or with a language of its own, and what `load_recipe` raises.
    """
    recipes = [name for name in inputs if name in shipped_recipes() or Path(name).suffix.lower() in {".yaml", ".yml"}]
    if not recipes:
        options = FilterOptions(pairs=tuple(PairFile(path=path) for path in inputs))
        return Run(Recipe(name="pairs", language="en" if language == "en" else "ru", filter=options), out, data)
    if len(inputs) > 1 or language is not None:
        also = "--language" if language is not None else repr(next(name for name in inputs if name != recipes[0]))
        raise BadOption(f"The recipe {recipes[0]!r} and {also}.", hint="A recipe stands alone: write it in there.")
    return Run(load_recipe(recipes[0]), out, data)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is that of `rewrite.errors.exit_code`, 130 for Ctrl-C."""
    given = _parser().parse_args(arguments)
    return run_to_the_end("filter", lambda: _filter(given))


def _filter(given: argparse.Namespace) -> None:
    began = time.monotonic()
    run = open_filter(given.input, given.out, given.data, given.language)
    if run.recipe.filter is None:
        raise BadOption(f"The recipe {given.input[0]!r} has no section filter.", hint="docs/filter.md shows one.")
    asked = {"jobs": given.jobs, "bad_rows": given.bad_rows}
    options = run.recipe.filter.model_copy(update={key: value for key, value in asked.items() if value is not None})
    report = run_filter(run, options, restart=given.restart)
    print(
        f"{report['kept']:,} of {report['pairs']:,} pairs kept ({report['kept'] / report['pairs']:.1%}), "
        f"{duration(time.monotonic() - began)}. {given.out / REPORT_PAGE}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = command_line("filter", __doc__)
    parser.add_argument("input", nargs="+", metavar="RECIPE or FILE", help="a recipe, or files of pairs")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--data", help="data folder that {data} in a recipe stands for; default: REWRITE_DATA")
    parser.add_argument("--language", choices=("ru", "en"), help="of files of pairs; a recipe names its own")
    parser.add_argument("--jobs", type=positive, help="processes; all cores by default")
    parser.add_argument("--bad-rows", type=share, metavar="SHARE", help="of malformed rows that is taken; else 0.05")
    parser.add_argument("--restart", action="store_true", help="begin anew, whatever the folder holds")
    return parser


if __name__ == "__main__":
    sys.exit(main())
