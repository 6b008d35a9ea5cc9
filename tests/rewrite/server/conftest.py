"""Servers to ask: the real one in a process of its own, and one in this process whose workers are fakes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import numpy as np
import pytest
import uvicorn

from rerank.types import Candidate, ScoreTable
from rewrite.commands.serve import _bound
from rewrite.result import SentenceResult
from rewrite.server.app import create_app
from rewrite.server.kinds import Done, Kind
from rewrite.server.pool import Died
from rewrite.server.running import configured
from rewrite.server.settings import Settings
from rewrite.server.tasks import measured


@dataclass
class Running:
    """A server that listens; `client` speaks to it."""

    url: str
    process: subprocess.Popen[str] | None = None
    workers: Sequence[Any] = ()
    client: Any = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.url, timeout=120)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body)

    def rewritten(self, text: str, **body: Any) -> Any:
        """The only result of a text."""
        answer = self.post("/v1/rewrite", text=text, **body)
        assert answer.status_code == 200, answer.text
        (result,) = answer.json()["results"]
        return result

    def metric(self, name: str) -> float:
        lines = self.client.get("/metrics").text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.split("{")[0].split(" ")[0] == name)

    def wait(self, seconds: float = 60) -> None:
        """Until the models are loaded."""
        until(lambda: self.client.get("/health").status_code == 200, seconds)


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for something that must come."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


@contextmanager
def started(*flags: str, environment: dict[str, str] | None = None) -> Iterator[Running]:
    """`rewrite serve` on a free port, with the edits generator."""
    command = [sys.executable, "-m", "rewrite", "serve", "--port", "0", "--generator", "simplify=edits", *flags]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        try:
            told = process.stderr.readline()
            assert "http://" in told, told + process.stderr.read()
            yield Running(told.split()[1], process)
        finally:
            process.terminate()
            process.wait(60)


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """The real thing, with the models of Russian simplification."""
    with started("--load", "simplify-ru") as running:
        running.wait()
        yield running


def table(source: str) -> ScoreTable:
    """What a fake makes of a sentence: a good candidate and one that is blocked."""
    names = measured("simplify")
    candidates = (Candidate(f"{source} Да.", generator="fake"), Candidate("Нет.", generator="fake"))
    good = np.full((2, len(names)), 0.9)
    return ScoreTable(source, candidates, names, good, good[0] / 2, ("", "the number 5 is not in the source"))


class FakeWorker:
    """Does batches as `work` says, in this process; without it, at once. `batches` are the items that it was given."""

    exit_code = -9

    def __init__(self, work: Callable[[Sequence[Any]], Awaitable[None]] | None = None, starts: int = 1) -> None:
        self.starts, self.batches, self._work = starts, list[list[Any]](), work

    async def ask(self, kind: Kind, items: Sequence[Any]) -> Done:
        self.batches.append(list(items))
        if self._work is not None:
            await self._work(items)
        if kind.verb == "score":
            return Done([table(source) for source, _ in items], "fake")
        return Done([SentenceResult(source, table=table(source), language="ru") for source in items], "fake")

    async def ended(self) -> None:
        await asyncio.Event().wait()

    def start(self) -> None:
        self.starts += 1

    def kill(self) -> None:
        pass


async def die(items: Sequence[Any]) -> None:
    """What a worker does on a text that kills it."""
    if any("умри" in str(item) for item in items):
        raise Died("exit status -9")


@contextmanager
def faked(work: Callable[[Sequence[Any]], Awaitable[None]] | None = None, **settings: Any) -> Iterator[Running]:
    """A server in this process, on a free port, whose workers are fakes; only the first of them is started."""
    workers = [FakeWorker(work, starts=int(number == 0)) for number in range(settings.get("workers", 1))]
    chosen = Settings(**{"load": (), "generators": {"simplify": "edits", "split": "splitter"}, **settings})
    app = create_app(chosen, workers)  # type: ignore[arg-type]
    server = uvicorn.Server(configured(app, chosen))
    listening = _bound("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield Running(f"http://127.0.0.1:{listening.getsockname()[1]}", workers=workers)
    finally:
        server.should_exit = True
        thread.join(30)


@pytest.fixture
def slow() -> Callable[[Sequence[Any]], Awaitable[None]]:
    """A work that takes a fifth of a second."""

    async def work(items: Sequence[Any]) -> None:
        await asyncio.sleep(0.2)

    return work
