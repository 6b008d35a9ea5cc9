"""What a step can tell before any work is done: whether what it reads is there, and what would stop it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from rewrite.errors import BadInput, BadOption, ModelNotFound, RewriteError, exit_code
from training.pairs import PairFile, pairs_in, read_rows
from training.recipe import Run
from training.records import Lines, RowCount

__all__ = ["Made", "all_in_one", "caught", "file_problems", "folder_problems", "maker", "state"]

Made = Mapping[Path, str]
"""Files and folders that are not there yet because a step of the same run makes them: the step's name by the path."""
_RUN_FILTER = "Run the step filter first, or name files of pairs in finetune.pairs."


def maker(path: Path, made: Made) -> str:
    """The step that makes `path`, or a folder that it lies in; empty where none does."""
    place = Path(os.path.abspath(path))
    return next((made[one] for one in (place, *place.parents) if one in made), "")


def state(said: str, run: Run, made: Made, *, spec: PairFile | None = None) -> str:
    """In words: made by which step, there (as a file of pairs with its rows), or not there."""
    try:
        path = run.path(said)
        if step := maker(path, made):
            return f"made by the step {step}"
        if not path.exists():
            return "not there"
        return _rows(path, spec) if spec is not None and path.is_file() else "there"
    except BadInput as error:
        return error.message.rstrip(".")


def _rows(path: Path, spec: PairFile) -> str:
    count = RowCount()
    pairs = sum(1 for _ in pairs_in(path, spec, count))
    malformed = f", {count.malformed:,} malformed" if count.malformed else ""
    return f"{count.rows:,} rows with {pairs:,} pairs{malformed}"


def caught(check: Callable[[], object], *, key: str = "") -> Iterator[RewriteError]:
    """What `check` raises of our errors, if anything; with the `key` of the recipe that it is about."""
    try:
        check()
    except RewriteError as error:
        yield type(error)(f"{key}: {error.message}", hint=error.hint) if key else error


def file_problems(
    key: str, said: str, run: Run, made: Made, *, spec: PairFile | None = None, several: bool = False
) -> Iterator[RewriteError]:
    """Why the file that the recipe names at `key` cannot be read; of pairs (`spec`), why its columns cannot be told.

    Of the file only the first row is read, and nothing of a pipe, which gives what it has but once.
    """

    def check() -> None:
        path = run.path(said)
        if maker(path, made):
            return
        if not path.exists():
            raise BadInput(f"{key} is {said!r}, and {str(path)!r} is not there.", hint=_mending(path, run))
        if path.is_file():
            with Lines(path) as lines:
                next(iter(read_rows(lines, spec, several=several)) if spec is not None else iter(lines), None)
        elif spec is not None and path.is_dir():
            raise BadInput(f"{key} is {said!r}, and {str(path)!r} is a folder.", hint="Name a file in it.")

    yield from caught(check)


def _mending(path: Path, run: Run) -> str:
    # What the step filter would have written: the recipe has no such step, or it stands alone and has not been taken.
    if os.path.abspath(path) == os.path.abspath(run.out / "pairs.jsonl"):
        return _RUN_FILTER
    return "Check the path."


def folder_problems(key: str, said: str, run: Run, made: Made, *, hint: str) -> Iterator[RewriteError]:
    """Why the folder of a model that the recipe names at `key` cannot be there when it is needed."""

    def check() -> None:
        path = run.path(said)
        if not path.is_dir() and not maker(path, made):
            raise ModelNotFound(f"{key} is {said!r}, and there is no folder {str(path)!r}.", hint=hint)

    yield from caught(check)


def all_in_one(problems: Iterable[RewriteError]) -> RewriteError | None:
    """Several errors as one that names each on a line of its own; the exit code is 2 where one of them asks for it."""
    by_text = {str(problem): problem for problem in problems}
    if len(by_text) < 2:
        return next(iter(by_text.values()), None)
    kind = BadOption if any(exit_code(problem) == 2 for problem in by_text.values()) else BadInput
    return kind("\n  ".join([f"{len(by_text)} things would stop it:", *by_text]))
