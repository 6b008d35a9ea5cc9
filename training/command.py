"""What the commands of a recipe's steps share: their arguments, and how they end."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from rewrite.errors import RewriteError, exit_code
from training.child import Stopped
from training.recipe import Run, load_recipe

__all__ = ["StepFailed", "add_restart", "make_model", "open_run", "run_to_the_end", "step_parser"]

_NOBODY_READS = 141


class MakesModel(Protocol):
    """A step that returns the folder of the model that it made; with `restart` it begins anew."""

    def __call__(self, run: Run, *, restart: bool = False) -> Path: ...


class StepFailed(RewriteError):
    """A step that ended with another exit `status` than 0, which it has told about itself."""

    def __init__(self, message: str, *, status: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status = status


def step_parser(step: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m training.STEP RECIPE --out FOLDER [--data DIR]`."""
    parser = argparse.ArgumentParser(
        prog=f"python -m training.{step}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("recipe", metavar="RECIPE", help="a YAML file, or the name of a shipped recipe")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the run writes")
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    return parser


def add_restart(parser: argparse.ArgumentParser) -> None:
    """The option of a step that goes on where it was stopped."""
    parser.add_argument("--restart", action="store_true", help="remove what an earlier run has left in FOLDER")


def open_run(arguments: argparse.Namespace) -> Run:
    """The recipe and folders that `step_parser` has read. Raises what `load_recipe` raises."""
    return Run(load_recipe(arguments.recipe), arguments.out, arguments.data)


def run_to_the_end(step: str, work: Callable[[], None], *, stopped: str = "stopped") -> int:
    """Do the work; returns the exit status of `rewrite.errors.EXIT_CODES`, with what went wrong on standard error.

    A step that failed within the work gives its own. `stopped` says after Ctrl-C, or a signal that `Stopped` tells of,
    what has become of the work.
    """
    try:
        work()
        sys.stdout.flush()
    except RewriteError as error:
        print(f"{step}: {error}", file=sys.stderr)
        return error.status if isinstance(error, StepFailed) else exit_code(error)
    except BrokenPipeError:
        # Nobody reads: what Python still holds for standard output goes nowhere, or its flush at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _NOBODY_READS
    except OSError as error:  # of a folder that cannot be written, or a disk that is full
        place = f"{error.filename}: " if error.filename else ""
        print(f"{step}: {place}{error.strerror or error}.", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, Stopped) as stop:
        print(f"{step}: {stopped}", file=sys.stderr)
        return 128 + (stop.number if isinstance(stop, Stopped) else signal.SIGINT)
    return 0


def make_model(step: str, description: str | None, make: MakesModel, arguments: Sequence[str] | None) -> int:
    """The whole command of a step that makes a model and goes on where it was stopped; returns the exit status."""
    parser = step_parser(step, description)
    add_restart(parser)
    given = parser.parse_args(arguments)

    def work() -> None:
        print(f"model: {make(open_run(given), restart=given.restart)}")

    return run_to_the_end(step, work)
