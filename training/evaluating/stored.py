"""Examples and their rows of tokens in files, read as batches ask for them; memory holds where each one begins."""

from __future__ import annotations

import json
import mmap
from abc import abstractmethod
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar, overload

import numpy as np

from rerank.evaluator.pairs import PairRow
from rerank.masked.base import LogProbs
from rewrite.errors import BadInput
from training.evaluating.examples import Taught

__all__ = ["StoredExamples", "StoredLikelihoods", "StoredRows"]

_Item = TypeVar("_Item")


class _Stored(Sequence[_Item]):
    """Things one behind the other in a file; `_starts` is where each begins, and where the last ends."""

    def __init__(self) -> None:
        self._starts = array("q", [0])

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, number: int) -> _Item: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[_Item]: ...
    def __getitem__(self, number: int | slice) -> _Item | Sequence[_Item]:
        if isinstance(number, slice):
            return [self[n] for n in range(len(self))[number]]
        n = range(len(self))[number]
        return self._between(self._starts[n], self._starts[n + 1])

    @abstractmethod
    def _between(self, start: int, end: int) -> _Item: ...


class StoredExamples(_Stored[Taught]):
    """The examples in a file of `training.encoders.examples.write_counted`. Raises `BadInput` where it has none."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        with path.open("rb") as file:
            for line in file:
                self._starts.append(self._starts[-1] + len(line))
            if not len(self):
                raise BadInput(f"There are no examples for {path.stem}.", hint="Give more good texts, or a larger dev.")
            self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def _between(self, start: int, end: int) -> Taught:
        return Taught(**json.loads(self._text[start:end]))


class StoredRows(_Stored[PairRow]):
    """Rows of tokens, written to `path` as they come; there must be one at least."""

    def __init__(self, rows: Iterable[PairRow], path: Path) -> None:
        super().__init__()
        with path.open("wb") as file:
            for row in rows:
                file.write(np.array([row.tokens, row.kinds], dtype=np.int32).tobytes())
                self._starts.append(self._starts[-1] + len(row.tokens))
        self._numbers = np.memmap(path, dtype=np.int32, mode="r")

    def _between(self, start: int, end: int) -> PairRow:
        tokens, kinds = self._numbers[2 * start : 2 * end].reshape(2, -1).tolist()
        return PairRow(tuple(tokens), tuple(kinds))


class StoredLikelihoods(_Stored[LogProbs]):
    """A row of numbers for each row of tokens, written to `path` as they come; there must be one at least."""

    def __init__(self, found: Iterable[LogProbs], path: Path) -> None:
        super().__init__()
        with path.open("wb") as file:
            for row in found:
                file.write(row.astype(np.float32).tobytes())
                self._starts.append(self._starts[-1] + len(row))
        self._numbers = np.memmap(path, dtype=np.float32, mode="r")

    def _between(self, start: int, end: int) -> LogProbs:
        return np.array(self._numbers[start:end])
