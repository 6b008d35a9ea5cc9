"""The folder of a run: what is written so far, and the checkpoint from which a broken run goes on.

The kept pairs grow in `pairs.jsonl.part`. A checkpoint says how many of its bytes count; whatever lies behind them when
a run is taken up again is cut off, so that a kill at any moment leaves no trace. Each other file is written whole and
then renamed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rewrite.errors import BadInput, BadOption
from training.disk import FolderLock, cannot_write, write_text
from training.filtering.batches import Tally

__all__ = ["PAIRS", "STATE", "Checkpoint", "RunFolder"]

PAIRS, PART, STATE = "pairs.jsonl", "pairs.jsonl.part", "filter-state.json"
_LOCK = ".filter-lock"


class Checkpoint(BaseModel):
    """How far a run is: `batches` of the input done, `size` bytes of kept pairs, the counts.

    `running`, then `judged` (all pairs are, the files are not yet in place), then `finished`.
    """

    model_config = ConfigDict(extra="forbid")

    status: Literal["running", "judged", "finished"] = "running"
    batches: int = 0
    size: int = 0
    tally: Tally = Field(default_factory=Tally)


class RunFolder:
    """Opens or makes the folder of a run that is `made_from` certain options and files.

    `checkpoint` is where to go on. Raises `BadOption` where the folder holds a run made from something else, unless
    `restart`; `CannotWrite` where the folder cannot be written, or another run is at work in it.
    """

    def __init__(self, folder: Path, made_from: Mapping[str, Any], *, restart: bool = False) -> None:
        self._folder = folder
        self._made_from = json.loads(json.dumps(made_from))
        self._part: IO[bytes] | None = None
        self._lock = FolderLock(folder, _LOCK)
        try:
            found = None if restart else self._found()
            self.checkpoint = found or Checkpoint()
            if found is None:
                # Before anything of an earlier run is cut off: from here on there is nothing of it to go on with.
                self._write_state(self.checkpoint)
            if self.checkpoint.status == "running":
                self._part = self._opened(self.checkpoint.size)
        except BaseException:
            self.close()
            raise

    @property
    def pairs(self) -> Path:
        return self._folder / PAIRS

    def close(self) -> None:
        """Let go of the folder."""
        # What a full disk did not take was told of when it was written.
        with suppress(OSError):
            if self._part is not None:
                self._part.close()
        self._lock.release()

    def append(self, data: bytes) -> None:
        """Add to the kept pairs; they count from the next `save` on."""
        assert self._part is not None
        try:
            self._part.write(data)
        except OSError as error:
            raise cannot_write(self._folder / PART, error) from error

    def save(self, checkpoint: Checkpoint) -> None:
        """From now on a run goes on from here."""
        assert self._part is not None
        try:
            self._part.flush()
            os.fsync(self._part.fileno())
            checkpoint.size = self._part.tell()
        except OSError as error:
            raise cannot_write(self._folder / PART, error) from error
        self._write_state(checkpoint)

    def finish(self, checkpoint: Checkpoint, files: Mapping[str, str], *, keep_pairs: bool = True) -> None:
        """Put the kept pairs and the texts of other `files` in place; may be done again after a kill at any point."""
        self._write(files)
        try:
            if not keep_pairs:
                self._remove(PART, PAIRS)
            elif (part := self._folder / PART).exists():
                os.replace(part, self.pairs)
        except OSError as error:
            raise cannot_write(self.pairs, error) from error
        checkpoint.status = "finished"
        self._write_state(checkpoint)

    def give_up(self, files: Mapping[str, str]) -> None:
        """Put the texts of `files` in place and forget the run: nothing of it is worth going on with."""
        self._write(files)
        try:
            self._remove(PART, PAIRS, STATE)
        except OSError as error:
            raise cannot_write(self._folder, error) from error

    def _write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            write_text(self._folder / name, text)

    def _remove(self, *names: str) -> None:
        for name in names:
            (self._folder / name).unlink(missing_ok=True)

    def _write_state(self, checkpoint: Checkpoint) -> None:
        state = {"made_from": self._made_from, "checkpoint": checkpoint.model_dump()}
        write_text(self._folder / STATE, json.dumps(state, ensure_ascii=False))

    def _found(self) -> Checkpoint | None:
        """The checkpoint of an earlier run made from the same; `None` where there was none."""
        path = self._folder / STATE
        if not path.exists():
            if self.pairs.exists():
                raise BadOption(
                    f"{str(self.pairs)!r} is there and not from a run that can be taken up.",
                    hint="Give another folder, or --restart to replace it.",
                )
            return None
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
            checkpoint = Checkpoint.model_validate(state["checkpoint"])
            before = state["made_from"]
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise BadInput(f"{str(path)!r} is no state of this program.", hint="Begin anew with --restart.") from error
        if changes := _changes(before, self._made_from):
            raise BadOption(
                f"{str(self._folder)!r} holds a run that was started otherwise: {'; '.join(changes[:5])}.",
                hint="Give another folder, or --restart to begin anew.",
            )
        return checkpoint

    def _opened(self, size: int) -> IO[bytes]:
        """The part, cut to what counts of it."""
        path = self._folder / PART
        try:
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
            written = file.seek(0, os.SEEK_END)
            if written < size:
                file.close()
                raise BadInput(
                    f"{str(path)!r} has {written} bytes, the run had written {size}.",
                    hint="Begin anew with --restart.",
                )
            file.truncate(size)
            file.seek(size)
        except OSError as error:
            raise cannot_write(path, error) from error
        return file


def _changes(before: Any, now: Any, place: str = "") -> list[str]:
    """What differs between two nested values, as `key: old, now new`."""
    if isinstance(before, dict) and isinstance(now, dict):
        keys = [*before, *(key for key in now if key not in before)]
        inside = (_changes(before.get(key), now.get(key), f"{place}.{key}" if place else str(key)) for key in keys)
        return [change for changes in inside for change in changes]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True), start=1)
        return [change for i, (old, new) in pairs for change in _changes(old, new, f"{place} {i}")]
    return [] if before == now else [f"{place}: {before!r}, now {now!r}"]
