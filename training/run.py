"""All steps of a recipe, one after the other: filter, finetune, weights; those that it has a section for.

    python -m training.run RECIPE --out FOLDER [--data DIR] [--restart]

Before the first step, the files and folders that the recipe names must be there, unless an earlier step makes them.
Each step is the command of its name, in a process of its own, and ends the run if it fails. Ctrl-C ends both. A run
that was stopped goes on with the same command: a step that is done sees that it is, or does its last moments again.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rewrite.errors import BadOption
from rewrite.generators import known_generators
from rewrite.specs import parse_specs
from training.command import open_run, require_there, run_to_the_end, step_parser
from training.finetuning.base import model_path
from training.finetuning.identity import inputs
from training.recipe import Recipe, Run

_WRITES = {"filter": ("pairs.jsonl",), "finetune": ("model", "adapter"), "weights": ()}
STEPS = tuple(_WRITES)
"""In the order in which they are taken: each may read what those before it wrote."""
_PATIENCE = 5.0
"""Seconds that a step has to end by itself after Ctrl-C."""
_RESTARTED = ("filter", "finetune")


def steps_of(recipe: Recipe) -> tuple[str, ...]:
    """The steps that a recipe has sections for. Raises `BadOption` where there is none."""
    steps = tuple(step for step in STEPS if getattr(recipe, step) is not None)
    if not steps:
        raise BadOption(
            f"The recipe {recipe.name!r} has no step in it.", hint=f"Give it a section: {', '.join(STEPS)}."
        )
    return steps


def require_inputs(run: Run) -> None:
    """Raise `BadInput` with all that the steps read and that is neither there nor made by one of them."""
    steps = steps_of(run.recipe)
    made = [Path(os.path.abspath(run.out / name)) for step in steps for name in _WRITES[step]]
    require_there(_read(run), made)


def _read(run: Run) -> Iterator[tuple[str, str, Path]]:
    """Key, what the recipe says there, and the path, of what its steps read; a model of the hub is none."""
    pairs, finetune, weights = run.recipe.filter, run.recipe.finetune, run.recipe.weights
    for file in pairs.pairs if pairs else ():
        yield "filter.pairs", file.path, run.path(file.path)
    if finetune:
        yield from inputs(finetune, run)
    if weights:
        if weights.sources:
            yield "weights.sources", weights.sources, run.path(weights.sources)
        for spec in parse_specs(weights.generator, known_generators()):
            if spec.scheme in ("ct2", "hf") and (path := model_path(spec.target, run)):
                yield "weights.generator", str(spec), path


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the steps; returns the exit status."""
    parser = step_parser("run", __doc__)
    parser.add_argument("--restart", action="store_true", help="begin filter and finetune anew, whatever is there")
    given = parser.parse_args(arguments)
    return run_to_the_end("run", lambda: _run(given), stopped="stopped; the same command goes on")


def _run(given: argparse.Namespace) -> int:
    run = open_run(given)
    require_inputs(run)
    for step in steps_of(run.recipe):
        at = ["--data", given.data] if given.data else []
        anew = ["--restart"] if given.restart and step in _RESTARTED else []
        command = [sys.executable, "-m", f"training.{step}", given.recipe, "--out", str(given.out), *at, *anew]
        print(f"== {' '.join(command[1:])}", flush=True)
        if status := _take(command):
            print(f"run: the step {step} ended with exit status {status}; the same command goes on.", file=sys.stderr)
            return status
    return 0


def _take(command: Sequence[str]) -> int:
    """The exit status of a command, 128 and the number of the signal that ended it."""
    with subprocess.Popen(command) as process:
        before = signal.signal(signal.SIGTERM, lambda *_: _interrupt())
        try:
            status = process.wait()
        except KeyboardInterrupt:
            with suppress(subprocess.TimeoutExpired):
                # A terminal has told both, but a signal may have been sent to this process alone.
                process.wait(_PATIENCE)
                raise
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        finally:
            signal.signal(signal.SIGTERM, before)
            process.kill()
    return status if status >= 0 else 128 - status


def _interrupt() -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
