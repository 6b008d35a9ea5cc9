"""Workers and the work: batches go from the queue to worker processes, and their outcomes back to the requests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import multiprocessing
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio.to_thread

from rewrite.errors import RewriteError
from rewrite.server.errors import TimeOver, WorkerFailed
from rewrite.server.kinds import Crash, Done, Kind
from rewrite.server.queue import FairQueue, Job
from rewrite.server.settings import Settings

_log = logging.getLogger("rewrite.server")
_MOST = 32
_BATCH_SECONDS = 0.75
_FIRST = 4
"""Sentences of a batch at most, and at first; how long one should take, which is how long a newcomer waits."""
_INERTIA = 0.7
_WORTH, _LOOK = 3.0, 0.25
"""Seconds on end with work for two, for another worker to be started (it loads models for as long); between looks."""
_KINDS = 500


class Died(Exception):
    """A worker process ended before it answered."""


class Worker:
    """A child process with models. It is started `at_once` or when it is needed, and again after each death."""

    def __init__(self, settings: Settings, *, at_once: bool = True) -> None:
        self._settings = replace(settings, token="")  # which is no business of its
        self.starts = 0
        if at_once:
            self.start()

    def start(self) -> None:
        """Start the process, in place of one that is dead or is to end."""
        if self.starts:
            self.kill()
        # A program of its own: it imports only what it needs, and hears no Ctrl-C, which is for the server.
        self._connection, theirs = multiprocessing.Pipe()
        command = [sys.executable, "-m", "rewrite.server.worker", str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], start_new_session=True)
        theirs.close()
        self._connection.send(self._settings)
        self.starts += 1

    async def ask(self, kind: Kind, items: Sequence[Any]) -> Done:
        """The outcome of a batch. Raises `Died`, what the work raised, or `WorkerFailed` for a bug."""
        # Without a thread: each change from one to another waits for its turn on a busy machine.
        loop, answered = asyncio.get_running_loop(), asyncio.Event()
        try:
            self._connection.send((kind, items))
            loop.add_reader(self._connection, answered.set)
            try:
                await answered.wait()
            finally:
                loop.remove_reader(self._connection)
            answer = self._connection.recv()
        except (EOFError, OSError) as error:
            raise Died from error
        if isinstance(answer, Crash):
            _log.error("%s in a worker:\n%s", answer.name, answer.trace)
            raise WorkerFailed(
                f"The work failed with {answer.name}.", hint="This is a bug; the server's log says where."
            )
        if isinstance(answer, RewriteError):
            raise answer
        done: Done = answer
        return done

    def kill(self) -> None:
        """End the process now, if there is one."""
        if self.starts:
            self._process.kill()
            self._process.wait()
            self._connection.close()

    @property
    def exit_code(self) -> int | None:
        """The exit status of a dead process, negative for a signal; `None` while it lives."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        return self._process.returncode


