"""All steps of a recipe, one after the other: filter, finetune, export, weights; those that it has a section for.

    python -m training.run RECIPE --out FOLDER [--data DIR] [--dry-run] [--restart]

Before the first step all of them are looked at: a name or a path that would stop a later one is told at once.
Each step is the command of its name, in a process of its own, and ends the run if it fails. Ctrl-C (exit status 130)
and SIGTERM (143) end the step that is under way, too; a second one kills it. A run that was stopped goes on with the
same command: a step that is done sees that it is, or does its last moments again.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rewrite.errors import BadOption, RewriteError
from training.command import StepFailed, open_run, run_child, run_to_the_end, step_parser
from training.exporting import package as exporting
from training.filtering import run as filtering
from training.finetuning import plan as finetuning
from training.planning import all_in_one
from training.recipe import Recipe, Run
from training.weighting import plan as weighting

__all__ = ["STEPS", "lines_of", "main", "require_ready", "steps_of"]


# Each has `plan` and `problems` (section, run, what steps before make), and `written` (run).
_STEPS: dict[str, Any] = {"filter": filtering, "finetune": finetuning, "export": exporting, "weights": weighting}
STEPS = tuple(_STEPS)
"""In the order in which they are taken: each may read what those before it wrote."""
_RESTARTED = ("filter", "finetune")


def _made(run: Run, steps: Sequence[str]) -> dict[Path, str]:
    return {Path(os.path.abspath(path)): step for step in steps for path in _STEPS[step].written(run)}


def lines_of(run: Run, steps: Sequence[str], step: str) -> Iterator[str]:
    """What `step` would do after those before it in `steps`; of what it cannot tell it says why."""
    before = steps[: steps.index(step)]
    try:
        yield from filter(None, _STEPS[step].plan(getattr(run.recipe, step), run, _made(run, before)))
    except RewriteError as error:
        yield f"cannot be planned: {error.message}"


def require_ready(run: Run, steps: Sequence[str]) -> None:
    """Raise all that would stop one of `steps`, as far as it can be known before the first: names, paths, columns.

    What the hub or a server has is not asked, and a file that a step before makes need not be there.
    """
    problems: list[RewriteError] = []
    for place, step in enumerate(steps):
        problems += _STEPS[step].problems(getattr(run.recipe, step), run, _made(run, steps[:place]))
    error = all_in_one(problems)
    if error is not None:
        raise error


def steps_of(recipe: Recipe) -> tuple[str, ...]:
    """The steps that a recipe has sections for. Raises `BadOption` where there is none."""
    steps = tuple(step for step in STEPS if getattr(recipe, step) is not None)
    if not steps:
        raise BadOption(
            f"The recipe {recipe.name!r} has no step in it.", hint=f"Give it a section: {', '.join(STEPS)}."
        )
    return steps


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the steps; returns the exit status."""
    parser = step_parser("run", __doc__)
    parser.add_argument("--dry-run", action="store_true", help="tell the plan of each step and what would stop it")
    parser.add_argument("--restart", action="store_true", help="begin filter and finetune anew, whatever is there")
    given = parser.parse_args(arguments)
    return run_to_the_end("run", lambda: _run(given), stopped="stopped; the same command goes on")


def _run(given: argparse.Namespace) -> None:
    run = open_run(given)
    steps = steps_of(run.recipe)
    if given.dry_run:
        _tell(run, steps, given)
    require_ready(run, steps)
    for step in () if given.dry_run else steps:
        command = _command(step, given)
        print(_title(command), flush=True)
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


def _tell(run: Run, steps: Sequence[str], given: argparse.Namespace) -> None:
    """Print the command of each step and what it would do."""
    for step in steps:
        print(_title(_command(step, given)))
        for line in lines_of(run, steps, step):
            print(f"  {line}")
    sys.stdout.flush()


def _title(command: Sequence[str]) -> str:
    return f"== {' '.join(command[1:])}"


def _command(step: str, given: argparse.Namespace) -> list[str]:
    at = ["--data", given.data] if given.data else []
    anew = ["--restart"] if given.restart and step in _RESTARTED else []
    return [sys.executable, "-m", f"training.{step}", given.recipe, "--out", str(given.out), *at, *anew]


if __name__ == "__main__":
    sys.exit(main())
