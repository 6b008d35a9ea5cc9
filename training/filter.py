"""Make a set of pairs to train on from noisy ones: those that pass the rules of a recipe's section `filter`.

    python -m training.filter RECIPE --out FOLDER [--data DIR]
    python -m training.filter PAIRS.tsv [MORE.csv.gz …] --out FOLDER

RECIPE is a YAML file or the name of a shipped recipe; files of pairs are filtered with the defaults. Writes
pairs.jsonl, filter-report.json and filter-report.md. docs/filter.md tells more.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewrite.errors import BadOption
from training.command import command_line, duration, positive, run_to_the_end, share
from training.filtering.run import REPORT_PAGE, Job, run_filter
from training.filtering.thresholds import FilterOptions
from training.pairs import PairFile
from training.recipe import Run, load_recipe, shipped_recipes

_RECIPES = (".yaml", ".yml")


def make_job(
    inputs: Sequence[str],
    out: Path,
    *,
    data: str | None = None,
    language: str | None = None,
    jobs: int | None = None,
    bad_rows: float | None = None,
) -> Job:
    """The job that the command line asks for: a recipe's, or the defaults on files of pairs.

    Raises `BadOption` for a recipe beside other inputs, with a language of its own or without a section `filter`, and
    what `load_recipe` raises.
    """
    given = {key: value for key, value in (("jobs", jobs), ("bad_rows", bad_rows)) if value is not None}
    recipes = [name for name in inputs if name in shipped_recipes() or Path(name).suffix.lower() in _RECIPES]
    if not recipes:
        options = FilterOptions(pairs=tuple(PairFile(path=path) for path in inputs)).model_copy(update=given)
        name = Path(inputs[0]).name + (f" and {len(inputs) - 1} more" if len(inputs) > 1 else "")
        return Job(options, out, name, language or "ru", locate=lambda text: Path(text).expanduser())
    if len(inputs) > 1 or language is not None:
        also = "--language" if language is not None else repr(next(name for name in inputs if name != recipes[0]))
        raise BadOption(f"The recipe {recipes[0]!r} and {also}.", hint="A recipe stands alone: write it in there.")
    recipe = load_recipe(recipes[0])
    if recipe.filter is None:
        raise BadOption(f"The recipe {recipes[0]!r} has no section filter.", hint="docs/filter.md shows one.")
    options = recipe.filter.model_copy(update=given)
    run = Run(recipe, out, data)
    return Job(options, out, recipe.name, recipe.language, recipe.seed, run.path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is that of `rewrite.errors.exit_code`, 130 for Ctrl-C."""
    given = _parser().parse_args(arguments)
    return run_to_the_end("filter", lambda: _filter(given))


def _filter(given: argparse.Namespace) -> None:
    began = time.monotonic()
    asked = {"data": given.data, "language": given.language, "jobs": given.jobs, "bad_rows": given.bad_rows}
    job = make_job(given.input, given.out, **asked)
    report = run_filter(job, restart=given.restart, say=_say)
    if malformed := _malformed(report):
        print(malformed)
    print(
        f"{report['kept']:,} of {report['pairs']:,} pairs kept ({report['kept_share']:.1%}), "
        f"{duration(time.monotonic() - began)}. {given.out / REPORT_PAGE}"
    )


def _malformed(report: Mapping[str, Any]) -> str:
    """How many rows were left out and the first of them, in a line; empty where there was none."""
    rows, first = report["malformed"]["rows"], report["malformed"]["first"]
    if not rows:
        return ""
    which = f"{rows:,} malformed rows left out, first" if rows > 1 else "1 malformed row left out"
    return f"{which}: {first[0]['file']}, line {first[0]['line']}: {first[0]['reason']}"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


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