class Pool:
    """Keeps `workers` busy with what waits in `queue`, and loads the models of `warm` where nothing waits.

    One that has not been started is when for some seconds on end there was work for more than those that have been.

    A batch that takes more than `seconds` is given up, with its worker.
    """

    def __init__(
        self, workers: Sequence[Worker], queue: FairQueue, *, warm: Sequence[tuple[Kind, Any]], seconds: float
    ) -> None:
        self._workers, self._queue, self._warm, self._seconds = workers, queue, warm, seconds
        self._cold = set(workers)
        self._paces: dict[Kind, float] = {}
        self._in_hand = 0
        self.failures: dict[str, str] = {}
        """Why the models of some tasks could not be loaded, by task and language."""

    @property
    def is_ready(self) -> bool:
        """Whether a worker has all models that were to be loaded."""
        return len(self._cold) < len(self._workers)

    @property
    def restarts(self) -> int:
        """How many workers have died so far."""
        return sum(max(0, worker.starts - 1) for worker in self._workers)

    @property
    def _running(self) -> int:
        return sum(worker.starts > 0 for worker in self._workers)

    async def run(self) -> None:
        """Work until cancelled; then the workers are ended."""
        try:
            await asyncio.gather(*map(self._serve, self._workers))
        finally:
            for worker in self._workers:
                worker.kill()

    async def _serve(self, worker: Worker) -> None:
        if not worker.starts:
            seconds = 0.0
            while seconds < _WORTH:
                await asyncio.sleep(_LOOK)
                seconds = (
                    seconds + _LOOK if self.is_ready and self._queue.waiting + self._in_hand > self._running else 0.0
                )
            await anyio.to_thread.run_sync(worker.start)
        starts, left = 0, deque[tuple[Kind, Any]]()
        while True:
            if worker.starts > starts:  # what it had loaded is gone
                starts = worker.starts
                left = deque(step for step in self._warm if _name(step[0]) not in self.failures)
                self._cold.add(worker)
            if not left:
                self._cold.discard(worker)
            if left and not self._queue.waiting:
                await self._load(worker, *left.popleft())
                continue
            jobs = await self._queue.batch(self._most)
            self._in_hand += len(jobs)
            await self._do(worker, jobs)
            self._in_hand -= len(jobs)

    async def _load(self, worker: Worker, kind: Kind, item: Any) -> None:
        name = _name(kind)
        try:
            await self._asked(worker, kind, [item])
            self.failures.pop(name, None)
        except (RewriteError, Died, TimeoutError) as error:
            self.failures[name] = str(error) or type(error).__name__
            _log.warning("%s could not be loaded: %s", name, self.failures[name])

    async def _do(self, worker: Worker, jobs: Sequence[Job]) -> None:
        """One batch; each job comes back with an outcome or an error, or waits again."""
        began = time.monotonic()
        try:
            done = await self._asked(worker, jobs[0].kind, [job.item for job in jobs])
        except Died as death:
            error = WorkerFailed(
                f"The worker that had this text ended ({death}), and again when it was tried once more."
            )
            self._failed(jobs, error, retry=True)
        except TimeoutError:
            self._failed(jobs, TimeOver(f"The work took more than {self._seconds:g} s."), retry=False)
        except RewriteError as error:
            # Perhaps the fault is that of another text of the batch.
            self._failed(jobs, error, retry=len(jobs) > 1)
        else:
            self._learn(jobs[0].kind, (time.monotonic() - began) / len(jobs))
            for job, outcome in zip(jobs, done.outcomes, strict=True):
                job.finish((outcome, done.settings))

    def _failed(self, jobs: Sequence[Job], error: RewriteError, *, retry: bool) -> None:
        for job in jobs:
            if retry and not job.tried:
                self._queue.put_back(job)
            else:
                job.finish(error=error)

    async def _asked(self, worker: Worker, kind: Kind, items: Sequence[Any]) -> Done:
        """As `Worker.ask`; a worker that has died (`Died`) or hangs (`TimeoutError`) is started anew."""
        try:
            return await asyncio.wait_for(worker.ask(kind, items), self._seconds)
        except RewriteError:
            raise
        except asyncio.TimeoutError:
            _log.error("A worker is started anew: it gave no answer in %g s.", self._seconds)
            await anyio.to_thread.run_sync(worker.start)
            raise TimeoutError from None
        except Exception as error:  # what it said could not be read, perhaps: it must not stop the server
            reason = f"exit status {worker.exit_code}" if isinstance(error, Died) else type(error).__name__
            _log.error("A worker is started anew: %s.", reason)
            await anyio.to_thread.run_sync(worker.start)
            raise Died(reason) from None

    def _most(self, kind: Kind) -> int:
        """How many sentences a batch of a kind may have: what is done in its time, and no more than its share."""
        fitting = int(_BATCH_SECONDS / self._paces[kind]) if kind in self._paces else _FIRST
        share = math.ceil((self._queue.waiting + 1) / self._running)
        return max(1, min(_MOST, fitting, share))

    def _learn(self, kind: Kind, seconds: float) -> None:
        """Note how long a sentence took."""
        before = self._paces.get(kind, seconds)
        earlier = self._queue.pace if self._paces else seconds / self._running
        if len(self._paces) > _KINDS:
            self._paces.clear()
        self._paces[kind] = _INERTIA * before + (1 - _INERTIA) * seconds
        self._queue.pace = _INERTIA * earlier + (1 - _INERTIA) * seconds / self._running


def _name(kind: Kind) -> str:
    return f"{kind.task}-{kind.language}"
