"""Who may ask, how much may come, how long it may take, and what is counted and logged of it."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import numpy as np
import pytest

from rerank.types import Candidate, ScoreTable
from rewrite.server import connection, running
from rewrite.server.app import create_app
from rewrite.server.running import configured
from rewrite.server.service import Service
from rewrite.server.settings import Limits, Settings
from rewrite.server.tasks import measured
from tests.rewrite.server import conftest
from tests.rewrite.server.conftest import FakeWorker, Running, faked, until
from tests.rewrite.server.test_faults import CAT


def sent(fake: Running, body: bytes, *, length: int | None = None, path: str = "/v1/rewrite") -> socket.socket:
    """A connection with a request whose body has a `length`, of which `body` has been sent."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    opened.settimeout(30)
    opened.connect(("127.0.0.1", fake.port))
    opened.sendall(f"{head}Content-Length: {length or len(body)}\r\n\r\n".encode() + body)
    return opened


def rest(opened: socket.socket, *, pause: float = 0) -> bytes:
    parts = []
    with opened:
        while part := opened.recv(65536):
            parts.append(part)
            time.sleep(pause)
    return b"".join(parts)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of 30 long candidates."""

    def table(source: str) -> ScoreTable:
        names, count = measured("simplify"), 30
        candidates = [Candidate(f"{source[:-1]} {'ж' * 300} {i}.", generator="fake", tokens=7) for i in range(count)]
        values = np.full((count, len(names)), 0.5)
        return ScoreTable(source, tuple(candidates), names, values, values[0] / 2, ("",) * count)

    monkeypatch.setattr(conftest, "table", table)


@pytest.mark.usefixtures("large")
def test_a_large_stream_is_whole_however_slowly_it_is_read() -> None:
    text = " ".join(f"Кошка {i} спала на старом диване." for i in range(100))
    with faked() as fake:
        opened = sent(fake, json.dumps({"text": text, "stream": True}).encode())
        time.sleep(1)
        answer = rest(opened, pause=0.002)
    assert len(answer) > 2_000_000
    events = [line.removeprefix("data: ") for line in answer.decode().splitlines() if line.startswith("data: ")]
    assert events[-1] == "[DONE]"
    told = [json.loads(event) for event in events[:-1]]
    assert sorted(event["index"] for event in told if event["type"] == "sentence") == list(range(100))
    assert [told[0]["type"], told[-1]["type"]] == ["start", "result"]


@pytest.mark.usefixtures("large")
def test_a_stream_whose_time_is_over_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_LAST_WORD", 2)
    text = " ".join(f"Кошка {i} спала на старом диване." for i in range(300))
    with faked(limits=Limits(seconds=1)) as fake:
        opened = sent(fake, json.dumps({"text": text, "stream": True}).encode())
        time.sleep(4)
        answer = rest(opened)
    assert answer.count(b'"type":"sentence"') < 300
    last = answer[answer.rindex(b'data: {"type": "error"') :].decode().split("\n\n")
    assert json.loads(last[0].removeprefix("data: "))["error"]["type"] == "TimeOver"
    assert last[1] == "data: [DONE]"


def test_work_that_misses_that_its_client_has_gone_is_told_again() -> None:
    told: list[int] = []

    async def app(*_: Any) -> None:
        for number in range(2):
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            told.append(number)
        raise asyncio.CancelledError

    async def asked() -> None:
        messages = [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]

        async def receive() -> Any:
            await asyncio.sleep(0.1)
            return messages.pop(0)

        nothing: Any = None
        scope: Any = {"type": "http", "path": "/", "query_string": b"", "headers": []}
        guarded = connection.Guarded(app, Limits(), token="", hosts=())
        await asyncio.wait_for(guarded(scope, receive, nothing), 10)

    asyncio.run(asked())
    assert told == [0, 1]


def test_a_body_that_never_ends_is_408(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_BODY_SECONDS", 0.3)
    with faked() as fake:
        answer = rest(sent(fake, b'{"text": "', length=1_000))
    assert answer.startswith(b"HTTP/1.1 408")
    assert "The body did not come in 0.3 s." in answer.decode()


def test_bodies_of_all_requests_are_bounded_together() -> None:
    large = json.dumps({"text": CAT, "options": {"keep": ["ж" * 95_000]}}, ensure_ascii=False).encode()
    with faked(limits=Limits(body=200_000)) as fake, ExitStack() as held:
        for _ in range(8):
            held.enter_context(sent(fake, b" " * 199_000, length=200_000))
        time.sleep(0.5)
        answer = fake.client.post("/v1/rewrite", content=large, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "10")
        assert fake.rewritten(CAT)["text"]
        held.close()
        until(
            lambda: (
                fake.client.post("/v1/rewrite", content=large, headers={"Content-Type": "application/json"}).status_code
                != 429
            )
        )


def test_a_connection_that_says_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_SILENT", 0.3)
    with faked() as fake:
        for said in (b"", b"GET /hea"):
            with socket.create_connection(("127.0.0.1", fake.port), timeout=10) as silent:
                silent.sendall(said)
                assert silent.recv(1) == b""


def test_too_many_connections_are_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_CONNECTIONS", 3)
    with faked() as fake, ExitStack() as held:
        for _ in range(3):
            held.enter_context(socket.create_connection(("127.0.0.1", fake.port)))
        answer = httpx.get(f"{fake.url}/v1/tasks")
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "30")
        assert answer.json()["error"]["message"] == "3 connections are open, and no more are taken."


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:8008", "[::1]", "[::1]:9", "me.example"])
def test_a_server_on_this_machine_answers_to_its_own_names_alone(host: str) -> None:
    with faked(hosts=("localhost", "127.0.0.1", "[::1]", "me.example")) as fake:
        assert fake.client.get("/v1/tasks", headers={"Host": host}).status_code == 200
        for other in ("evil.example", "evil.example:8008", "localhost.evil.example", "[::2]:80"):
            answer = fake.client.get("/v1/tasks", headers={"Host": other})
            assert answer.status_code == 421
            assert "Ask localhost; the flags host and proxy" in answer.json()["error"]["hint"]
    with faked() as fake:
        assert fake.client.get("/v1/tasks", headers={"Host": "evil.example"}).status_code == 200


@pytest.mark.parametrize(("proxies", "seen"), [((), "127.0.0.1"), (("10.0.0.1", "127.0.0.1"), "192.0.2.7")])
def test_only_a_proxy_that_is_named_says_for_whom_it_asks(proxies: tuple[str, ...], seen: str) -> None:
    clients = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        clients.append(scope["client"][0])

    async def asked() -> None:
        served: Any = app
        config = configured(served, Settings(proxies=proxies))
        config.load()
        scope: Any = {"type": "http", "client": ("127.0.0.1", 9), "headers": [(b"x-forwarded-for", b"192.0.2.7")]}
        nothing: Any = None
        await config.loaded_app(scope, nothing, nothing)

    asyncio.run(asked())
    assert clients == [seen]


def paths(routes: Any) -> Iterator[tuple[str, str]]:
    """Methods and paths of all routes, of routers too."""
    for route in routes:
        if router := getattr(route, "original_router", None):
            yield from paths(router.routes)
        else:
            yield from ((method, route.path) for method in getattr(route, "methods", ("GET",)))


def test_the_token_is_asked_on_every_route() -> None:
    workers: Any = [FakeWorker()]
    known = set(paths(create_app(Settings(), workers).routes))
    closed = {(method, path) for method, path in known if not path.startswith(("/docs", "/static"))}
    closed -= {(method, path) for method in ("GET", "HEAD") for path in ("/", "/health", "/openapi.json")}
    assert {("POST", "/v1/rewrite"), ("GET", "/metrics"), ("GET", "/v1/models/{name}")} < closed
    with faked(token="s3cret") as fake:
        for method, path in closed:
            assert fake.client.request(method, path.replace("{name}", "simplify-ru")).status_code == 401, path
        for method, path in known - closed - {("HEAD", "/"), ("GET", "/static"), ("GET", "/docs/static")}:
            assert fake.client.request(method, path).status_code != 401, path
        assert fake.client.head("/").status_code == fake.client.get("/").status_code


@pytest.mark.usefixtures("large")
def test_requests_are_counted_by_route_and_no_path_is_a_label() -> None:
    with faked(token="s3cret") as fake:
        key = {"Authorization": "Bearer s3cret"}
        assert fake.client.post("/v1/rewrite", json={"text": CAT}).status_code == 401
        assert fake.client.post("/v1/rewrite", json={"text": CAT}, headers=key).status_code == 200
        for path in ("/v1/nothing/a-secret", "/static/a-secret", "/v1/models/a-secret"):
            assert fake.client.get(path, headers=key).status_code == 404
        fake.client.headers = httpx.Headers(key)
        lines = fake.client.get("/metrics").text.splitlines()
        tokens = fake.metric("rewrite_tokens_total")
    counted = {line.split()[0]: float(line.split()[1]) for line in lines if not line.startswith("#")}
    assert counted['rewrite_requests_total{route="/v1/rewrite",status="401"}'] == 1
    assert counted['rewrite_requests_total{route="/v1/rewrite",status="200"}'] == 1
    assert counted['rewrite_requests_total{route="other",status="404"}'] >= 1
    assert counted['rewrite_request_seconds_count{route="/v1/rewrite"}'] == 2
    assert counted['rewrite_request_seconds_sum{route="/v1/rewrite"}'] > 0
    assert tokens == 30 * 7
    assert not any("a-secret" in line for line in lines)


def test_a_bug_in_a_route_is_told_without_the_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(service: Service, request: Any, **_: Any) -> None:
        raise ValueError(request.text)

    monkeypatch.setattr(Service, "rewrite_all", fail)
    with faked() as fake:
        answer = fake.post("/v1/rewrite", text=CAT)
    assert (answer.status_code, "ValueError" in answer.text, "Кошка" in answer.text) == (500, True, False)
    assert "ValueError in POST /v1/rewrite" in caplog.text
    assert "Кошка" not in caplog.text


def test_a_server_that_is_to_stop_takes_no_new_work() -> None:
    async def asked() -> httpx.Response:
        workers: Any = [FakeWorker()]
        app = create_app(Settings(load=(), generators={"simplify": "edits"}), workers)
        app.state.service.stop()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            return await asyncio.wait_for(client.post("/v1/rewrite", json={"text": CAT}), 10)

    answer = asyncio.run(asked())
    assert (answer.status_code, answer.json()["error"]["type"]) == (503, "Stopping")
