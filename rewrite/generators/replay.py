"""Candidates recorded once and played back: the same results again, on any machine, without a model and its seeds."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rerank.errors import RewriteError
from rerank.types import Candidate
from rewrite.candidates import GivenPool, parse_pool, pool_row
from rewrite.errors import BadInput, CannotWrite
from rewrite.generators.base import Sampling, SourcesFailed

_GENERATOR = re.compile(rb'"generator": *"([a-z0-9-]+)"')
# A number of draws that no recording has.
EVERYTHING = 1 << 31


class Recorder:
    """Writes pools to a file, one JSON object a line, for `replay:FILE`.

    Lines are appended whole, so processes may share one recorder, from before they are forked. Raises `CannotWrite` at
    once for a bad path; a file that is there is emptied at the first line.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise self._failed(error) from None
        self._emptied: Any = multiprocessing.Value(ctypes.c_bool, not stat.S_ISREG(os.fstat(self._file).st_mode))

    def write(self, source: str, candidates: Iterable[Candidate], error: str = "") -> None:
        """Record the candidates of one source, the dropped ones too; `error` says why there are none, or not all."""
        line = (json.dumps(pool_row(source, candidates, error), ensure_ascii=False) + "\n").encode("utf-8")
        try:
            with self._emptied:
                if not self._emptied.value:
                    os.ftruncate(self._file, 0)
                    self._emptied.value = True
                while line:
                    line = line[os.write(self._file, line) :]
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> CannotWrite:
        return CannotWrite(f"Cannot record to {self._path!r}: {error.strerror}.", hint="Give --record another file.")


class ReplayGenerator:
    """Plays a recording back; where a source was recorded more than once, all its candidates.

    Only the places of the lines are kept in memory. A source that was not recorded is an error, not an empty pool; one
    for which the draw failed fails again, unless it was recorded once more and all went well.
    """

    name = "replay"

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def describe(self) -> Mapping[str, object]:
        """The file's name."""
        return {"recording": self._path.name}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """What the first `sampling.n` draws of each generator in the recording gave, in order; no seed counts here.

        Where a candidate does not tell its draw, its place among those of its generator is taken for it.
        """
        pools: list[list[Candidate]] = []
        errors: dict[int, RewriteError] = {}
        for index, source in enumerate(sources):
            candidates, error = self._recorded(source)
            pools.append(_drawn(candidates, sampling.n))
            if source not in self._places:
                errors[index] = BadInput(
                    f"{self._path}: no candidates were recorded for {source[:60]!r}.", hint="Record this text first."
                )
            elif error:
                errors[index] = RewriteError(f"As recorded: {error}")
        if errors:
            raise SourcesFailed(errors, pools)
        return pools

    @cached_property
    def _places(self) -> dict[str, list[tuple[int, int]]]:
        """Source → line number and offset of each of its lines."""
        places: dict[str, list[tuple[int, int]]] = {}
        offset = 0
        try:
            with self._path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    # A line that was cut off, by a full disk or a kill, was never recorded whole.
                    if line.strip() and (line.endswith(b"\n") or self._is_whole(line)):
                        places.setdefault(self._pool(line, number).source, []).append((number, offset))
                    offset += len(line)
        except OSError as error:
            raise BadInput(f"Cannot read the recording {str(self._path)!r}: {error.strerror}.") from None
        return places

    @staticmethod
    def _is_whole(line: bytes) -> bool:
        return not line.lstrip().startswith(b"{") or line.rstrip().endswith(b"}")

    def _recorded(self, source: str) -> tuple[list[Candidate], str]:
        candidates: list[Candidate] = []
        error, places = "", self._places.get(source, ())
        with self._path.open("rb") as file:
            for number, offset in places:
                file.seek(offset)
                pool = self._pool(file.readline(), number)
                candidates += pool.candidates
                error = pool.error or ""
        return candidates, error

    def _pool(self, line: bytes, number: int) -> GivenPool:
        try:
            return parse_pool(line.decode("utf-8").rstrip("\r\n"), number)
        except UnicodeDecodeError as error:
            raise BadInput(f"{self._path}, line {number}, byte {error.start}: not UTF-8.") from None
        except BadInput as error:
            raise BadInput(f"{self._path}: {error.message}", hint=error.hint) from None


def recorded_generators(path: str) -> frozenset[str]:
    """Names of the generators that made the candidates of a recording; none if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return frozenset(name.decode() for line in file for name in _GENERATOR.findall(line))
    except OSError:
        return frozenset()  # whoever plays it says so


def _drawn(candidates: Iterable[Candidate], n: int) -> list[Candidate]:
    seen: Counter[str] = Counter()
    drawn = []
    for candidate in candidates:
        number = seen[candidate.generator] if candidate.first is None else candidate.first
        seen[candidate.generator] += 1
        if number < n:
            drawn.append(candidate)
    return drawn
