"""How far a run is, on standard error: pairs, pairs a second, time left."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from training.clock import duration

__all__ = ["Progress"]

_ON_TERMINAL, _ELSEWHERE = 0.5, 10.0


class Progress:
    """A line that is written over on a terminal, and one every ten seconds elsewhere.

    `total` is the length of all files in bytes: how many pairs they hold is known at the end only.
    """

    def __init__(self, total: int, *, stream: TextIO | None = None) -> None:
        self._total = total
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._began = self._last = time.monotonic()
        self._start: tuple[int, int] = (0, 0)

    def going_on(self, *, pairs: int, read: int) -> None:
        """The work begins here: a run that was broken off has so much behind it."""
        self._start = (pairs, read)
        self._began = self._last = time.monotonic()

    def update(self, *, pairs: int, kept: int, read: int) -> None:
        """So many pairs judged and kept, so many bytes read, from the beginning of the run."""
        now = time.monotonic()
        if now - self._last >= (_ON_TERMINAL if self._terminal else _ELSEWHERE):
            self._last = now
            self._write(self._line(pairs, kept, read, now - self._began))

    def end(self) -> None:
        """Leave the line of a terminal."""
        if self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _line(self, pairs: int, kept: int, read: int, seconds: float) -> str:
        done = max(read - self._start[1], 1)
        left = seconds * (self._total - read) / done
        rate = (pairs - self._start[0]) / max(seconds, 1e-9)
        share = read / max(self._total, 1)
        return f"{pairs:,} pairs, {kept:,} kept, {share:.0%} of the input, {rate:,.0f} pairs/s, {duration(left)} left"

    def _write(self, line: str) -> None:
        self._stream.write(f"\r\x1b[K{line}" if self._terminal else f"{line}\n")
        self._stream.flush()
