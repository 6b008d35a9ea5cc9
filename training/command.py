"""What the commands of a recipe's steps share: their arguments, how they end, and how one runs another.

A command that another runs is a process of its own, which is told once of what ends the other.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rewrite.errors import RewriteError, exit_code
from training.recipe import Run, load_recipe

__all__ = [
    "StepFailed",
    "Stopped",
    "add_restart",
    "command_line",
    "make_model",
    "open_run",
    "run_child",
    "run_to_the_end",
    "step_parser",
]

_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_NOBODY_READS = 141


class Stopped(BaseException):
    """A signal has ended the work; `number` is the signal's. As `KeyboardInterrupt`, it is no error."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run_child(command: Sequence[str]) -> int:
    """The exit status of a command, below 0 the signal that ended it.

    Ctrl-C, SIGTERM and SIGHUP are passed on to the command and the processes that it has started, once; it is waited
    for, then `Stopped` is raised, whatever its status. A second signal kills it. For the main thread.
    """
    child = _Child()
    # But for those that this process was started deaf to, as by nohup.
    heard = [number for number in _ENDING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, child.end) for number in heard}
    try:
        status = child.run(command)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if child.caught:
        raise Stopped(child.caught[0])
    return status


class _Child:
    def __init__(self) -> None:
        self.caught: list[int] = []
        self._passed_on = 0
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, command: Sequence[str]) -> int:
        # In a session of its own: what a terminal sends to all of a group would reach it a second time.
        self._process = subprocess.Popen(command, start_new_session=True)
        self._pass_on()
        return self._process.wait()

    def end(self, number: int, _: Any) -> None:
        """Handle a signal that ends this process."""
        self.caught.append(number)
        self._pass_on()

    def _pass_on(self) -> None:
        # A signal may come before there is anybody to pass it on to.
        while self._process is not None and self._passed_on < len(self.caught):
            self._passed_on += 1
            if self._process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, self.caught[0] if self._passed_on == 1 else signal.SIGKILL)


class StepFailed(RewriteError):
    """A step that ended with another exit `status` than 0, which it has told about itself."""

    def __init__(self, message: str, *, status: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status = status


def command_line(name: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m training.NAME`, whose help is the module's own text."""
    return argparse.ArgumentParser(
        prog=f"python -m training.{name}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def step_parser(step: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m training.STEP RECIPE --out FOLDER [--data DIR]`."""
    parser = command_line(step, description)
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


def make_model(step: str, description: str | None, make: Callable[..., Path], arguments: Sequence[str] | None) -> int:
    """The whole command of a step that makes a model and goes on where it was stopped; returns the exit status.

    `make` takes the run and `restart`, with which it begins anew, and returns the model's folder.
    """
    parser = step_parser(step, description)
    add_restart(parser)
    given = parser.parse_args(arguments)

    def work() -> None:
        print(f"model: {make(open_run(given), restart=given.restart)}")

    return run_to_the_end(step, work)
