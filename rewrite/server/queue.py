"""Sentences that wait for a worker, in turns: one of each client, of a client one of each of its requests."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rewrite.server.errors import QueueFull
from rewrite.server.kinds import Kind

_LONGEST_WAIT = 60


@dataclass(eq=False, slots=True)
class Job:
    """One sentence, or one pool of candidates, of a request; when it is done it comes back through `answers`.

    `outcome` is what the worker made of it, else there is an `error`. Jobs of one `kind` may go in one batch.
    """

    kind: Kind
    item: Any
    answers: asyncio.Queue[Job]
    outcome: Any = None
    error: Exception | None = None
    tried: bool = False
    withdrawn: bool = False

    def finish(self, outcome: Any = None, error: Exception | None = None) -> None:
        """Hand it back to the request."""
        self.outcome, self.error = outcome, error
        self.answers.put_nowait(self)


class FairQueue:
    """Jobs of all requests, at most `bound` of them, of one client half as many.

    So a book does not hold up a sentence: whoever comes is served after one turn of the others.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        # Insertion order is whose turn it is: who has had one goes to the end.
        self._clients: dict[str, dict[int, deque[Job]]] = {}
        self._again: deque[Job] = deque()
        self._numbers = itertools.count()
        self._news = asyncio.Event()
        self.waiting = 0
        self.pace = 1.0
        """Seconds that a sentence takes, as far as is known; see `retry_after`."""

    def put(self, client: str, jobs: Iterable[Job]) -> None:
        """Add all jobs of a request. Raises `QueueFull`, and adds none then."""
        added = deque(jobs)
        if not added:
            return
        shares = self._clients.get(client, {})
        held = sum(map(len, shares.values()))
        if self.waiting + len(added) > self._bound or held + len(added) > self._bound // 2:
            raise QueueFull(
                f"{self.waiting:,} sentences wait, {held:,} of them yours, and no room is left for {len(added):,}.",
                seconds=self.retry_after,
            )
        self._clients.setdefault(client, {})[next(self._numbers)] = added
        self.waiting += len(added)
        self._news.set()

    @property
    def retry_after(self) -> int:
        """Seconds until about half of what waits is done, from 1 to 60."""
        return max(1, min(_LONGEST_WAIT, math.ceil(self.waiting * self.pace / 2)))

    def put_back(self, job: Job) -> None:
        """Try a job once more, before all others and alone: what it failed with may have been another's fault."""
        if not job.withdrawn:
            job.tried = True
            self._again.append(job)
            self.waiting += 1
            self._news.set()

    def withdraw(self, jobs: Iterable[Job]) -> None:
        """Take out what still waits of a request that nobody wants answered any more."""
        for job in jobs:
            job.withdrawn = True
        for client, shares in list(self._clients.items()):
            for key in [key for key, share in shares.items() if share[0].withdrawn]:
                self.waiting -= len(shares.pop(key))
            if not shares:
                del self._clients[client]
        kept = deque(job for job in self._again if not job.withdrawn)
        self.waiting -= len(self._again) - len(kept)
        self._again = kept

    def drain(self) -> list[Job]:
        """Take out all that waits."""
        jobs = [*self._again, *(job for shares in self._clients.values() for share in shares.values() for job in share)]
        self._again.clear()
        self._clients.clear()
        self.waiting = 0
        return jobs

    async def batch(self, most: Callable[[Kind], int]) -> list[Job]:
        """The next jobs, all of one kind and at most `most(kind)`, as soon as there is one."""
        while not self.waiting:
            self._news.clear()
            await self._news.wait()
        if self._again:
            self.waiting -= 1
            return [self._again.popleft()]
        first = self._next(None)
        assert first is not None
        jobs = [first]
        limit = most(first.kind)
        while len(jobs) < limit and (job := self._next(first.kind)) is not None:
            jobs.append(job)
        return jobs

    def _next(self, kind: Kind | None) -> Job | None:
        """The job whose turn it is, of those of a `kind`; whoever has none of it keeps the turn."""
        for client, shares in self._clients.items():
            for key, share in shares.items():
                if kind is None or share[0].kind == kind:
                    return self._taken(client, key)
        return None

    def _taken(self, client: str, key: int) -> Job:
        shares = self._clients.pop(client)
        share = shares.pop(key)
        job = share.popleft()
        if share:
            shares[key] = share
        if shares:
            self._clients[client] = shares
        self.waiting -= 1
        return job
