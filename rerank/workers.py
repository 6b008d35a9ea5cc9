"""Work over chunks in several processes, answers in order; a process that dies is replaced.

Workers are forked from the loaded parent, so models are read once and shared; chunks and answers are pickled. Where
the system cannot fork, the work is done in this process. Each worker has a pipe of its own and no lock is shared, so
that one killed at any moment leaves nothing half taken: that, and forking in the main thread after loading, is what
the pools of the standard library and of others (`pebble`) do not have.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, TypeVar

from rerank.errors import RewriteError

_Chunk = TypeVar("_Chunk")
_Answer = TypeVar("_Answer")

_AHEAD = 8  # chunks per worker that may be finished before the oldest one is
_LOOK = 5.0  # seconds from one look at the parent to the next
_AGAIN = 2  # how often what a worker died over is done again
_HOPELESS = 8  # workers that died before any has answered: it is not the chunks
# Of this process, which may be one of several.
_share = 1


@dataclass(frozen=True)
class Rescue(Generic[_Chunk, _Answer]):
    """What becomes of a chunk that its work dies or fails over: its `parts` are done one by one, and for a part that
    goes wrong alone `answer(part, why)` stands.
    """

    parts: Callable[[_Chunk], Sequence[_Chunk]]
    answer: Callable[[_Chunk, str], _Answer]


def default_processes() -> int:
    """Processor cores that this process may use, where forking is possible; else 1."""
    return cores() if _can_fork() else 1


def cores() -> int:
    """Processor cores that this process may use; a worker's share of them, in a worker."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable // _share)


def share_cores(processes: int) -> None:
    """Say that this process is one of so many on the machine: `cores` gives its share."""
    global _share
    _share = processes


def _can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods()


def ordered_map(
    work: Callable[[_Chunk], _Answer],
    chunks: Iterable[_Chunk],
    processes: int,
    rescue: Rescue[_Chunk, _Answer] | None = None,
) -> Iterator[_Answer]:
    """`map(work, chunks)` in `processes` processes; a chunk that is rescued has an answer for each part.

    A `RewriteError` in a worker is raised here. What a worker dies over is done again, twice at most; then it is
    answered by `rescue`, or raises `RewriteError` where there is none.
    """
    if processes <= 1 or not _can_fork():
        for chunk in chunks:
            yield from _answers(work, chunk, rescue)
        return
    yield from crew_map(_Forks(work, processes), chunks, rescue)


def crew_map(crew: Crew, chunks: Iterable[_Chunk], rescue: Rescue[_Chunk, _Answer] | None = None) -> Iterator[_Answer]:
    """As `ordered_map`, by whatever workers the `crew` has."""
    pool = _Pool(crew, rescue)
    try:
        yield from pool.run(iter(chunks))
    finally:
        pool.stop()


def _answers(
    work: Callable[[_Chunk], _Answer], chunk: _Chunk, rescue: Rescue[_Chunk, _Answer] | None
) -> Iterator[_Answer]:
    try:
        yield work(chunk)
        return
    except RewriteError:
        raise
    except Exception as error:
        if rescue is None:
            raise
        parts, why = rescue.parts(chunk), _in_words(error)
    if len(parts) == 1:
        yield rescue.answer(chunk, why)
        return
    for part in parts:
        yield from _answers(work, part, rescue)


def _in_words(error: BaseException) -> str:
    return f"An unexpected error: {type(error).__name__}: {error}".rstrip(": ")


class _Traceback(Exception):
    """What a worker printed of an exception, as the cause of that."""


@dataclass(eq=False)
class _Task(Generic[_Chunk, _Answer]):
    chunk: _Chunk
    deaths: int = 0
    answers: list[_Answer] = field(default_factory=list)

    @property
    def done(self) -> bool:
        return bool(self.answers)


class Worker(Protocol):
    """Somebody who answers one chunk at a time. `send` and `receive` raise `OSError` or `EOFError` once it is dead."""

    def send(self, chunk: Any) -> None:
        """Hand a chunk over."""

    def receive(self) -> tuple[str | None, Any]:
        """The answer, or the exception with what was printed of it."""

    def stop(self) -> str:
        """End it, at once; how it ended."""


class Crew(Protocol):
    """Workers, of which as many as there is room for are at work."""

    @property
    def size(self) -> int:
        """How many there may be now."""

    def start(self, others: Sequence[Worker]) -> Worker | None:
        """One more beside others; `None` where there is no room now."""

    def wait(self, busy: Sequence[Worker]) -> Sequence[Worker]:
        """Those that have answered or died, when there are any, or after a while none. Raises `RewriteError` where
        nobody is left and nobody comes.
        """


class _Fork:
    def __init__(self, work: Callable[[Any], Any], processes: int, others: Sequence[_Fork]) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        # They end when this process does, which is when nobody else holds its ends of their pipes.
        inherited = [self.connection, *(other.connection for other in others)]
        # The work is handed over by the fork: it need not be such that it could be pickled.
        self.process = context.Process(target=_serve, args=(work, processes, theirs, inherited, os.getpid()))
        # What is garbage now must not be collected in a worker: a CTranslate2 model waits there for threads that no
        # fork has copied, for ever.
        gc.collect()
        gc.freeze()
        # Ctrl-C waits until the worker ignores it: it is the parent's to handle.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            gc.unfreeze()
            theirs.close()

    def send(self, chunk: Any) -> None:
        self.connection.send(chunk)

    def receive(self) -> tuple[str | None, Any]:
        try:
            kind, answer = self.connection.recv()
        except pickle.UnpicklingError as error:
            raise EOFError from error
        return kind, answer

    def stop(self) -> str:
        self.connection.close()
        self.process.terminate()
        self.process.join()
        return f"exit code {self.process.exitcode}"


