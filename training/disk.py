"""Writing so that a killed run or a full disk leaves no half of a file and says which it was; one run to a folder."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from rerank.checkpoint import digest_of, first_line
from rerank.hub import is_full
from rewrite.engines.cache import build_anew
from rewrite.errors import BadInput, BadOption, CannotWrite, RewriteError

_AGAIN = "Free some space, then run the same command again."
_ELSE = "Check --out."
# Bytes; where so few are left, a disk is full whatever a library says of it.
_ROOM = 1 << 16
DIGITS = 16
"""Of a digest, in hexadecimal, where it tells runs apart."""
_RUN = "run.json"
_VERSION = "2"
"""Of what runs keep to go on from."""
_SHOWN = 3
# Begin the keys of what is told as changed or not, without its digest.
_DIGESTED = ("file ", "prompt ")


def cannot_write(path: Path, error: Exception) -> CannotWrite:
    """`error` as one that names `path`, tells why it could not be written, in the system's words, and what to do."""
    full = _is_full(path, error)
    of_system = isinstance(error, OSError) and error.strerror
    reason = of_system or (os.strerror(errno.ENOSPC) if full else first_line(error))
    return CannotWrite(f"Cannot write {str(path)!r}: {reason}.", hint=_AGAIN if full else _ELSE)


def _is_full(path: Path, error: Exception) -> bool:
    # A file that may not grow is as good as a full disk: there is one remedy. Numpy gives no number for it.
    if is_full(error) or (isinstance(error, OSError) and error.errno == errno.EFBIG) or "requested and" in str(error):
        return True
    # Some libraries say of a full disk only that a number is not what they expected.
    with suppress(OSError):
        there = next(place for place in (path, *path.absolute().parents) if place.exists())
        return not isinstance(error, OSError) and shutil.disk_usage(there).free < _ROOM
    return False


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal. Raises `BadInput` where it cannot be read."""
    try:
        return digest_of([path])
    except OSError as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error.strerror or error}.", hint="Check the path.") from error


@contextmanager
def explained(path: Path, *, libraries: bool = False) -> Iterator[None]:
    """An `OSError` from within is raised as a `CannotWrite` about `path`; with `libraries`, any error but our own.

    Libraries that write, such as safetensors, have errors of their own for a full disk.
    """
    try:
        yield
    except RewriteError:
        raise
    except Exception as error:
        if libraries or isinstance(error, OSError):
            raise cannot_write(path, error) from error
        raise


def require_writable(folder: Path) -> None:
    """Make `folder` and see that files can be written there, before any work is done. Raises `CannotWrite`."""
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """A path to write to that takes the place of `path` at the end: a killed run or a full disk leaves no half file.

    Folders above it are made. Raises `CannotWrite`.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            yield draft
            with open(draft, "rb") as file:
                os.fsync(file.fileno())
            os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """A file with this text in UTF-8, or as it was before. Raises `CannotWrite`."""
    with write_whole(path) as draft:
        draft.write_bytes(text.encode("utf-8"))


def write_json_lines(path: Path, rows: Iterable[object]) -> None:
    """A file of JSON lines, or as it was before. Raises `CannotWrite`."""
    write_text(path, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def write_json(path: Path, data: Any) -> None:
    """A file with `data` as indented JSON, or as it was before. Raises `CannotWrite`."""
    write_text(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def write_folder(folder: Path, write: Callable[[Path], object]) -> None:
    """Have `write` fill a folder, and put it in the place of `folder` when it is whole. Raises `CannotWrite`."""

    def fill(draft: Path) -> None:
        try:
            write(draft)
        except CannotWrite as error:
            # Nobody knows the draft by its name.
            raise CannotWrite(error.message.replace(str(draft), str(folder)), hint=error.hint) from error

    with explained(folder):
        build_anew(folder, fill)


def make_once(folder: Path, write: Callable[[Path], object]) -> Path:
    """`folder`, which `write` fills where it is not there yet. Raises `CannotWrite`."""
    if not folder.is_dir():
        write_folder(folder, write)
    return folder


def options_told(section: str, options: BaseModel, *, free: Set[str]) -> dict[str, str]:
    """What a section says, by key, as text; the keys `free` change nothing that comes out of the run."""
    values: dict[str, Any] = options.model_dump(mode="json", exclude=set(free))
    return {f"{section}.{key}": json.dumps(value, ensure_ascii=False) for key, value in values.items()}


def differences(there: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What differs, in words."""
    changes = []
    for key in dict.fromkeys([*there, *now]):
        if there.get(key) == now.get(key):
            continue
        if key.startswith(_DIGESTED):
            changes.append(f"{key} {'is gone' if key not in now else 'is new' if key not in there else 'has changed'}")
        else:
            changes.append(f"{key} is {now.get(key, 'missing')}, was {there.get(key, 'missing')}")
    return changes


def require_same(folder: Path, there: Mapping[str, str], made_of: Mapping[str, str]) -> None:
    """Raises `BadOption` where the run in `folder` is made of something else."""
    if changes := differences(there, made_of):
        more = f" and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
        raise BadOption(
            f"{folder} holds a run of another kind: {'; '.join(changes[:_SHOWN])}{more}.",
            hint="Give another --out, or --restart to remove what is there.",
        )


def claim(folder: Path, made_of: Mapping[str, str], *, restart: bool) -> None:
    """Take `folder` for this run; with `restart` an earlier one is removed.

    Raises `BadOption` where it is of another one, `BadInput` where that cannot be told, `CannotWrite`.
    """
    if restart:
        shutil.rmtree(folder, ignore_errors=True)
    made_of = {"checkpoints of version": _VERSION, **made_of}
    file = folder / _RUN
    if not file.is_file():
        write_text(file, json.dumps(made_of, ensure_ascii=False, indent=1))
        return
    try:
        there = TypeAdapter(dict[str, str]).validate_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} cannot be read: {first_line(error)}.", hint="Begin anew with --restart.") from error
    require_same(folder, there, made_of)


@contextmanager
def folder_lock(folder: Path, name: str) -> Iterator[None]:
    """Makes `folder` and keeps it for one run, by a file `name` in it, while the block or the process lasts.

    It ends with the process however that ends, and worker processes do not share it. Where files cannot be locked
    (Windows) nothing is kept from anybody. Raises `CannotWrite` where another process has it, or nothing can be
    written there.
    """
    path = folder / name
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with explained(folder):
            free = _lock(descriptor)
        if not free:
            raise CannotWrite(
                f"Another run is at work in {str(folder)!r}.", hint="Wait for it to end, or give another --out."
            )
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            raise
        return False
    # Else whoever held it has just taken the file away.
    return os.fstat(descriptor).st_nlink > 0
