"""The user's cache folder, how a folder gets into it (whole or not at all), and when it gets out of it again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rerank.hub import is_full
from rewrite.errors import CannotWrite, RewriteError

# Seconds out of use after which a folder goes, and after which half of one does: nobody builds for so long.
_WEEK = 7 * 24 * 60 * 60
_DAY = 24 * 60 * 60
_HALF = ".half"
# Within a half, what it replaces.
_EARLIER = "earlier"


def cache_root() -> Path:
    """Where converted models are kept: `$REWRITE_CACHE`, else `rewrite-rerank` in `$XDG_CACHE_HOME` or `~/.cache`."""
    if folder := os.environ.get("REWRITE_CACHE"):
        return Path(folder)
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
    killed leaves none, and of two processes that build it at once the later one takes the earlier one's.
    """
    if target.is_dir():
        return target
    with writing_to(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
        with _built(_scratch(target), target, build) as built:
            try:
                built.rename(target)
            except OSError:
                if not target.is_dir():
                    raise
    return target


@contextlib.contextmanager
def writing_to(folder: Path, otherwise: str = "set REWRITE_CACHE to a folder that you may write to") -> Iterator[None]:
    """Raise `CannotWrite` that names `folder`, with what to do `otherwise`, for what goes wrong with its disk."""
    try:
        yield
    except Exception as error:
        # What was written within another folder of the same work has the system's error behind it.
        cause = error.__cause__ if isinstance(error, CannotWrite) else error
        if cause is None or isinstance(cause, RewriteError):
            raise
        if is_full(cause):
            raise CannotWrite(f"No space left in {str(folder)!r}.", hint=f"Free some space, or {otherwise}.") from cause
        if not isinstance(cause, OSError):
            raise
        hint = f"{otherwise[0].upper()}{otherwise[1:]}."
        raise CannotWrite(f"Cannot write to {str(folder)!r}: {cause.strerror or cause}.", hint=hint) from cause


def build_anew(target: Path, build: Callable[[Path], object]) -> Path:
    """`target`, made by `build(folder)`, in the place of the one that is there, if any.

    Whatever breaks off the work leaves the earlier folder as it was. Raises `OSError` where nothing can be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    _remove_halves(target.parent, lambda name: name.startswith(f".{target.name}-"))
    scratch = _scratch(target)
    with _built(scratch, target, build) as built:
        earlier = scratch / _EARLIER
        if target.is_dir():
            target.rename(earlier)
        try:
            built.rename(target)
        except BaseException:
            if earlier.is_dir():
                earlier.rename(target)
            raise
    return target


def _scratch(target: Path) -> Path:
    return Path(tempfile.mkdtemp(prefix=f".{target.name}-", suffix=_HALF, dir=target.parent))


def _remove_halves(parent: Path, is_meant: Callable[[str], bool] = bool) -> None:
    """Remove what killed processes left half done in `parent`, of names that are meant, a day after it was begun."""
    with contextlib.suppress(OSError):
        for folder in parent.iterdir():
            if folder.name.endswith(_HALF) and is_meant(folder.name) and not _is_only_copy(folder):
                _remove_after(_DAY, folder)


def _is_only_copy(half: Path) -> bool:
    """Whether it holds what it was to replace, and nothing is in the place of that."""
    target = half.with_name(half.name.removeprefix(".").rpartition("-")[0])
    return (half / _EARLIER).is_dir() and not target.exists()


@contextlib.contextmanager
def _built(scratch: Path, target: Path, build: Callable[[Path], object]) -> Iterator[Path]:
    """A finished folder, which goes with `scratch` unless it is moved."""
    try:
        built = scratch / target.name
        built.mkdir()
        build(built)
        yield built
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def require_free(folder: Path) -> None:
    """Raise `CannotWrite` unless `folder` is new or empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotWrite(f"{str(folder)!r} is there and is not empty.", hint="Name a new folder.")


def write_new_folder(target: Path, build: Callable[[Path], None]) -> None:
    """`target`, new or empty, filled by `build(folder)`: all of it, or left as it was. Raises `CannotWrite`."""
    require_free(target)
    with writing_to(target, "name another folder"):
        build_anew(target.absolute(), build)


def mark_used(folder: Path) -> None:
    """Note that `folder` is in use now, for `remove_unused`."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def remove_unused(parent: Path, stem: str, *, keep: str) -> None:
    """Remove the folders of `parent` that are outdated: begin with `stem`, do not end with `keep`, a week out of use.

    With them go halves of any folder, which killed processes leave, a day after they were begun. To be called before
    something is built, for they may be what fills the disk.
    """
    _remove_halves(parent)
    with contextlib.suppress(OSError):
        for folder in parent.iterdir():
            if folder.name.removeprefix(".").startswith(stem) and not folder.name.endswith((keep, _HALF)):
                _remove_after(_WEEK, folder)


def _remove_after(seconds: float, folder: Path) -> None:
    with contextlib.suppress(OSError):
        if time.time() - folder.stat().st_mtime > seconds:
            shutil.rmtree(folder, ignore_errors=True)
