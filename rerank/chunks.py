"""Runs of sources as units of work, in this process or in forked ones."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from rerank.types import FloatArray
from rerank.workers import ordered_map

__all__ = ["map_spans", "spans"]

_SPAN = struct.Struct("<II")


def spans(sizes: Sequence[int], limit: int, *, first: int = 0) -> Iterator[tuple[int, int]]:
    """Consecutive runs [a, b) of items from `first` on, each of at most `limit` in all, or one larger item alone."""
    start, total = first, 0
    for i in range(first, len(sizes)):
        if i > start and total + sizes[i] > limit:
            yield start, i
            start, total = i, 0
        total += sizes[i]
    if start < len(sizes):
        yield start, len(sizes)


def map_spans(
    work: Callable[[int, int], FloatArray],
    sizes: Sequence[int],
    *,
    limit: int,
    processes: int = 1,
    per_process: int = 6,
) -> Iterator[tuple[int, int, FloatArray]]:
    """(a, b, work(a, b)) for runs of items that together hold `limit` at most; results are arrays of one dimension.

    With `processes` > 1 runs are cut so that each process gets about `per_process` of them.
    """
    if processes <= 1 or len(sizes) < 2:
        for a, b in spans(sizes, limit):
            yield a, b, work(a, b)
        return
    # The first item is done here, so that whatever is loaded lazily is loaded once, before the fork.
    yield 0, 1, work(0, 1)
    limit = min(limit, 1 + sum(sizes) // (processes * per_process))
    runs = list(spans(sizes, limit, first=1))
    answers = ordered_map(
        lambda data: work(*_SPAN.unpack(data)).tobytes(), (_SPAN.pack(*run) for run in runs), processes
    )
    for (a, b), answer in zip(runs, answers, strict=True):
        yield a, b, np.frombuffer(answer, dtype=np.float64)
