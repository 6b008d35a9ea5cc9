"""Work over chunks of bytes in several processes, answers in order.

Workers are forked from the loaded parent, so models are read once and shared; chunks and answers travel as plain
bytes. Where the system cannot fork, the work is done in this process.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from rerank.errors import RewriteError

__all__ = ["Work", "cores", "default_processes", "ordered_map"]

Work = Callable[[bytes], bytes]

_OK, _FAILED = b"+", b"-"
_AHEAD = 8  # chunks per worker that may be finished before the oldest one is


def default_processes() -> int:
    """Processor cores that this process may use, where forking is possible; else 1."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return 1
    return cores()


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ordered_map(work: Work, chunks: Iterable[bytes], processes: int) -> Iterator[bytes]:
    """`map(work, chunks)` in `processes` processes.

    A `RewriteError` in a worker is raised here with its message; a worker that dies raises `RewriteError` too.
    """
    if processes <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(work, chunks)
        return
    workers = _start(work, processes)
    try:
        yield from _dispatch(workers, iter(chunks))
    finally:
        for worker in workers:
            worker.stop()


def _start(work: Work, processes: int) -> list[_Worker]:
    # What is garbage now must not be collected in a worker: a CTranslate2 model waits there for threads that no fork
    # has copied, for ever.
    gc.collect()
    gc.freeze()
    # Ctrl-C waits until every worker ignores it: it is the parent's to handle.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return [_Worker(work) for _ in range(processes)]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        gc.unfreeze()


def _dispatch(workers: list[_Worker], chunks: Iterator[bytes]) -> Iterator[bytes]:
    idle = list(workers)
    busy: dict[Connection, tuple[_Worker, int]] = {}
    done: dict[int, bytes] = {}
    sent = given = 0
    source = _Source(chunks)
    while True:
        # One chunk per worker at a time: with two, both ends could block on a full pipe.
        while idle and sent - given < _AHEAD * len(workers) and (chunk := source.take()) is not None:
            worker = idle.pop()
            worker.send(chunk)
            busy[worker.connection] = (worker, sent)
            sent += 1
        if not busy:
            return source.close()
        ready = wait(list(busy))
        for connection in [c for c in busy if c in ready]:
            worker, index = busy.pop(connection)
            done[index] = worker.receive()
            idle.append(worker)
        while given in done:
            yield done.pop(given)
            given += 1


class _Source:
    """Chunks until they end or fail; the failure is kept until what came before it has been answered."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._error: RewriteError | None = None

    def take(self) -> bytes | None:
        try:
            return next(self._chunks, None) if self._error is None else None
        except RewriteError as error:
            self._error = error
            return None

    def close(self) -> None:
        if self._error is not None:
            raise self._error


class _Worker:
    def __init__(self, work: Work) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self._process: ForkProcess = context.Process(
            target=_serve, args=(work, theirs, self.connection, os.getpid()), daemon=True
        )
        self._process.start()
        theirs.close()

    def send(self, chunk: bytes) -> None:
        try:
            self.connection.send_bytes(chunk)
        except OSError:
            raise self._died() from None

    def receive(self) -> bytes:
        try:
            answer = self.connection.recv_bytes()
        except (EOFError, OSError):
            raise self._died() from None
        if answer[:1] == _FAILED:
            raise RewriteError(answer[1:].decode())
        return answer[1:]

    def _died(self) -> RewriteError:
        self._process.join(timeout=1)
        return RewriteError(
            f"A worker process ended unexpectedly (exit code {self._process.exitcode}).",
            hint="If memory is short, use --processes 1.",
        )

    def stop(self) -> None:
        self.connection.close()
        self._process.terminate()
        self._process.join()


def _serve(work: Work, connection: Connection, parents_end: Connection, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parents_end.close()
    while True:
        # A sibling holds the parent's end too, so a killed parent shows in the parent's number only.
        while not connection.poll(5):
            if os.getppid() != parent:
                return
        try:
            chunk = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send_bytes(_answer(work, chunk))


def _answer(work: Work, chunk: bytes) -> bytes:
    try:
        return _OK + work(chunk)
    except RewriteError as error:
        return _FAILED + str(error).encode()
