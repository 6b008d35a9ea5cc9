"""What commands share: arguments, what must be there before they begin, how they end, how they tell sizes and times."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rewrite.errors import BadInput, RewriteError, exit_code
from training.recipe import Run, load_recipe

_STOPPED, _NOBODY_READS = 130, 141
_HINTS = {
    "finetune.model": "Make it as the head of the recipe says, or name a model's folder, or MAKER/NAME on the hub.",
    "finetune.pairs": "Make them as the head of the recipe says, with the step filter, or name other files.",
}


def require_there(read: Iterable[tuple[str, str, Path]]) -> None:
    """Raise `BadInput` that names all that is `read` (key, what the recipe says there, path) and is not there."""
    missing = {}
    for key, said, path in read:
        if not path.exists():
            missing[f"{key} is {said!r}, and {str(path)!r} is not there"] = _HINTS.get(key, "Check the path.")
    if missing:
        raise BadInput(f"{'; '.join(missing)}.", hint=" ".join(dict.fromkeys(missing.values())))


def command_line(name: str, description: str | None, *, data: bool = False) -> argparse.ArgumentParser:
    """The parser of `python -m training.NAME`, whose help is the module's own text; with `data` it takes `--data`."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(f"python -m training.{name}", description=description, formatter_class=style)
    if data:
        parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    return parser


def positive(text: str) -> int:
    """What a flag of a number from 1 is read by."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def share(text: str) -> float:
    """What a flag of a share is read by."""
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return number


def step_parser(step: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m training.STEP RECIPE --out FOLDER [--data DIR]`."""
    parser = command_line(step, description, data=True)
    parser.add_argument("recipe", metavar="RECIPE", help="a YAML file, or the name of a shipped recipe")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the run writes")
    return parser


def open_run(arguments: argparse.Namespace) -> Run:
    """The recipe and folders that `step_parser` has read. Raises what `load_recipe` raises."""
    return Run(load_recipe(arguments.recipe), arguments.out, arguments.data)


def run_to_the_end(step: str, work: Callable[[], int | None], *, stopped: str = "stopped") -> int:
    """Do the work; returns its status, or one of `rewrite.errors.EXIT_CODES` with what went wrong on standard error.

    `stopped` says after Ctrl-C what has become of the work.
    """
    try:
        status = work()
        sys.stdout.flush()
    except RewriteError as error:
        print(f"{step}: {error}", file=sys.stderr)
        return exit_code(error)
    except BrokenPipeError:
        # Nobody reads: what Python still holds for standard output goes nowhere, or its flush at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _NOBODY_READS
    except OSError as error:  # of a folder that cannot be written, or a disk that is full
        place = f"{error.filename}: " if error.filename else ""
        print(f"{step}: {place}{error.strerror or error}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{step}: {stopped}", file=sys.stderr)
        return _STOPPED
    return status or 0


def make_model(
    step: str, description: str | None, make: Callable[..., Path], arguments: Sequence[str] | None = None
) -> int:
    """The whole command of a step that makes a model and goes on where it was stopped; returns the exit status.

    `make` takes the run and `restart`, with which it begins anew, and returns the model's folder.
    """
    parser = step_parser(step, description)
    parser.add_argument("--restart", action="store_true", help="remove what an earlier run has left in FOLDER")
    given = parser.parse_args(arguments)

    def work() -> None:
        print(f"model: {make(open_run(given), restart=given.restart)}")

    return run_to_the_end(step, work)


def million(parameters: float) -> str:
    """A number of parameters: `13.2 M parameters`."""
    return f"{parameters / 1e6:.1f} M parameters"


def parameters_of(model: Any, *, learning: bool = False) -> int:
    """Numbers in a torch module's weights, shared ones once; with `learning`, of those alone that are trained."""
    return sum(part.numel() for part in model.parameters() if part.requires_grad or not learning)


def duration(seconds: float) -> str:
    """A time in words: `42 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
