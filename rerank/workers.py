"""Work over chunks in several processes, answers in order.

Workers are forked from the loaded parent, so models are read once and shared; chunks and answers are pickled. Where
the system cannot fork, the work is done in this process.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from rerank.errors import RewriteError

Work = Callable[[bytes], bytes]
_Chunk = TypeVar("_Chunk")
_Answer = TypeVar("_Answer")

_AHEAD = 8  # chunks per worker that may be finished before the oldest one is
_LOOK = 5.0  # seconds from one look at the parent to the next


def default_processes() -> int:
    """Processor cores that this process may use, where forking is possible; else 1."""
    return cores() if _can_fork() else 1


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods()


def ordered_map(work: Callable[[_Chunk], _Answer], chunks: Iterable[_Chunk], processes: int) -> Iterator[_Answer]:
    """`map(work, chunks)` in `processes` processes.

    A `RewriteError` in a worker is raised here with its message; a worker that dies raises `RewriteError` too.
    """
    if processes <= 1 or not _can_fork():
        yield from map(work, chunks)
        return
    context = multiprocessing.get_context("fork")
    # The work is handed over by the fork: it need not be such that it could be pickled.
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(work, os.getpid()))
    workers = _start(pool)
    try:
        yield from _in_order(pool, iter(chunks), processes)
    except BrokenProcessPool:
        pool.shutdown(wait=True)
        died = next((worker.exitcode for worker in workers if worker.exitcode), None)
        raise RewriteError(
            f"A worker process ended unexpectedly (exit code {died}).",
            hint="If memory is short, use --processes 1.",
        ) from None
    finally:
        for worker in workers:
            worker.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, chunks: Iterator[_Chunk], processes: int) -> Iterator[Any]:
    """The answers; what `chunks` fails with is raised when all that came before it has been answered."""
    waiting: deque[Future[Any]] = deque()
    failure: RewriteError | None = None
    more = True
    while more or waiting:
        # No more than can be worked on: what comes in slowly is answered as soon as it is there.
        while more and len(waiting) < _AHEAD * processes and sum(not future.done() for future in waiting) < processes:
            try:
                chunk = next(chunks, None)
            except RewriteError as error:
                chunk, failure = None, error
            more = chunk is not None
            if chunk is not None:
                waiting.append(pool.submit(_answer, chunk))
        wait([future for future in waiting if not future.done()][:processes], return_when=FIRST_COMPLETED)
        while waiting and waiting[0].done():
            yield waiting.popleft().result()
    if failure is not None:
        raise failure


def _start(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    """Fork the workers, which a pool does at its first task."""
    before = multiprocessing.active_children()
    # What is garbage now must not be collected in a worker: a CTranslate2 model waits there for threads that no fork
    # has copied, for ever.
    gc.collect()
    gc.freeze()
    # Ctrl-C waits until every worker ignores it: it is the parent's to handle.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        pool.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        gc.unfreeze()
    return [child for child in multiprocessing.active_children() if child not in before]


_work: Callable[[Any], Any]


def _begin(work: Callable[[Any], Any], parent: int) -> None:
    """Make a worker ready; it ends when its parent has been killed."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _answer(chunk: Any) -> Any:
    try:
        return _work(chunk)
    except RewriteError as error:
        raise RewriteError(str(error)) from None
