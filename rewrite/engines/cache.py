"""The user's cache folder, and how a folder gets into it: whole or not at all, also if two processes try at once."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from rewrite.errors import CannotWrite

__all__ = ["build_once", "cache_root", "fingerprint"]


def cache_root() -> Path:
    """Where converted models are kept: `$REWRITE_CACHE`, else `rewrite-rerank` in `$XDG_CACHE_HOME` or `~/.cache`."""
    if own := os.environ.get("REWRITE_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rewrite-rerank"


def fingerprint(folder: Path, facts: Iterable[object]) -> str:
    """Twenty hexadecimal digits that change with a file of `folder` (name, size, time of change) or one of `facts`."""
    digest = hashlib.sha256(str(folder.resolve()).encode())
    for path in sorted(folder.iterdir()):
        if path.is_file():
            status = path.stat()
            digest.update(f"\n{path.name} {status.st_size} {status.st_mtime_ns}".encode())
    for fact in facts:
        digest.update(f"\n{fact}".encode())
    return digest.hexdigest()[:20]


def build_once(target: Path, build: Callable[[Path], None]) -> Path:
    """`target`, made by `build(folder)` if it is not there yet.

    The folder is built under another name and then moved, so a `target` that exists is whole: what breaks off or is
    killed leaves none, and of two processes that build it at once the later one takes the earlier one's.
    """
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise CannotWrite(
            f"Cannot write to the cache {str(target.parent)!r}: {error.strerror}.",
            hint="Set REWRITE_CACHE to a folder that you may write to.",
        ) from None
    try:
        build(scratch)
        try:
            scratch.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target
