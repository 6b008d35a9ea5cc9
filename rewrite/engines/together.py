"""Draws that are seeded one after the other and run side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["Together", "draw_together", "shares"]

_T = TypeVar("_T")
# How soon a part that waits for others learns that the work was cancelled, in seconds.
_LOOK = 0.1


class Together:
    """What the parts of one draw know of each other: none may end before all have begun.

    A worker thread that ended early could be given the next part, and would go on with the random numbers of its last.
    """

    def __init__(self, parts: int, cancelled: threading.Event) -> None:
        self._begun = [threading.Event() for _ in range(parts)]
        self._cancelled = cancelled

    def begin(self, part: int) -> None:
        """Say that `part` has drawn its first token, or failed. May be said often."""
        if not self._begun[part].is_set():
            self._begun[part].set()

    def wait(self, part: int) -> None:
        """Until `part` has begun."""
        self._begun[part].wait()

    def hold(self) -> None:
        """Until all parts have begun, or the work is cancelled."""
        for event in self._begun:
            while not event.wait(_LOOK) and not self._cancelled.is_set():
                pass


def shares(n: int, parts: int) -> list[int]:
    """`n` in at most `parts` shares that differ by one at most, none of them empty."""
    parts = min(n, parts)
    return [n // parts + (i < n % parts) for i in range(parts)]


def draw_together(
    counts: Sequence[int],
    together: Together,
    seeding: threading.Lock,
    seed: Callable[[int], None],
    draw: Callable[[int, int], _T],
) -> list[_T]:
    """`draw(part, count)` for every part side by side, results in order.

    `seed(part)` sets a seed that the whole process shares, so `seeding` is held from there until the part has begun.
    """

    def run(part: int, count: int) -> _T:
        try:
            return draw(part, count)
        finally:
            together.begin(part)

    with ThreadPoolExecutor(len(counts)) as pool:
        tasks = []
        for part, count in enumerate(counts):
            with seeding:
                seed(part)
                tasks.append(pool.submit(run, part, count))
                together.wait(part)
        return [task.result() for task in tasks]
