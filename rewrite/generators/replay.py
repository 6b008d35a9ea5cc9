"""Candidates recorded once and played back: the same results again, on any machine, without a model and its seeds."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from rerank.errors import RewriteError
from rerank.types import Candidate
from rewrite.candidates import parse_pool, pool_row
from rewrite.errors import BadInput, CannotWrite
from rewrite.generators.base import Sampling, SourcesFailed

__all__ = ["Recorder", "ReplayGenerator"]


class Recorder:
    """Writes pools to a file, one JSON object a line, for `replay:FILE`.

    Lines are appended whole, so processes may share one recorder. Raises `CannotWrite` at once for a bad path; a file
    that is there is emptied.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666)
        except OSError as error:
            raise self._failed(error) from None

    def write(self, source: str, candidates: Iterable[Candidate]) -> None:
        """Record the candidates of one source, the dropped ones too."""
        line = json.dumps(pool_row(source, candidates), ensure_ascii=False) + "\n"
        try:
            os.write(self._file, line.encode("utf-8"))
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> CannotWrite:
        return CannotWrite(f"Cannot record to {self._path!r}: {error.strerror}.", hint="Give --record another file.")


class ReplayGenerator:
    """Plays a recording back; where a source was recorded more than once, all its candidates.

    Only the places of the lines are kept in memory. A source that was not recorded is an error, not an empty pool.
    """

    name = "replay"

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def describe(self) -> Mapping[str, object]:
        """The file's name."""
        return {"recording": self._path.name}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """The first `sampling.n` of the recorded candidates, in their order; no seed counts here."""
        pools: list[list[Candidate]] = []
        errors: dict[int, RewriteError] = {}
        for index, source in enumerate(sources):
            known = source in self._places
            pools.append(self._recorded(source)[: sampling.n])
            if not known:
                errors[index] = BadInput(
                    f"{self._path}: no candidates were recorded for {source[:60]!r}.", hint="Record this text first."
                )
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
                    if line.strip():
                        places.setdefault(self._pool(line, number)[0], []).append((number, offset))
                    offset += len(line)
        except OSError as error:
            raise BadInput(f"Cannot read the recording {str(self._path)!r}: {error.strerror}.") from None
        return places

    def _recorded(self, source: str) -> list[Candidate]:
        found: list[Candidate] = []
        with self._path.open("rb") as file:
            for number, offset in self._places.get(source, ()):
                file.seek(offset)
                found += self._pool(file.readline(), number)[1]
        return found

    def _pool(self, line: bytes, number: int) -> tuple[str, list[Candidate]]:
        try:
            row = parse_pool(line.decode("utf-8").rstrip("\r\n"), number)
        except UnicodeDecodeError as error:
            raise BadInput(f"{self._path}, line {number}, byte {error.start}: not UTF-8.") from None
        except BadInput as error:
            raise BadInput(f"{self._path}: {error.message}", hint=error.hint) from None
        return row["source"], [Candidate(**candidate) for candidate in row["candidates"]]
