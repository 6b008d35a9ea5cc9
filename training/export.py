"""Pack a trained model: CTranslate2, tokenizer, prompt, card and checksums in one folder.

    python -m training.export RECIPE --out FOLDER [--data DIR]

RECIPE is a YAML file or the name of a shipped recipe; its section `export` says what the card tells and how large the
files may be (training.exporting.options). The model is taken from FOLDER/model and written to FOLDER/export/NAME, which
runs at once: rewrite simplify --generator ct2:FOLDER/export/NAME. Two exports of one model are the same, byte by byte.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from training.command import open_run, run_to_the_end, step_parser
from training.exporting.package import export
from training.recipe import recipe_file

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and export; returns the exit status."""
    given = step_parser("export", __doc__).parse_args(arguments)
    return run_to_the_end("export", lambda: _export(given), stopped="stopped, nothing was written")


def _export(given: argparse.Namespace) -> None:
    run = open_run(given)  # it says what is wrong with a recipe that cannot be read
    text = recipe_file(given.recipe).read_text(encoding="utf-8")
    done = export(run, text, lambda line: print(f"export: {line}", file=sys.stderr, flush=True))
    agreement = done.agreement
    print(f"{done.folder}: {done.size / 1e6:.1f} MB")
    print(
        f"{agreement.same} of {agreement.sentences} greedy texts as the checkpoint's, "
        f"{agreement.gap:.4f} nats a token between their log-probabilities"
    )
    print(f"Run it: rewrite simplify --generator ct2:{done.folder}")


if __name__ == "__main__":
    sys.exit(main())
