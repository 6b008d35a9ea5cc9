"""The output of a run until it is whole: OUT.part, and OUT.journal, which says how far it is and of what run.

What stands under the final name is whole: the file there is replaced at the end, in one step. OUT.part is plain text
whatever OUT is; a compressed or Parquet file is made from it at the end, in one pass. The journal is written anew every
few seconds, after the rows that it counts are on the disk: a run that goes on cuts the part to that length.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from rewrite.batch import Uninterrupted, write_all
from rewrite.errors import BadInput, BadOption, CannotWrite

VERSION = 1
_EVERY, _SHARE = 0.5, 0.01
"""Seconds between two journals, and the share of the time that writing them may take."""
_SAMPLE, _SAMPLES = 1 << 16, 8
# A folder that has the name of some setting may be the one that the output is in.
_WEIGHTS = (".bin", ".safetensors", ".onnx", ".gguf", ".npz")

State = dict[str, Any]
"""What a run has counted so far, as JSON holds it."""


def identity(path: str | None) -> dict[str, Any] | None:
    """What tells an input from another: its size and a checksum of parts of it; `None` for what is no regular file."""
    if not path or path == "-" or not os.path.isfile(path):
        return None
    size = os.path.getsize(path)
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        for number in range(_SAMPLES):
            stream.seek(max(0, size - _SAMPLE) * number // (_SAMPLES - 1))
            digest.update(stream.read(_SAMPLE))
    return {"size": size, "sha256_of_samples": digest.hexdigest()}


def fingerprints(settings: Mapping[str, object]) -> dict[str, str]:
    """A checksum of each setting, and of the files that it names: a journal must hold no key of a server."""
    return {name: _fingerprint(value) for name, value in settings.items()}


def _fingerprint(value: object) -> str:
    known = [value]
    with contextlib.suppress(OSError, ValueError):
        known.extend(identity(path) for path in _files_of(value))
    return hashlib.sha256(json.dumps(known, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _files_of(value: object) -> Iterator[str]:
    """The files that a setting names, also in a list or behind `replay:`, and the weights in a folder of a model."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _files_of(item)
    elif isinstance(value, str):
        # A `+` joins generators, and a path may hold one.
        named = {text for part in (value, *value.split("+")) for text in (part, part.partition(":")[2])}
        for path in sorted(named):
            if os.path.isfile(path):
                yield path
            elif os.path.isdir(path):
                yield from sorted(entry.path for entry in os.scandir(path) if entry.name.endswith(_WEIGHTS))


