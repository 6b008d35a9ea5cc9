"""SHA256SUMS: what tells whether a model's files are the ones that were written, in the form `sha256sum -c` reads."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from rewrite.errors import BadModel

__all__ = ["SUMS", "has_sums", "verify_sums", "write_sums"]

SUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
_AT_ONCE = 1 << 20
_HINT = "Fetch or export the model again."


def has_sums(folder: Path) -> bool:
    """Whether `folder` says what its files should be."""
    return (folder / SUMS).is_file()


def write_sums(folder: Path) -> Path:
    """Write the sums of all files in `folder` and below, in the order of their names, to its `SHA256SUMS`."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    lines = [f"{_sum(folder / name)}  {name}\n" for name in names if name != SUMS]
    target = folder / SUMS
    target.write_bytes("".join(lines).encode("utf-8"))
    return target


def verify_sums(folder: Path, *, part: bool = False) -> int:
    """Compare the files of `folder` with its `SHA256SUMS`; returns how many there were.

    Raises `BadModel` that names the first file that differs or is missing (with `part`, a missing one is passed over:
    of a hub's repository only some files are fetched), or the line that is no sum.
    """
    checked = 0
    for name, expected in _read(folder).items():
        path = folder / name
        if not path.is_file():
            if part:
                continue
            raise BadModel(f"{path}: the file is missing, but {SUMS} names it.", hint=_HINT)
        found = _sum(path)
        if found != expected:
            raise BadModel(f"{path}: it differs from {SUMS} ({found[:12]}…, not {expected[:12]}…).", hint=_HINT)
        checked += 1
    return checked


def _read(folder: Path) -> Mapping[str, str]:
    path = folder / SUMS
    try:
        lines = path.read_bytes().decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"{path}: it cannot be read: {error}.", hint=_HINT) from None
    sums = {}
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        # A name that leads out of the folder is no file of the model.
        if match is None or match[2].startswith("/") or ".." in Path(match[2]).parts:
            raise BadModel(f"{path}, line {number}: {line[:80]!r} is no sum with a file's name.", hint=_HINT)
        sums[match[2]] = match[1].lower()
    return sums


def _sum(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_AT_ONCE):
                digest.update(chunk)
    except OSError as error:
        raise BadModel(f"{path}: it cannot be read: {error.strerror or error}.", hint=_HINT) from None
    return digest.hexdigest()
