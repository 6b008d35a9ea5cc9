"""How far a probe is, on standard error."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from training.sizes import duration

__all__ = ["Progress"]

_EVERY = 5.0


class Progress:
    """A line at most every five seconds: what is measured, how much of `total` is done, and the time left."""

    def __init__(self, what: str, total: int, *, stream: TextIO | None = None) -> None:
        self._what = what
        self._total = total
        self._stream = stream or sys.stderr
        self._began = self._last = time.monotonic()

    def update(self, done: int) -> None:
        """So much is done since the beginning."""
        now = time.monotonic()
        if now - self._last < _EVERY or not done:
            return
        self._last = now
        left = (now - self._began) * (self._total - done) / done
        self._stream.write(f"{self._what}: {done:,} of {self._total:,}, {duration(left)} left\n")
        self._stream.flush()
