"""The user's cache folder, how a folder gets into it (whole or not at all, also if two processes try at once), and how
it gets out of it again: only if no process uses it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from rerank.hub import is_full
from rewrite.errors import CannotWrite

__all__ = [
    "build_anew",
    "build_once",
    "cache_root",
    "fingerprint",
    "hold",
    "is_full",
    "place",
    "remove_leftovers",
    "remove_unused",
    "require_free",
    "write_new_folder",
]

_REMOVED = ".removed"
_IN_USE = "in-use"


def cache_root() -> Path:
    """Where converted models are kept: `$REWRITE_CACHE`, else `rewrite-rerank` in `$XDG_CACHE_HOME` or `~/.cache`."""
    if own := os.environ.get("REWRITE_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rewrite-rerank"


def fingerprint(folder: Path, facts: Iterable[object], matters: Callable[[str], bool] = bool) -> str:
    """Twenty hexadecimal digits that change with a file of `folder` (name, size, time of change) or one of `facts`.

    Only files count whose name `matters`.
    """
    digest = hashlib.sha256(str(folder.resolve()).encode())
    for path in sorted(folder.iterdir()):
        if matters(path.name) and path.is_file():
            status = path.stat()
            digest.update(f"\n{path.name} {status.st_size} {status.st_mtime_ns}".encode())
    for fact in facts:
        digest.update(f"\n{fact}".encode())
    return digest.hexdigest()[:20]


def place(folder: Path) -> str:
    """Eight hexadecimal digits that tell `folder` from others of its name."""
    return hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:8]


def build_once(target: Path, build: Callable[[Path], None]) -> Path:
    """`target`, made by `build(folder)` if it is not there yet.

    The folder is built under another name and then moved, so a `target` that exists is whole: what breaks off or is
    killed leaves none, and of two processes that build it at once the later one takes the earlier one's. What is killed
    leaves its half of a folder, for `remove_leftovers`.
    """
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch, held = _scratch(target)
    except OSError as error:
        raise CannotWrite(
            f"Cannot write to the cache {str(target.parent)!r}: {error.strerror}.",
            hint="Set REWRITE_CACHE to a folder that you may write to.",
        ) from None
    with _removed_after(scratch, held):
        built = scratch / target.name
        built.mkdir()
        build(built)
        try:
            built.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    return target


def build_anew(target: Path, build: Callable[[Path], None]) -> Path:
    """`target`, made by `build(folder)`, in the place of the one that is there, if any.

    Whatever breaks off the work leaves the earlier folder as it was. Raises `OSError` where nothing can be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(target.parent, f"{target.name}-")
    scratch, held = _scratch(target)
    with _removed_after(scratch, held):
        built, earlier = scratch / target.name, scratch / "earlier"
        built.mkdir()
        build(built)
        if target.is_dir():
            target.rename(earlier)
        try:
            built.rename(target)
        except OSError:
            if earlier.is_dir():
                earlier.rename(target)
            raise
    return target


def require_free(folder: Path) -> None:
    """Raise `CannotWrite` unless `folder` is new or empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotWrite(f"{str(folder)!r} is there and is not empty.", hint="Name a new folder.")


def write_new_folder(target: Path, build: Callable[[Path], None]) -> None:
    """`target`, new or empty, filled by `build(folder)`: all of it, or left as it was. Raises `CannotWrite`."""
    require_free(target)
    try:
        build_anew(target.absolute(), build)
    except CannotWrite as error:
        raise _full(target) from error
    except OSError as error:
        if is_full(error):
            raise _full(target) from error
        reason = error.strerror or error
        raise CannotWrite(f"Cannot write {str(target)!r}: {reason}.", hint="Name another folder.") from error


def _full(target: Path) -> CannotWrite:
    return CannotWrite(f"No space left to write {str(target)!r}.", hint="Free some space, or name a folder elsewhere.")


@contextlib.contextmanager
def _removed_after(scratch: Path, held: IO[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        held.close()
        shutil.rmtree(scratch, ignore_errors=True)


def _scratch(target: Path) -> tuple[Path, IO[bytes]]:
    """A new folder to build `target` in, and what keeps it from `remove_leftovers` while it is open."""
    while True:
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        (scratch / _IN_USE).touch()
        held = hold(scratch / _IN_USE)
        if held is not None:
            return scratch, held


def remove_leftovers(parent: Path, stem: str) -> None:
    """Remove what killed processes left in `parent` of folders whose names begin with `stem`."""
    with contextlib.suppress(FileNotFoundError):
        remove_unused([path for path in parent.iterdir() if path.name.startswith(f".{stem}")], _IN_USE)


def hold(path: Path) -> IO[bytes] | None:
    """Keep the folder of the file `path` from `remove_unused` in any process, as long as what is returned lives.

    `None` if it has been removed already. Where files cannot be locked (Windows, some network disks) nothing is held,
    and nothing is removed either.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    _lock(file, shared=True)
    try:
        same = os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        same = False
    if same:
        return file
    file.close()
    return None


def remove_unused(folders: Iterable[Path], held_by: str) -> None:
    """Remove those of `folders` that nobody holds by their file `held_by`; the others stay, without a word."""
    for folder in folders:
        if folder.name.endswith(_REMOVED):
            shutil.rmtree(folder, ignore_errors=True)
            continue
        # What is in the way of it (no permission, gone meanwhile) is in the way of nothing else.
        with contextlib.suppress(OSError), (folder / held_by).open("rb") as file:
            if _lock(file, shared=False):
                # Moved first, so that nobody finds half of it.
                moved = folder.rename(folder.with_name(f"{folder.name}{_REMOVED}"))
                shutil.rmtree(moved, ignore_errors=True)


def _lock(file: IO[bytes], *, shared: bool) -> bool:
    """Lock an open file for many, waiting for it, or for one alone, if that is possible now; whether it is locked."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
