"""SHA256SUMS: what tells whether a model's files are the ones that were written, in the form `sha256sum -c` reads."""

from __future__ import annotations

from pathlib import Path

from rerank.checkpoint import digest_of
from rewrite.errors import BadModel

SUMS = "SHA256SUMS"


def write_sums(folder: Path) -> Path:
    """Write the sums of all files in `folder` and below, in the order of their names, to its `SHA256SUMS`."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    lines = [f"{digest_of([folder / name])}  {name}\n" for name in names if name != SUMS]
    target = folder / SUMS
    target.write_bytes("".join(lines).encode("utf-8"))
    return target


def verify_sums(folder: Path, *, hint: str = "Pack the model again.") -> int:
    """Compare the files of `folder` with the `SHA256SUMS` that `write_sums` wrote; returns how many there are.

    Raises `BadModel` that names the first file that is missing, cannot be read or differs; `hint` says what to do then.
    """
    path = folder / SUMS
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in lines:
            expected, _, name = line.partition("  ")
            path = folder / name
            if digest_of([path]) != expected:
                raise BadModel(f"{path}: it differs from {SUMS}.", hint=hint)
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"{path}: it cannot be read: {getattr(error, 'strerror', None) or error}.", hint=hint) from None
    return len(lines)
