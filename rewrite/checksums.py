"""SHA256SUMS: what tells whether a model's files are the ones that were written, in the form `sha256sum -c` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from rerank.checkpoint import digest_of
from rewrite.errors import BadModel

SUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
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


def verify_sums(folder: Path, *, part: bool = False, hint: str = _HINT) -> int:
    """Compare the files of `folder` with its `SHA256SUMS`; returns how many there were.

    Raises `BadModel` that names all files that are missing (with `part` they are passed over: of a hub's repository
    only some are fetched), or the first that differs, or the line that is no sum; `hint` says what to do then.
    """
    try:
        return _compare(folder, part)
    except BadModel as error:
        raise BadModel(error.message, hint=hint) from error.__cause__


def _compare(folder: Path, part: bool) -> int:
    sums = _read(folder)
    missing = [name for name in sums if not (folder / name).is_file()]
    if missing and not part:
        files = f"{folder / missing[0]}: the file is" if len(missing) == 1 else f"{folder}: {', '.join(missing)} are"
        raise BadModel(f"{files} missing, but {SUMS} names {'it' if len(missing) == 1 else 'them'}.")
    present = {name: expected for name, expected in sums.items() if name not in missing}
    for name, expected in present.items():
        digest = _sum(folder / name)
        if digest != expected:
            raise BadModel(f"{folder / name}: it differs from {SUMS} ({digest[:12]}…, not {expected[:12]}…).")
    return len(present)


def _read(folder: Path) -> Mapping[str, str]:
    path = folder / SUMS
    try:
        lines = path.read_bytes().decode("utf-8").splitlines()
    except OSError as error:
        raise BadModel(f"{path}: it cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError as error:
        raise BadModel(f"{path}: it is not UTF-8 ({error.reason} at byte {error.start}).") from None
    sums = {}
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        # A name that leads out of the folder is no file of the model.
        if match is None or match[2].startswith("/") or ".." in Path(match[2]).parts:
            raise BadModel(f"{path}, line {number}: {line[:80]!r} is no sum with a file's name.")
        sums[match[2]] = match[1].lower()
    return sums


def _sum(path: Path) -> str:
    try:
        return digest_of([path])
    except OSError as error:
        raise BadModel(f"{path}: it cannot be read: {error.strerror or error}.") from None
