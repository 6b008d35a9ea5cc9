"""All steps of a recipe, one after the other: filter, finetune, export, weights; those that it has a section for.

    python -m training.run RECIPE --out FOLDER [--data DIR] [--dry-run]

Each step is the command of its name, in a process of its own, and ends the run if it fails. Ctrl-C (exit status 130)
and SIGTERM (143) end the step that is under way, too. A run that was stopped goes on with the same command: a step that
is done sees that it is, or does its last moments again.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from rewrite.errors import BadOption
from training.child import run_child
from training.command import StepFailed, open_run, run_to_the_end, step_parser
from training.recipe import Recipe

__all__ = ["STEPS", "main", "steps_of"]

STEPS = ("filter", "finetune", "export", "weights")
"""In the order in which they are taken: each may read what those before it wrote."""


def steps_of(recipe: Recipe) -> tuple[str, ...]:
    """The steps that a recipe has sections for. Raises `BadOption` where there is none."""
    found = tuple(step for step in STEPS if getattr(recipe, step) is not None)
    if not found:
        raise BadOption(
            f"The recipe {recipe.name!r} has no step in it.", hint=f"Give it a section: {', '.join(STEPS)}."
        )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the steps; returns the exit status."""
    parser = step_parser("run", __doc__)
    parser.add_argument(
        "--dry-run", action="store_true", help="name the commands, and the plan of finetune; do nothing"
    )
    given = parser.parse_args(arguments)
    return run_to_the_end("run", lambda: _run(given), stopped="stopped; the same command goes on")


def _run(given: argparse.Namespace) -> None:
    for step in steps_of(open_run(given).recipe):
        command = _command(step, given.recipe, given.out, given.data)
        if given.dry_run and step == "finetune":
            command.append("--dry-run")
        print(f"== {' '.join(command[1:])}", flush=True)
        if given.dry_run and step != "finetune":
            continue
        status = run_child(command)
        if status < 0:
            raise StepFailed(
                f"The step {step} was ended by {signal.Signals(-status).name}.",
                status=128 - status,
                hint="The same command goes on; SIGKILL may mean that the memory was full.",
            )
        if status:
            raise StepFailed(
                f"The step {step} ended with exit status {status}.", status=status, hint="What went wrong stands above."
            )


def _command(step: str, recipe: str, out: Path, data: str | None) -> list[str]:
    at = ["--data", data] if data else []
    return [sys.executable, "-m", f"training.{step}", recipe, "--out", str(out), *at]


if __name__ == "__main__":
    sys.exit(main())
