"""A seed that a whole process shares, set by one draw after the other."""

from __future__ import annotations

import threading
from types import TracebackType

__all__ = ["SeedTurn"]


class SeedTurn:
    """The sole right to set the seed: waited for on entry, held until `over` is first called, at the latest to the end.

    `over` is for whoever sees that the seed was read; any thread may call it, and often.
    """

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self._held = False

    def __enter__(self) -> SeedTurn:
        self._lock.acquire()
        self._held = True
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.over()

    def over(self) -> None:
        """Let the next one set its seed."""
        if self._held:
            self._held = False
            self._lock.release()
