"""Workers and the work: batches go from the queue to worker processes, and their outcomes back to the requests."""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio.to_thread

from rewrite.errors import RewriteError
from rewrite.server.errors import TimeOver, WorkerFailed
from rewrite.server.kinds import Kind
from rewrite.server.queue import FairQueue, Job
from rewrite.server.settings import Settings
from rewrite.server.worker import Crash, Done, main

_log = logging.getLogger("rewrite.server")
_MOST = 32
_BATCH_SECONDS = 0.5
_FIRST = 4
"""Sentences of a batch at most, and at first; how long one should take, which is how long a newcomer waits."""
_INERTIA = 0.7
_KINDS = 500


class Died(Exception):
    """A worker process ended before it answered."""


class Worker:
    """A child process with models. It is started at once, and again after each death."""

    def __init__(self, settings: Settings) -> None:
        self._settings = replace(settings, token="")  # which is no business of its
        self.starts = 0
        self.start()

    def start(self) -> None:
        """Start the process, in place of one that is dead or is to end."""
        if self.starts:
            self.kill()
        # Not forked: by then the server has threads, and no thread of a model survives a fork.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=main, args=(theirs, self._settings), daemon=True, name="rewrite-worker")
        self._process.start()
        theirs.close()
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
        """End the process now."""
        self._process.kill()
        self._process.join()
        self._connection.close()

    @property
    def exit_code(self) -> int | None:
        """The exit status of a dead process, negative for a signal; `None` while it lives."""
        self._process.join(1)
        return self._process.exitcode


class Pool:
    """Keeps `workers` busy with what waits in `queue`, and loads the models of `warm` where nothing waits.

    A batch that takes more than `seconds` is given up, with its worker.
    """

    def __init__(
        self, workers: Sequence[Worker], queue: FairQueue, *, warm: Sequence[tuple[Kind, Any]], seconds: float
    ) -> None:
        self._workers, self._queue, self._warm, self._seconds = workers, queue, warm, seconds
        self._cold = set(workers)
        self._paces: dict[Kind, float] = {}
        self._working = 0
        self.failures: dict[str, str] = {}
        """Why the models of some tasks could not be loaded, by task and language."""

    @property
    def is_ready(self) -> bool:
        """Whether a worker has all models that were to be loaded."""
        return len(self._cold) < len(self._workers)

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits and nothing is being done."""
        return not self._working and not self._queue.waiting

    @property
    def restarts(self) -> int:
        """How many workers have died so far."""
        return sum(worker.starts - 1 for worker in self._workers)

    async def run(self) -> None:
        """Work until cancelled; then the workers are ended."""
        try:
            await asyncio.gather(*map(self._serve, self._workers))
        finally:
            for worker in self._workers:
                worker.kill()

    async def _serve(self, worker: Worker) -> None:
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
            self._working += 1
            try:
                await self._do(worker, jobs)
            finally:
                self._working -= 1

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
        """As `Worker.ask`; a worker that has died or hangs is started anew. Raises `TimeoutError` for the latter."""
        try:
            return await asyncio.wait_for(worker.ask(kind, items), self._seconds)
        except (Died, asyncio.TimeoutError) as error:
            reason = (
                f"exit status {worker.exit_code}" if isinstance(error, Died) else f"no answer in {self._seconds:g} s"
            )
            _log.error("A worker is started anew: %s.", reason)
            await anyio.to_thread.run_sync(worker.start)
            raise (Died(reason) if isinstance(error, Died) else TimeoutError(reason)) from None

    def _most(self, kind: Kind) -> int:
        """How many sentences a batch of a kind may have: what is done in half a second, and no more than its share."""
        fitting = int(_BATCH_SECONDS / self._paces[kind]) if kind in self._paces else _FIRST
        share = math.ceil((self._queue.waiting + 1) / len(self._workers))
        return max(1, min(_MOST, fitting, share))

    def _learn(self, kind: Kind, seconds: float) -> None:
        """Note how long a sentence took."""
        before = self._paces.get(kind, seconds)
        if len(self._paces) > _KINDS:
            self._paces.clear()
        self._paces[kind] = _INERTIA * before + (1 - _INERTIA) * seconds
        self._queue.pace = _INERTIA * self._queue.pace + (1 - _INERTIA) * seconds / len(self._workers)


def _name(kind: Kind) -> str:
    return f"{kind.task}-{kind.language}"
