"""Workers and the work: batches go from the queue to worker processes, and their outcomes back to the requests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
import traceback
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio.to_thread

from rewrite.errors import MissingExtra, RewriteError
from rewrite.server.errors import TimeOver, WorkerFailed
from rewrite.server.kinds import AT_ONCE, SAMPLING, Crash, Done, Kind
from rewrite.server.queue import FairQueue, Job
from rewrite.server.settings import Settings

_log = logging.getLogger("rewrite.server")
_MOST = 32
_BATCH_SECONDS = 0.75
"""Sentences of a batch at most; how long one should take, which is how long a newcomer waits."""
_INERTIA = 0.7
_WORTH, _LOOK = 3.0, 0.25
"""Seconds on end with work for two, for another worker to be started (it loads models for as long); between looks."""
_KINDS = 500
_UNHURRIED = frozenset(SAMPLING) - {"n", "max_tokens"}
"""Options that a sentence takes as long with as without."""
_PAUSE = 5.0
"""Seconds until a worker that could not be started is tried again."""
_UNWANTED = 30.0
"""Seconds that a worker goes on with what nobody wants any more: one that is started anew loads models as long."""


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
        environment = {name: value for name, value in os.environ.items() if name != "REWRITE_TOKEN"}
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], start_new_session=True, env=environment)
        theirs.close()
        self._connection.send(self._settings)
        self.starts += 1

    async def ask(self, kind: Kind, items: Sequence[Any]) -> Done:
        """The outcome of a batch. Raises `Died`, what the work raised, or `WorkerFailed` for a bug."""
        # What fits at once goes without a thread: each change from one to another waits for its turn on a busy machine.
        message = pickle.dumps((kind, items))
        try:
            if len(message) <= AT_ONCE:
                self._connection.send_bytes(message)
            else:
                await asyncio.to_thread(self._connection.send_bytes, message)
            await self._readable()
            answer = self._connection.recv()
            if isinstance(answer, int):
                answer = await asyncio.to_thread(self._connection.recv)
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

    async def ended(self) -> None:
        """Wait until the process, which has been asked nothing, is no more."""
        await self._readable()

    async def _readable(self) -> None:
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._connection, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._connection)

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

    A batch that takes more than `seconds` is given up, with its worker. Where `optional`, a model that lacks an extra
    does not keep the server from being ready.
    """

    def __init__(
        self,
        workers: Sequence[Worker],
        queue: FairQueue,
        *,
        warm: Sequence[tuple[Kind, Any]],
        seconds: float,
        optional: bool = False,
    ) -> None:
        self._workers, self._queue, self._warm, self._seconds = workers, queue, warm, seconds
        self._optional = optional
        self._cold = set(workers)
        self._lost = set[Worker]()
        self._paces: dict[int, float] = {}
        self._in_hand = set[Job]()
        self._tried, self._broken = set[str](), set[str]()
        self.failures: dict[str, str] = {}
        """Why the models of some tasks could not be loaded, by task and language."""
        self.has_failed = False
        """Whether it has ended for an error of its own, so that nothing is done any more."""

    @property
    def status(self) -> str:
        """`ready` when a worker has all models that were to be loaded, `failed` if one cannot be, else `loading`."""
        if self._broken:
            return "failed"
        return "ready" if len(self._cold) < len(self._workers) else "loading"

    @property
    def is_ready(self) -> bool:
        """Whether a worker has all models that were to be loaded."""
        return self.status == "ready"

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
        except Exception as error:
            frames = "".join(traceback.format_tb(error.__traceback__))
            _log.critical("No more work is done: %s\n%s", type(error).__name__, frames)
            self.has_failed = True
        finally:
            for worker in self._workers:
                worker.kill()

    def abandon(self, error: RewriteError) -> None:
        """Answer all that waits or is being done with an error."""
        for job in (*self._in_hand, *self._queue.drain()):
            job.finish(error=error)

    async def _serve(self, worker: Worker) -> None:
        if not worker.starts:
            seconds = 0.0
            while seconds < _WORTH:
                await asyncio.sleep(_LOOK)
                # Before the first batch is done it is the models that take the time.
                busy = self._paces and self._queue.waiting + len(self._in_hand) > self._running
                seconds = seconds + _LOOK if busy else 0.0
            await self._start(worker)
        starts, left = 0, deque[tuple[Kind, Any]]()
        while True:
            while worker in self._lost:
                await asyncio.sleep(_PAUSE)
                await self._start(worker)
            if worker.starts > starts:  # what it had loaded is gone
                starts = worker.starts
                left = deque(step for step in self._warm if _name(step[0]) not in self.failures)
                self._cold.add(worker)
            if not left:
                self._cold.discard(worker)
            if left and not self._queue.waiting:
                await self._load(worker, *left.popleft())
                continue
            jobs = await self._batch(worker)
            self._in_hand.update(jobs)
            if jobs:
                await self._do(worker, jobs)
            self._in_hand.difference_update(jobs)

    async def _start(self, worker: Worker) -> None:
        self._lost.discard(worker)
        try:
            await anyio.to_thread.run_sync(worker.start)
        except Exception as error:
            self._lost.add(worker)
            reason = getattr(error, "strerror", None) or type(error).__name__
            _log.error("A worker cannot be started: %s. It is tried again in %g s.", reason, _PAUSE)

    async def _batch(self, worker: Worker) -> list[Job]:
        """What is to be done next; nothing where the worker dies before there is something."""
        if self._queue.waiting:
            return await self._queue.batch(self._most)
        batch = asyncio.ensure_future(self._queue.batch(self._most))
        ended = asyncio.ensure_future(worker.ended())
        try:
            await asyncio.wait({batch, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            batch.cancel()
            ended.cancel()
        await asyncio.wait({batch, ended})  # until it listens no more
        if not batch.cancelled():
            return batch.result()
        _log.error("A worker is started anew: it ended while it had nothing to do.")
        await self._start(worker)
        return []

    async def _load(self, worker: Worker, kind: Kind, item: Any) -> None:
        name = _name(kind)
        try:
            await self._asked(worker, kind, [item])
        except (RewriteError, Died, TimeoutError) as error:
            if not isinstance(error, RewriteError) and name not in self._tried:
                self._tried.add(name)  # the worker that is started anew loads it once more
                return
            self.failures[name] = str(error) or type(error).__name__
            if not (self._optional and isinstance(error, MissingExtra)):
                self._broken.add(name)
            _log.warning("%s could not be loaded: %s", name, self.failures[name])

    async def _do(self, worker: Worker, jobs: Sequence[Job]) -> None:
        """One batch; each job comes back with an outcome or an error, or waits again."""
        began = time.monotonic()
        try:
            done = await self._asked(worker, jobs[0].kind, [job.item for job in jobs], jobs)
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

    async def _asked(self, worker: Worker, kind: Kind, items: Sequence[Any], jobs: Sequence[Job] = ()) -> Done:
        """As `Worker.ask`; a worker that dies (`Died`), hangs or does `jobs` that nobody wants any more
        (`TimeoutError`) is started anew.
        """
        asking = asyncio.ensure_future(worker.ask(kind, items))
        began = wanted = time.monotonic()
        try:
            while not (await asyncio.wait({asking}, timeout=_LOOK))[0]:
                now = time.monotonic()
                wanted = wanted if jobs and all(job.withdrawn for job in jobs) else now
                if now - began > self._seconds:
                    raise TimeoutError(f"It gave no answer in {self._seconds:g} s.")
                if now - wanted > _UNWANTED:
                    raise TimeoutError("Nobody wants any more what it does.")
            done = asking.result()
        except RewriteError:
            raise
        except TimeoutError as error:
            await self._renew(worker, str(error), asking)
            raise
        except Exception as error:  # what it said could not be read, perhaps: it must not stop the server
            reason = f"exit status {worker.exit_code}" if isinstance(error, Died) else type(error).__name__
            await self._renew(worker, f"{reason}.", asking)
            raise Died(reason) from None
        finally:
            asking.cancel()
        self._forget(kind)
        return done

    async def _renew(self, worker: Worker, reason: str, asking: asyncio.Future[Done]) -> None:
        _log.error("A worker is started anew: %s", reason)
        asking.cancel()
        await asyncio.wait({asking})  # until it listens no more
        await self._start(worker)

    def _forget(self, kind: Kind) -> None:
        """The models of a kind are loaded, whatever became of an earlier try."""
        name = _name(kind)
        self._tried.discard(name)
        if name in self.failures and any(_models(kind) == _models(step) for step, _ in self._warm):
            del self.failures[name]
            self._broken.discard(name)

    def _most(self, kind: Kind) -> int:
        """How many sentences a batch of a kind may have: what is done in its time, and no more than its share."""
        pace = self._paces.get(_pace_key(kind))
        fitting = int(_BATCH_SECONDS / pace) if pace else 1
        share = math.ceil((self._queue.waiting + 1) / self._running)
        return max(1, min(_MOST, fitting, share))

    def _learn(self, kind: Kind, seconds: float) -> None:
        """Note how long a sentence took."""
        key = _pace_key(kind)
        before = self._paces.get(key, seconds)
        earlier = self._queue.pace if self._paces else seconds / self._running
        if len(self._paces) > _KINDS:
            self._paces.clear()
        self._paces[key] = _INERTIA * before + (1 - _INERTIA) * seconds
        self._queue.pace = _INERTIA * earlier + (1 - _INERTIA) * seconds / self._running


def _name(kind: Kind) -> str:
    return f"{kind.task}-{kind.language}"


def _models(kind: Kind) -> tuple[str, ...]:
    """What models a kind needs, as far as they are loaded first."""
    return kind.verb, kind.task, kind.language, str(json.loads(kind.options).get("generator"))


def _pace_key(kind: Kind) -> int:
    """The same for kinds that take as long. It is small whatever a request holds, and is made in no time."""
    if len(kind.options) > AT_ONCE:
        return hash(kind)
    options = json.loads(kind.options)
    return hash((kind.verb, kind.task, kind.language, *(f"{n}={options[n]}" for n in options if n not in _UNHURRIED)))
