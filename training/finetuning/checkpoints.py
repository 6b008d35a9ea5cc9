"""Checkpoints that are whole: transformers writes them in place, so each gets a mark when all of it is on the disk."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

__all__ = ["find_checkpoints", "mark_whole", "remove_all_but", "remove_halves", "step_of"]

_MARK = "whole"
_NAME = re.compile(r"checkpoint-(\d+)")


def step_of(folder: Path) -> int | None:
    """The step of the checkpoint in a folder of this name; `None` for another folder."""
    match = _NAME.fullmatch(folder.name)
    return int(match[1]) if match else None


def find_checkpoints(folder: Path) -> list[Path]:
    """The whole checkpoints in `folder`, by step."""
    whole = [(step, path) for path in _all(folder) if (step := step_of(path)) is not None and (path / _MARK).is_file()]
    return [path for _, path in sorted(whole)]


def mark_whole(checkpoint: Path) -> None:
    """See that all of a checkpoint is on the disk, then mark it as whole."""
    for path in sorted(checkpoint.iterdir()):
        _sync(path)
    _sync(checkpoint)
    (checkpoint / _MARK).touch()
    _sync(checkpoint)


def remove_halves(folder: Path) -> None:
    """Remove what was begun and not finished."""
    for path in _all(folder):
        if step_of(path) is not None and not (path / _MARK).is_file():
            shutil.rmtree(path, ignore_errors=True)


def remove_all_but(folder: Path, newest: int, kept: Iterable[int] = ()) -> None:
    """Remove checkpoints other than the `newest` of them and those of the steps `kept`."""
    for path in find_checkpoints(folder)[:-newest]:
        if step_of(path) not in set(kept):
            # Without its mark first: a removal that is broken off must not leave something that looks whole.
            (path / _MARK).unlink()
            shutil.rmtree(path, ignore_errors=True)


def _all(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _sync(path: Path) -> None:
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:  # a folder, on Windows
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