class PartFile:
    """Writes whole rows to a file that takes its final name when all are there; a context manager.

    `answered` and `state` are how far an earlier run came. A run without `of`, what tells its input, cannot be gone on
    with. `finish`, where given, makes the output of the part: it is given both paths. Raises `CannotWrite`,
    `BadOption` where what is there is of another run, and `BadInput` where it cannot be read.
    """

    def __init__(
        self,
        path: str,
        *,
        settings: Mapping[str, object],
        of: Mapping[str, object] | None,
        resume: bool | None = None,
        finish: Callable[[Path, Path], None] | None = None,
    ) -> None:
        # A link goes on pointing to the file that is replaced.
        self._path, self._name = Path(os.path.realpath(path)), path
        self._part, self._journal = (self._path.with_name(f"{self._path.name}{s}") for s in (".part", ".journal"))
        self._whole, self._next = (self._path.with_name(f"{self._path.name}{s}") for s in (".whole", ".journal.new"))
        self._finish = finish
        self._run = {"version": VERSION, "settings": fingerprints(settings), "input": of}
        self._resumable = of is not None
        self._size = self.answered = 0
        self.state: State = {}
        self._written, self._cost, self._dirty = 0.0, 0.0, False
        if self._path.is_dir():
            raise CannotWrite(f"Cannot write to {path}: it is a folder.")
        was_there = self._part.exists()
        with self._failing():
            self._descriptor = self._locked()
        try:
            with self._failing():
                self._begin(resume, was_there)
        except BaseException:
            if not was_there:
                self._part.unlink()
            os.close(self._descriptor)
            raise

    def __enter__(self) -> PartFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            if kind is None:
                with self._failing():
                    self._complete()
            else:
                self._leave()
        except BaseException:
            if self._part.exists():
                self._leave()
            raise
        finally:
            os.close(self._descriptor)

    def write(self, rows: bytes, *, answered: int, state: Callable[[], State]) -> None:
        """Write `rows`, with which so many items have been answered, to the last byte."""
        with self._failing(), Uninterrupted():
            try:
                write_all(self._descriptor, rows)
            except OSError:
                os.ftruncate(self._descriptor, self._size)
                raise
            self._size += len(rows)
            self.answered, self.state, self._dirty = answered, state(), True
            # A slow disk is written to less often.
            if self._resumable and time.monotonic() - self._written > max(_EVERY, self._cost / _SHARE):
                self._record()

    def _locked(self) -> int:
        while True:
            descriptor = os.open(self._part, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                raise CannotWrite(
                    f"Another run is writing to {self._path}.", hint="Wait for it, or write to another file."
                ) from None
            except OSError as error:  # a file system without locks
                if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
                    os.close(descriptor)
                    raise
            # The run that held it may have renamed or removed it in the meantime.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.stat(self._part)):
                    return descriptor
            os.close(descriptor)

    def _begin(self, resume: bool | None, was_there: bool) -> None:
        # A journal without its part is what a run left that was killed when all else was done.
        if resume is not False and was_there:
            if self._journal.exists():
                self._go_on(self._read())
            elif self._resumable and os.fstat(self._descriptor).st_size:
                raise BadOption(
                    f"{self._part} is there without {self._journal.name}: what it is of is not known.",
                    hint="Move it away, or start over with --no-resume.",
                )
        os.ftruncate(self._descriptor, self._size)
        os.lseek(self._descriptor, self._size, os.SEEK_SET)
        if self._resumable:
            self._record()
        else:
            self._journal.unlink(missing_ok=True)

    def _read(self) -> dict[str, Any]:
        damaged = BadInput(
            f"{self._journal} is damaged.", hint=f"Start over with --no-resume; rows that are done are in {self._part}."
        )
        try:
            read = json.loads(self._journal.read_bytes())
            version, size, answered = read["version"], read["bytes"], read["answered"]
        except (ValueError, KeyError, TypeError):
            raise damaged from None
        if version != VERSION:
            raise BadInput(
                f"{self._journal} is of version {version!r}, and this program's is {VERSION}.",
                hint="Start over with --no-resume, or go on with the program that wrote it.",
            )
        fits = {"settings": dict, "state": dict}
        if not all(isinstance(read.get(key), kind) for key, kind in fits.items()) or not all(
            isinstance(number, int) and number >= 0 for number in (size, answered)
        ):
            raise damaged
        if size > os.fstat(self._descriptor).st_size:
            raise BadInput(f"{self._part} is shorter than its journal says.", hint="Start over with --no-resume.")
        return dict(read)

    def _go_on(self, journal: dict[str, Any]) -> None:
        over = "Finish it with the command that began it, or start over with --no-resume."
        theirs, ours = journal["settings"], self._run["settings"]
        assert isinstance(ours, dict)
        if others := sorted(name for name in {*theirs, *ours} if theirs.get(name) != ours.get(name)):
            raise BadOption(f"{self._part} is of a run with another {', '.join(others)}.", hint=over)
        if journal.get("input") != self._run["input"]:
            raise BadOption(f"{self._part} is of a run over another input, or it has changed since.", hint=over)
        self.answered, self.state = journal["answered"], journal["state"]
        # Before the first row there is at most the line of names, which every run without rows writes.
        self._size = journal["bytes"] if self.answered else 0

    def _record(self) -> None:
        began = time.monotonic()
        os.fdatasync(self._descriptor)
        progress = {"bytes": self._size, "answered": self.answered, "state": self.state}
        try:
            with open(self._next, "wb") as stream:
                stream.write(json.dumps({**self._run, **progress}, ensure_ascii=False).encode())
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(self._next, self._journal)
        except OSError:
            self._next.unlink(missing_ok=True)
            raise
        self._written, self._dirty = time.monotonic(), False
        self._cost = self._written - began

    def _complete(self) -> None:
        os.fsync(self._descriptor)
        whole = self._part
        if self._finish is not None:
            whole = self._whole
            if self._dirty and self._resumable:
                self._record()
            try:
                self._finish(self._part, whole)
                _sync(whole)
            except BaseException:
                whole.unlink(missing_ok=True)
                raise
        with contextlib.suppress(FileNotFoundError):
            os.chmod(whole, stat.S_IMODE(os.stat(self._path).st_mode))
        with Uninterrupted():
            os.replace(whole, self._path)
            if whole != self._part:
                self._part.unlink()
            # Without its part a journal means nothing, so that it goes last.
            self._journal.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            _sync(self._path.parent)

    def _leave(self) -> None:
        """Nothing of a run that has done nothing; else all that it has done, and a word on it."""
        with contextlib.suppress(OSError):
            if not self._size:
                self._part.unlink()
                self._journal.unlink(missing_ok=True)
                return
            if self._dirty and self._resumable:
                self._record()
        then = "; the same command goes on from there" if self._resumable else ""
        print(f"rewrite: What is done is in {self._part}{then}.", file=sys.stderr)

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise cannot_write(self._name, error) from None


def cannot_write(name: str, error: OSError) -> CannotWrite:
    """What is told of a file that cannot be written."""
    hints = {
        errno.ENOSPC: "Free some space or write elsewhere.",
        errno.EFBIG: "Files may not be larger here (ulimit -f).",
        errno.EACCES: "The folder must be writable: the output is written beside its final name.",
        errno.EROFS: "The folder must be writable: the output is written beside its final name.",
    }
    return CannotWrite(f"Cannot write to {name}: {error.strerror}.", hint=hints.get(error.errno or 0, ""))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
