"""Workers that die, hang or fail, clients that go away or flood, a server that is told to stop."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from rewrite.errors import BadInput
from rewrite.server.pool import Died
from rewrite.server.settings import Limits
from tests.rewrite.server.conftest import Running, die, faked, started, until

CAT = "Кошка, которую нашли дети, спала на старом диване."
Work = Callable[[Sequence[Any]], Awaitable[None]]


def test_a_text_that_kills_its_worker_fails_alone() -> None:
    with faked(die) as fake:
        answer = fake.post("/v1/rewrite", texts=[f"Кошка {i} спала." for i in range(5)])
        assert answer.status_code == 200
        answer = fake.post("/v1/rewrite", text="Кошка спала. Кошка, умри. Собака спала.")
        assert (answer.status_code, "ended (exit status -9)" in answer.text) == (500, True)
        assert fake.rewritten(CAT)["text"] == f"{CAT} Да."
        assert fake.workers[0].starts == 3
        assert fake.metric("rewrite_worker_restarts") == 2


def test_others_of_the_batch_are_answered_once(slow: Work) -> None:
    async def work(items: Sequence[Any]) -> None:
        await slow(items)
        await die(items)

    texts = [f"Кошка {i} спала на старом диване." for i in range(9)]
    texts[4] = "Кошка, умри на старом диване."
    with faked(work) as fake, ThreadPoolExecutor(9) as pool:
        answers = list(pool.map(lambda text: fake.post("/v1/rewrite", text=text), texts))
    assert [answer.status_code for answer in answers] == [500 if "умри" in text else 200 for text in texts]
    assert [a.json()["results"][0]["text"] for a in answers if a.status_code == 200] == [
        f"{text} Да." for text in texts if "умри" not in text
    ]


def test_a_worker_that_dies_once_is_not_noticed() -> None:
    dead: list[int] = []

    async def work(items: Sequence[Any]) -> None:
        if not dead:
            dead.append(1)
            raise Died("exit status -9")

    with faked(work) as fake:
        assert fake.rewritten(CAT)["text"] == f"{CAT} Да."
        assert fake.workers[0].batches == [[CAT], [CAT]]


def test_an_answer_that_cannot_be_read_is_one_more_way_to_die() -> None:
    async def work(items: Sequence[Any]) -> None:
        raise AttributeError("no such class")

    with faked(work) as fake:
        answer = fake.post("/v1/rewrite", text=CAT)
        assert (answer.status_code, "ended (AttributeError)" in answer.text) == (500, True)
        assert fake.workers[0].starts == 3


def test_a_text_that_fails_leaves_others_alone(slow: Work) -> None:
    async def work(items: Sequence[Any]) -> None:
        await slow(items)
        if any("плохая" in item for item in items):
            raise BadInput("It cannot be read.")

    texts = [f"Кошка {i} спала на диване." for i in range(5)] + ["Кошка плохая спала на диване."]
    with faked(work) as fake, ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda text: fake.post("/v1/rewrite", text=text), texts))
    assert [answer.status_code for answer in answers] == [200] * 5 + [422]


def test_work_that_hangs_is_given_up_with_its_worker() -> None:
    async def work(items: Sequence[Any]) -> None:
        await asyncio.sleep(60 if "вечно" in items[0] else 0)

    with faked(work, limits=Limits(seconds=0.5)) as fake:
        answer = fake.post("/v1/rewrite", text="Кошка вечно спала.")
        assert (answer.status_code, answer.json()["error"]["type"]) == (408, "TimeOver")
        until(lambda: fake.workers[0].starts == 2)
        assert fake.rewritten(CAT)["text"] == f"{CAT} Да."
        with fake.client.stream("POST", "/v1/rewrite", json={"text": "Кошка вечно спала.", "stream": True}) as stream:
            events = [line.removeprefix("data: ") for line in stream.iter_lines() if line]
        assert (stream.status_code, events[-1]) == (200, "[DONE]")
        told = json.loads(events[-2])
        assert (told["type"], told["error"]["type"]) == ("error", "TimeOver")


def test_a_client_that_goes_away_frees_its_work(slow: Work) -> None:
    book = {"text": " ".join(f"Кошка {i} спала на старом диване." for i in range(400))}
    with faked(slow) as fake:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{fake.url}/v1/rewrite", json=book, timeout=0.5)
        with fake.client.stream("POST", "/v1/rewrite", json=book | {"stream": True}) as stream:
            assert '"start"' in next(stream.iter_lines())
        until(lambda: fake.metric("rewrite_queue_sentences") == 0)
        # What was being done is all that was done in vain.
        assert len(fake.workers[0].batches) < 10
        assert fake.rewritten(CAT)["text"] == f"{CAT} Да."


def test_a_book_does_not_hold_up_a_sentence(slow: Work) -> None:
    book = " ".join(f"Кошка {i} спала на старом диване." for i in range(300))
    with faked(slow) as fake, ThreadPoolExecutor(1) as pool:
        reading = pool.submit(fake.post, "/v1/rewrite", text=book)
        until(lambda: fake.metric("rewrite_queue_sentences") > 100)
        began = time.monotonic()
        with httpx.Client(base_url=fake.url) as other:
            assert other.post("/v1/rewrite", json={"text": CAT}).status_code == 200
        assert time.monotonic() - began < 2
        assert not reading.done()
        assert len(reading.result().json()["results"][0]["sentences"]) == 300


def test_a_flood_is_told_when_to_come_again(slow: Work) -> None:
    with faked(slow, limits=Limits(queue=20)) as fake, ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(lambda i: fake.post("/v1/rewrite", text=f"Кошка {i} спала."), range(60)))
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.status_code for answer in answers} == {200, 429}
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in refused)
    assert "sentences wait" in refused[0].json()["error"]["message"]


def test_slow_readers_and_many_streams_get_all_they_asked_for() -> None:
    body = json.dumps({"text": "Кошка спала на диване. Собака ела. Было тихо.", "stream": True}).encode()
    head = f"POST /v1/rewrite HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"

    def read(number: int) -> bytes:
        with socket.create_connection(("127.0.0.1", fake.port), timeout=60) as connection:
            connection.sendall(head.encode() + b"Connection: close\r\n\r\n" + body)
            parts = []
            while part := connection.recv(512 if number % 4 == 0 else 65536):
                parts.append(part)
                time.sleep(0.02 if number % 4 == 0 else 0)
            return b"".join(parts)

    with faked() as fake, ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(read, range(100)))
    assert all(answer.count(b'"type":"sentence"') == 3 and b"data: [DONE]" in answer for answer in answers)


def test_a_real_worker_that_is_killed_is_started_anew(server: Running) -> None:
    before = _workers(server)[0]
    texts = [f"Кошка {i}, которую нашли дети, спала на старом диване." for i in range(20)]
    with ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(server.post, "/v1/rewrite", text=text) for text in texts]
        time.sleep(0.1)
        os.kill(before, signal.SIGKILL)
        answers = [future.result() for future in asked]
    assert {answer.status_code for answer in answers} == {200}
    assert [answer.json()["results"][0]["source"] for answer in answers] == texts
    after = _workers(server)
    assert after
    assert before not in after
    server.wait()


def test_another_worker_starts_where_one_has_been_too_few_for_seconds(slow: Work) -> None:
    with faked(slow, workers=2) as fake:
        for turn in range(3):
            assert fake.rewritten(" ".join(f"Кошка {turn} {i} спала на диване." for i in range(4)))["text"]
        assert [worker.starts for worker in fake.workers] == [1, 0]
        answer = fake.rewritten(" ".join(f"Кошка {i} спала на старом диване." for i in range(800)))
        assert len(answer["sentences"]) == 800
        assert [worker.starts for worker in fake.workers] == [1, 1]
        done = [item for worker in fake.workers for batch in worker.batches for item in batch]
        assert fake.workers[1].batches
        assert len(done) == len(set(done)) == 812
        assert fake.metric("rewrite_worker_restarts") == 0


def test_when_told_to_stop_it_finishes_what_runs_and_takes_nothing_new() -> None:
    with started("--load", "simplify-ru") as running, ThreadPoolExecutor(1) as pool:
        assert running.process is not None
        running.wait()
        text = " ".join(f"Кошка {i}, которую нашли дети, спала на старом диване." for i in range(60))
        asked = pool.submit(running.post, "/v1/rewrite", text=text)
        until(lambda: running.metric("rewrite_queue_sentences") > 0)
        children = _workers(running)
        running.process.send_signal(signal.SIGTERM)
        with pytest.raises(httpx.ConnectError):
            until(lambda: httpx.get(f"{running.url}/health").is_error, 5)
        assert len(asked.result().json()["results"][0]["sentences"]) == 60
        assert running.process.wait(30) in (0, -signal.SIGTERM)
        assert not any(Path(f"/proc/{pid}").exists() for pid in children)


def test_told_again_it_ends_at_once_and_tells_whoever_it_leaves() -> None:
    text = " ".join(f"Кошка {i}, которую нашли дети, спала на старом диване." for i in range(900))
    with started("--load", "simplify-ru") as running:
        assert running.process is not None
        assert running.process.stderr is not None
        running.wait()
        children = _workers(running)
        with httpx.stream("POST", f"{running.url}/v1/rewrite", json={"text": text, "stream": True}) as stream:
            lines = stream.iter_lines()
            assert '"start"' in next(lines)
            running.process.send_signal(signal.SIGINT)
            assert running.process.stderr.readline() == "rewrite: finishing 1 request; Ctrl-C again ends at once\n"
            began = time.monotonic()
            running.process.send_signal(signal.SIGINT)
            events = [line for line in lines if line]
        assert running.process.wait(30) == 130
        assert time.monotonic() - began < 5
        assert ('"type": "error"' in events[-2], "Stopping" in events[-2], events[-1]) == (True, True, "data: [DONE]")
        assert running.process.stderr.read() == ""
        until(lambda: not any(_is_alive(pid) for pid in children))


def test_workers_end_with_a_server_that_is_killed_whatever_they_do() -> None:
    with started("--load", "simplify-ru") as running:
        assert running.process is not None
        running.wait()
        children = _workers(running)
        running.process.kill()
        until(lambda: not any(_is_alive(pid) for pid in children))
    long = {"source": CAT, "candidates": [f"{CAT[:-1]}, {'которая ела, ' * 300}{i}." for i in range(100)]}
    with started("--load", "simplify-ru") as running:
        assert running.process is not None
        running.wait()
        children = _workers(running)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{running.url}/v1/score", json=long, timeout=1)
        running.process.kill()
        until(lambda: not any(_is_alive(pid) for pid in children), 4)


def _workers(running: Running) -> list[int]:
    assert running.process is not None
    pid = running.process.pid
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = {int(child) for task in tasks for child in (task / "children").read_text().split()}
    return [child for child in children if b"rewrite.server.worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


def _is_alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "(zombie)" not in status.read_text()
