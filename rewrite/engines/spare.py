"""The next of something that serves only once, made while nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

__all__ = ["Spare"]

_T = TypeVar("_T")


class Spare(Generic[_T]):
    """At most one ready thing, made by `make` for a key; safe to use from several threads."""

    def __init__(self, make: Callable[[int], _T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._ready: tuple[int, Future[_T]] | None = None

    def prepare(self, key: int) -> None:
        """Begin to make one for `key` in the background, unless there is one already."""
        with self._lock:
            if self._ready is None:
                with_thread = ThreadPoolExecutor(1)
                self._ready = key, with_thread.submit(self._make, key)
                with_thread.shutdown(wait=False)

    def take(self, key: int) -> _T:
        """The one that was prepared for `key`, else a new one; raises what `make` raises."""
        with self._lock:
            ready, self._ready = self._ready, None
        if ready is None or ready[0] != key or ready[1].exception() is not None:
            # What failed ahead may go well now, or fails where somebody is there to be told.
            return self._make(key)
        return ready[1].result()

    def drop(self) -> None:
        """Forget what was prepared."""
        with self._lock:
            self._ready = None