@dataclass(frozen=True)
class _Forks:
    work: Callable[[Any], Any]
    size: int

    def start(self, others: Sequence[Worker]) -> _Fork:
        return _Fork(self.work, self.size, [other for other in others if isinstance(other, _Fork)])

    def wait(self, busy: Sequence[Worker]) -> list[Worker]:
        waiting: dict[Any, Worker] = {worker.connection: worker for worker in busy if isinstance(worker, _Fork)}
        return [waiting[connection] for connection in wait(list(waiting))]


class _Pool(Generic[_Chunk, _Answer]):
    def __init__(self, crew: Crew, rescue: Rescue[_Chunk, _Answer] | None) -> None:
        self._crew, self._rescue = crew, rescue
        self._at_work: dict[Worker, _Task[_Chunk, _Answer] | None] = {}
        self._tasks: deque[_Task[_Chunk, _Answer]] = deque()  # in order, the oldest first
        self._queue: deque[_Task[_Chunk, _Answer]] = deque()  # those that nobody works on yet
        self._deaths = self._answered = 0

    def run(self, chunks: Iterator[_Chunk]) -> Iterator[_Answer]:
        """The answers; what `chunks` fails with is raised when all that came before it has been answered."""
        failure: RewriteError | None = None
        more = True
        while more or self._tasks:
            self._grow()
            size = max(1, len(self._at_work))
            # No more than can be worked on: what comes in slowly is answered as soon as it is there.
            while more and len(self._tasks) < _AHEAD * size and self._unfinished < size:
                try:
                    chunk = next(chunks, None)
                except RewriteError as error:
                    chunk, failure = None, error
                more = chunk is not None
                if chunk is not None:
                    self._tasks.append(_Task(chunk))
                    self._queue.append(self._tasks[-1])
            self._hand_out()
            self._collect()
            while self._tasks and self._tasks[0].done:
                yield from self._tasks.popleft().answers
        if failure is not None:
            raise failure

    def stop(self) -> None:
        for worker in self._at_work:
            worker.stop()

    def _grow(self) -> None:
        while len(self._at_work) < self._crew.size:
            worker = self._crew.start(list(self._at_work))
            if worker is None:
                return
            self._at_work[worker] = None

    @property
    def _unfinished(self) -> int:
        return len(self._queue) + sum(task is not None for task in self._at_work.values())

    def _hand_out(self) -> None:
        for worker in [worker for worker, task in self._at_work.items() if task is None]:
            if self._queue:
                task = self._at_work[worker] = self._queue.popleft()
                try:
                    worker.send(task.chunk)
                except OSError:
                    self._bury(worker)

    def _collect(self) -> None:
        busy = [worker for worker, task in self._at_work.items() if task is not None]
        for worker in self._crew.wait(busy) if busy or self._queue else ():
            try:
                kind, answer = worker.receive()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            task = self._at_work[worker]
            self._at_work[worker] = None
            assert task is not None
            self._answered += 1
            if kind is None:
                task.answers.append(answer)
            elif isinstance(answer, RewriteError) or self._rescue is None:
                raise answer from _Traceback(kind)
            else:
                self._split(task, _in_words(answer), over=True)

    def _bury(self, worker: Worker) -> None:
        """See to what a worker died over; another one is started where there is room."""
        task = self._at_work.pop(worker)
        end = worker.stop()
        self._deaths += 1
        assert task is not None
        task.deaths += 1
        hopeless = not self._answered and self._deaths >= _HOPELESS
        over = task.deaths > _AGAIN
        if hopeless or (over and self._rescue is None):
            raise RewriteError(
                f"A worker process ended unexpectedly ({end}).", hint="If memory is short, use --processes 1."
            )
        self._split(task, f"A worker process ended over it {task.deaths} times ({end}).", over=over)

    def _split(self, task: _Task[_Chunk, _Answer], why: str, *, over: bool) -> None:
        """Do a task again part by part, or alone; one that has no parts and is `over` is rescued."""
        parts = self._rescue.parts(task.chunk) if self._rescue else [task.chunk]
        if len(parts) == 1 and over:
            assert self._rescue is not None
            task.answers.append(self._rescue.answer(task.chunk, why))
            return
        again = [task] if len(parts) == 1 else [_Task(part, task.deaths) for part in parts]
        place = self._tasks.index(task)
        del self._tasks[place]
        for part in reversed(again):
            self._tasks.insert(place, part)
        self._queue.extendleft(reversed(again))


def _serve(
    work: Callable[[Any], Any], processes: int, connection: Connection, inherited: Sequence[Connection], parent: int
) -> None:
    """What a worker does: answer until the parent ends, or has been killed."""
    share_cores(processes)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited:
        other.close()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    while True:
        try:
            chunk = connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        kind, answer = None, None
        try:
            answer = work(chunk)
        except Exception as error:
            kind, answer = traceback.format_exc(), error
        try:
            _send(connection, kind, answer)
        except OSError:  # nobody is there to read it
            os._exit(1)


def _send(connection: Connection, kind: str | None, answer: Any) -> None:
    try:
        pickle.loads(pickle.dumps(answer)) if kind else None
    except Exception:
        answer = RuntimeError(_in_words(answer))  # an exception that no other process can have
    connection.send((kind, answer))
