"""Pack a trained model: CTranslate2, tokenizer, prompt, card and checksums in one folder.

    python -m training.export RECIPE --out FOLDER [--data DIR]

RECIPE is a YAML file or the name of a shipped recipe; its section `export` says what the card tells and how large the
files may be (training.exporting.options). The model is taken from FOLDER/model and written to FOLDER/export/NAME, which
runs at once: rewrite simplify --generator ct2:FOLDER/export/NAME. Two exports of one model are the same, byte by byte.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rewrite.errors import RewriteError, exit_code
from training.exporting.package import export
from training.recipe import Run, load_recipe, recipe_file

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and export; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recipe", metavar="RECIPE", help="a YAML file, or the name of a shipped recipe")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the run writes")
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    options = parser.parse_args(arguments)
    try:
        _export(options)
        sys.stdout.flush()
    except RewriteError as error:
        print(f"export: {error}", file=sys.stderr)
        return exit_code(error)
    except BrokenPipeError:
        # Nobody reads: what Python still holds for standard output goes nowhere, or its flush at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except KeyboardInterrupt:
        print("export: stopped, nothing was written", file=sys.stderr)
        return 130
    return 0


def _export(options: argparse.Namespace) -> None:
    run = Run(load_recipe(options.recipe), options.out, options.data)
    text = recipe_file(options.recipe).read_text(encoding="utf-8")
    done = export(run, text, lambda line: print(f"export: {line}", file=sys.stderr, flush=True))
    found = done.agreement
    print(f"{done.folder}: {done.size / 1e6:.1f} MB")
    print(
        f"{found.same} of {found.sentences} greedy texts as the checkpoint's, "
        f"{found.gap:.4f} nats a token between their log-probabilities"
    )
    print(f"Run it: rewrite simplify --generator ct2:{done.folder}")


if __name__ == "__main__":
    sys.exit(main())
