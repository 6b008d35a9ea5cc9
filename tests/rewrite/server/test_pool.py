"""Workers that cannot be started, die while they load or have nothing to do, or do what nobody wants any more."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from rewrite.commands.serve import _bound
from rewrite.errors import BadModel, MissingExtra
from rewrite.server import pool, running, worker
from rewrite.server.errors import WorkerFailed
from rewrite.server.kinds import Done, Kind
from rewrite.server.pool import Died, Pool, Worker
from rewrite.server.queue import FairQueue, Job
from rewrite.server.settings import Limits, Settings
from tests.rewrite.server.conftest import FakeWorker, Running, die, faked, until
from tests.rewrite.server.test_faults import CAT, _workers

LACKS = MissingExtra("The language model is not installed.", hint="Run: pip install 'rewrite-rerank[lm]'")


def kind(**options: Any) -> Kind:
    return Kind("rewrite", "simplify", json.dumps(options), "ru")


def test_a_worker_that_stands_still_holds_up_its_own_requests_alone(server: Running) -> None:
    server.wait()
    pid = _workers(server)[0]
    body = {"source": CAT, "candidates": [f"{'кошка ' * 150}{i}." for i in range(200)]}
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(server.post("/v1/score", **body)))
    os.kill(pid, signal.SIGSTOP)
    going_on = threading.Timer(8, os.kill, (pid, signal.SIGCONT))
    going_on.start()
    try:
        asking.start()
        time.sleep(0.3)
        began = time.monotonic()
        assert httpx.get(f"{server.url}/health", timeout=30).status_code == 200
        assert time.monotonic() - began < 4
    finally:
        os.kill(pid, signal.SIGCONT)
        going_on.cancel()
        asking.join()
    assert answers[0].status_code == 200
    assert len(answers[0].json()["scores"]) == 200


def test_large_messages_that_go_or_come_slowly_are_waited_for_aside() -> None:
    ours, theirs = multiprocessing.Pipe()
    asked: Any = object.__new__(Worker)
    asked._connection = ours
    message = pickle.dumps(Done(["ж" * 100_000], "large"))

    def answer() -> None:
        time.sleep(1)
        theirs.recv()
        theirs.send(len(message))
        whole = len(message).to_bytes(4, "big") + message
        os.write(theirs.fileno(), whole[:50_000])
        time.sleep(1)
        os.write(theirs.fileno(), whole[50_000:])

    async def longest_pause() -> tuple[Done, float]:
        asking = asyncio.ensure_future(Worker.ask(asked, kind(), ["ж" * 1_000_000]))
        longest = 0.0
        while not asking.done():
            began = time.monotonic()
            await asyncio.sleep(0.02)
            longest = max(longest, time.monotonic() - began)
        return asking.result(), longest

    answering = threading.Thread(target=answer)
    answering.start()
    done, longest = asyncio.run(longest_pause())
    answering.join()
    assert (done.settings, len(done.outcomes[0])) == ("large", 100_000)
    assert longest < 0.8


def test_a_worker_that_cannot_be_started_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pool, "_PAUSE", 0.2)
    failing = [1, 1]

    def start(fake: FakeWorker) -> None:
        if failing:
            failing.pop()
            raise OSError(12, "Cannot allocate memory")
        fake.starts += 1

    monkeypatch.setattr(FakeWorker, "start", start)
    with faked(die) as fake:
        assert fake.post("/v1/rewrite", text="Кошка, умри на диване.").status_code == 500
        assert fake.rewritten(CAT)["text"] == f"{CAT} Да."
    assert caplog.text.count("cannot be started: Cannot allocate memory. It is tried again in 0.2 s.") == 2


def test_a_server_whose_pool_has_failed_ends(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(*_: Any) -> list[Job]:
        raise ValueError("a text")

    monkeypatch.setattr(FairQueue, "batch", broken)
    monkeypatch.setattr(running, "_MOMENT", 60)  # it would end this process
    workers: Any = [FakeWorker()]
    assert running.run(Settings(load=()), workers, _bound("127.0.0.1", 0), None) == 1
    assert "No more work is done: ValueError" in caplog.text


@pytest.mark.parametrize(
    ("errors", "optional", "status"),
    [
        ([], False, "ready"),
        ([Died("exit status -9")], False, "ready"),
        ([TimeoutError("It gave no answer.")], False, "ready"),
        ([Died("exit status -9")] * 2, True, "failed"),
        ([LACKS], True, "ready"),
        ([LACKS], False, "failed"),
        ([BadModel("It is broken.")], True, "failed"),
    ],
)
def test_health_is_200_if_what_was_to_be_loaded_is(errors: list[Exception], optional: bool, status: str) -> None:
    left = list(errors)

    async def work(items: Sequence[Any]) -> None:
        if left:
            raise left.pop()

    with faked(work, load=("simplify-ru",), optional=optional) as fake:
        until(lambda: fake.client.get("/health").json()["status"] != "loading")
        answer = fake.client.get("/health")
        assert (answer.json()["status"], answer.status_code) == (status, 200 if status == "ready" else 503)
        assert len(answer.json()["failures"]) == int(status == "failed" or errors == [LACKS])
        assert fake.client.head("/health").status_code == answer.status_code
        # A request that is well answered shows that they are loaded after all.
        other = fake.rewritten(CAT, options={"generator": "deletion"} if errors == [LACKS] else {})
        assert other["text"]
        health = fake.client.get("/health").json()
        assert health["status"] == (status if errors == [LACKS] else "ready")


def test_health_is_503_until_the_models_are_loaded() -> None:
    loaded: list[int] = []

    async def work(items: Sequence[Any]) -> None:
        while not loaded:
            await asyncio.sleep(0.01)

    with faked(work, load=("simplify-ru",)) as fake:
        answer = fake.client.get("/health")
        assert (answer.status_code, answer.json()["status"]) == (503, "loading")
        assert fake.metric("rewrite_ready") == 0
        loaded.append(1)
        fake.wait()
        assert fake.client.get("/health").json()["status"] == "ready"
        assert fake.metric("rewrite_ready") == 1


def test_what_nobody_wants_any_more_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pool, "_UNWANTED", 0.5)

    async def work(items: Sequence[Any]) -> None:
        await asyncio.sleep(60 if "вечно" in items[0] else 0)

    with faked(work, limits=Limits(seconds=10)) as fake:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{fake.url}/v1/rewrite", json={"text": "Кошка вечно спала."}, timeout=0.5)
        assert fake.rewritten(CAT)["text"] == f"{CAT} Да."
        assert fake.workers[0].starts == 2
    assert "Nobody wants any more what it does." in caplog.text


def test_a_worker_that_dies_with_nothing_to_do_is_started_anew(server: Running) -> None:
    server.wait()
    before = _workers(server)
    time.sleep(0.5)
    os.kill(before[0], signal.SIGKILL)
    until(lambda: len(_workers(server)) == len(before) and before[0] not in _workers(server), 5)
    server.wait()


def test_a_stop_of_all_processes_is_for_the_server(server: Running) -> None:
    server.wait()
    before = _workers(server)
    for pid in before:
        os.kill(pid, signal.SIGTERM)
    time.sleep(0.5)
    assert server.rewritten(CAT)["text"]
    assert _workers(server) == before


def test_a_batch_has_what_is_done_in_its_time_and_no_more_than_its_share() -> None:
    queue = FairQueue(1000)
    workers: Any = [FakeWorker(), FakeWorker()]
    working = Pool(workers, queue, warm=(), seconds=1)
    queue.put("a", [Job(kind(), "", asyncio.Queue()) for _ in range(100)])
    assert working._most(kind()) == 1
    for _ in range(9):
        working._learn(kind(seed=1, keep=["ж" * 1000]), 0.1)
        working._learn(kind(n=5), 0.001)
    assert working._most(kind(seed=2)) == 7
    assert 0.0005 < queue.pace < 0.05  # of two workers
    assert working._most(kind(n=5)) == 32
    queue.drain()
    queue.put("a", [Job(kind(), "", asyncio.Queue()) for _ in range(5)])
    assert working._most(kind(n=5)) == 3


def test_what_is_remembered_of_paces_is_small() -> None:
    workers: Any = [FakeWorker()]
    working = Pool(workers, FairQueue(9), warm=(), seconds=1)
    for number in range(1_000):
        working._learn(kind(keep=[f"{number}"], max_words=number), 0.1)
    working._learn(kind(keep=["ж" * 100_000]), 0.1)
    assert len(working._paces) <= pool._KINDS + 1
    assert all(isinstance(key, int) for key in working._paces)


def test_the_token_is_no_business_of_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def popen(command: Any, **options: Any) -> Any:
        given.append(options["env"])
        return SimpleNamespace(kill=lambda: None, wait=lambda: None)

    monkeypatch.setenv("REWRITE_TOKEN", "s3cret")
    monkeypatch.setattr(subprocess, "Popen", popen)
    sent: list[Any] = []
    monkeypatch.setattr(multiprocessing.connection.Connection, "send", lambda connection, item: sent.append(item))
    Worker(Settings(token="s3cret")).kill()
    assert "REWRITE_TOKEN" not in given[0]
    assert {**os.environ, "REWRITE_TOKEN": ""} == {**given[0], "REWRITE_TOKEN": ""}
    assert "s3cret" not in str(sent) + sent[0].token


def test_a_bug_in_a_worker_is_told_without_the_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(models: Any, kind: Kind, items: Sequence[Any]) -> Done:
        raise ValueError(items[0])

    monkeypatch.setattr(worker, "do", fail)
    monkeypatch.setattr(worker, "_end_with", lambda server: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    ours, theirs = multiprocessing.Pipe()
    ours.send(Settings(load=()))
    asked: Any = object.__new__(Worker)
    asked._connection = ours
    working = threading.Thread(target=worker.main, args=[theirs])
    working.start()
    with pytest.raises(WorkerFailed, match="The work failed with ValueError"):
        asyncio.run(Worker.ask(asked, kind(), ["секретный текст"]))
    ours.close()
    working.join()
    assert "ValueError in a worker" in caplog.text
    assert "секретный" not in caplog.text
