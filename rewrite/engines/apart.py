"""Asynchronous work from ordinary code, also where an event loop runs already, as in a notebook."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from typing import Any, Generic, TypeVar

__all__ = ["run_apart", "together"]

_T = TypeVar("_T")

# Some systems do not interrupt a wait without end; the caller looks up this often, in seconds.
_LOOK_UP = 0.5
# Cancelling closes connections, which takes no time; more than this is not waited for.
_WIND_UP = 5.0


def run_apart(work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """What `work()` returns or raises, run in a thread with an event loop of its own.

    An interruption of the caller, such as Ctrl-C, cancels the work and ends the thread before it goes on.
    """
    job = _Job(work)
    thread = threading.Thread(target=job.run, name="rewrite-apart", daemon=True)
    thread.start()
    try:
        while not wait([job.outcome], timeout=_LOOK_UP).done:
            pass
    finally:
        job.cancel()
        thread.join(_WIND_UP)
    return job.outcome.result()


async def together(jobs: list[Coroutine[Any, Any, _T]]) -> list[_T]:
    """Their results, in order. If one fails the others are cancelled, and gone when its error is raised."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Job(Generic[_T]):
    """One piece of work and what came of it; `run` belongs to its thread, `cancel` to the caller."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, _T]]) -> None:
        self.outcome: Future[_T] = Future()
        self._work = work
        self._running = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[_T] | None = None

    def run(self) -> None:
        try:
            result = asyncio.run(self._main())
        except BaseException as error:
            self.outcome.set_exception(error)
        else:
            self.outcome.set_result(result)
        finally:
            self._running.set()

    def cancel(self) -> None:
        """Cancel the work, if it is not over."""
        self._running.wait(_WIND_UP)
        if self._loop is not None and self._task is not None and not self.outcome.done():
            try:
                self._loop.call_soon_threadsafe(self._task.cancel)
            except RuntimeError:
                # The loop was closed between the question and the call: the work is over.
                return

    async def _main(self) -> _T:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.ensure_future(self._work())
        self._running.set()
        return await self._task
