"""Requests to several servers: the least busy first, again after failures, never more at once than allowed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import pytest

from rewrite.engines.dispatch import Limits, Pace, Reply, Server, Session, run_apart
from rewrite.errors import MissingExtra, RewriteError, ServerError
from tests.rewrite.engines.server import FakeServer, FakeTime, Fault, faulty, refused_url, serving

pytest.importorskip("httpx")

PAYLOAD = {"model": "model", "prompt": "текст", "temperature": 1.0, "seed": 1, "max_tokens": 9}
BUSY = Fault("status", 500, "boom")


def ask(
    urls: Sequence[str], count: int = 1, *, pace: Pace, key: str = "", servers: Sequence[Server] = (), **limits: Any
) -> list[Reply | ServerError]:
    """`count` requests at once; a reply or the error for each."""

    async def one(session: Session, number: int) -> Reply | ServerError:
        try:
            return await session.ask("/completions", lambda refused: {**PAYLOAD, "seed": number})
        except ServerError as error:
            return error

    async def work() -> list[Reply | ServerError]:
        async with Session(servers or [Server(url) for url in urls], Limits(**limits), pace, key) as session:
            return list(await asyncio.gather(*(one(session, number) for number in range(count))))

    return run_apart(work)


def statuses(outcomes: Sequence[Reply | ServerError]) -> list[int]:
    return [outcome.status if isinstance(outcome, Reply) else 0 for outcome in outcomes]


def test_pauses_double_up_to_the_longest_less_up_to_half_by_chance() -> None:
    pace = Pace(first=0.25, longest=3.0, jitter=lambda: 0.0)
    assert [pace.pause(k) for k in range(1, 7)] == [0.25, 0.5, 1.0, 2.0, 3.0, 3.0]
    assert Pace(first=0.25, jitter=lambda: 0.999).pause(3) == pytest.approx(0.5, abs=0.001)
    assert pace.pause(100_000) == 3.0


def test_a_failing_server_is_asked_again_ever_later() -> None:
    clock = FakeTime()
    with serving(server := FakeServer(faults=faulty(BUSY, BUSY, BUSY))) as urls:
        outcomes = ask(urls, pace=clock.pace())
    assert statuses(outcomes) == [200]
    assert clock.slept == [0.25, 0.5, 1.0]
    assert len({str(payload) for payload in server.payloads}) == 1


@pytest.mark.parametrize(("header", "waited"), [("7", 7.0), ("9000", 60.0), ("nonsense", 0.25)])
def test_too_many_requests_wait_as_told_within_reason(header: str, waited: float) -> None:
    clock = FakeTime()
    fault = Fault("status", 429, "slow down", {"Retry-After": header})
    with serving(FakeServer(faults=faulty(fault))) as urls:
        assert statuses(ask(urls, pace=clock.pace())) == [200]
    assert sum(clock.slept) == waited


def test_all_requests_leave_alone_a_server_that_asks_for_patience() -> None:
    clock = FakeTime()
    fault = Fault("status", 429, "slow down", {"Retry-After": "7"})
    with serving(server := FakeServer(faults=faulty(fault))) as urls:
        assert statuses(ask(urls, 5, pace=clock.pace(), in_flight=1)) == [200] * 5
    assert len(server.posted) == 6
    assert clock.slept[0] == 7.0


@pytest.mark.parametrize(
    "fault",
    [
        Fault("reset"),
        Fault("cut"),
        Fault("cut", count=1),
        Fault("body", 200, body="<html>Just a moment…</html>"),
        Fault("json", 200, body='["a list"]'),
        Fault("status", 429, "busy"),
        Fault("status", 408, "too slow"),
        Fault("status", 503, "loading"),
        Fault("body", 502, body="<h1>Bad gateway</h1>"),
    ],
    ids=lambda fault: f"{fault.kind} {fault.status} {fault.count}",
)
def test_what_may_pass_is_asked_again(fault: Fault) -> None:
    with serving(server := FakeServer(faults=faulty(fault))) as urls:
        assert statuses(ask(urls, pace=FakeTime().pace())) == [200]
    assert len(server.posted) == 2


@pytest.mark.parametrize("status", [400, 404, 422, 501])
def test_a_refusal_is_final(status: int) -> None:
    with serving(server := FakeServer(faults=faulty(Fault("status", status, "no")))) as urls:
        assert statuses(ask(urls, pace=FakeTime().pace())) == [status]
    assert len(server.posted) == 1


@pytest.mark.parametrize("fault", [Fault("slow", seconds=20), Fault("trickle", seconds=0.01)], ids=["slow", "trickle"])
def test_an_answer_that_takes_too_long_is_asked_for_again(fault: Fault) -> None:
    with serving(server := FakeServer(faults=faulty(fault))) as urls:
        assert statuses(ask(urls, pace=FakeTime().pace(), timeout=0.2, connect_timeout=0.2)) == [200]
    assert len(server.posted) == 2


def test_after_the_last_try_the_error_names_address_and_cause() -> None:
    page = Fault("body", 200, body="<html>Welcome to the café</html>")
    with serving(server := FakeServer(faults=lambda *_: page)) as urls:
        (error,) = ask(urls, pace=FakeTime().pace(), retries=2)
    assert isinstance(error, ServerError)
    assert len(server.posted) == 3
    assert "3 tries" in str(error)
    assert urls[0] in str(error)
    assert "answered other than asked: '<html>Welcome" in str(error)


def test_long_answers_are_quoted_in_part() -> None:
    with serving(FakeServer(faults=lambda *_: Fault("body", 200, body="x" * 5000))) as urls:
        (error,) = ask(urls, pace=FakeTime().pace(), retries=0)
    assert 150 < str(error).count("x") <= 200


def test_where_nothing_listens_all_addresses_are_named() -> None:
    urls = [refused_url(), refused_url()]
    outcomes = ask(urls, 50, pace=FakeTime().pace(), retries=2, in_flight=4)
    for error in outcomes:
        assert isinstance(error, ServerError)
        assert all(f"{url} (Connection refused)" in str(error) for url in urls)


def test_a_server_that_is_down_is_set_aside_and_costs_the_others_nothing() -> None:
    clock = FakeTime()
    down = Server(refused_url())
    with serving(server := FakeServer()) as urls:
        outcomes = ask([], 40, pace=clock.pace(), servers=[down, Server(urls[0])], retries=0)
        assert statuses(outcomes) == [200] * 40
        assert len(server.posted) == 40
        assert down.failures == 1
        assert down.resumes > clock.now
    assert clock.slept == []


def test_a_server_that_comes_back_is_used_again() -> None:
    clock = FakeTime()
    with serving(first := FakeServer(), second := FakeServer()) as urls:
        servers = [Server(url) for url in urls]
        servers[0].failures, servers[0].resumes = 3, clock.now + 5
        ask([], 4, pace=clock.pace(), servers=servers)
        assert (len(first.posted), len(second.posted)) == (0, 4)
        clock.now += 5
        ask([], 12, pace=clock.pace(), servers=servers, in_flight=2)
        assert len(first.posted) >= 4
        assert servers[0].failures == 0


def test_a_lone_server_is_tried_again_however_it_went_last_time() -> None:
    clock = FakeTime()
    with serving(FakeServer()) as urls:
        server = Server(urls[0], failures=6, resumes=clock.now + 30)
        assert statuses(ask([], 3, pace=clock.pace(), servers=[server])) == [200] * 3
    assert clock.slept == []


def test_a_server_that_dies_leaves_its_requests_to_the_other() -> None:
    dying = FakeServer(faults=lambda number, _: Fault("die") if number == 5 else None, delay=0.01)
    with serving(dying, well := FakeServer()) as urls:
        outcomes = ask(urls, 60, pace=FakeTime().pace(), in_flight=8)
    assert statuses(outcomes) == [200] * 60
    assert len(well.posted) >= 50


def test_the_faster_server_gets_more() -> None:
    fast = FakeServer()

    def hold(*_: object) -> None:
        deadline = time.monotonic() + 60
        while len(fast.posted) < 30 and time.monotonic() < deadline:
            time.sleep(0.001)

    with serving(slow := FakeServer(faults=hold), fast) as urls:
        assert statuses(ask(urls, 40, pace=Pace(), in_flight=4)) == [200] * 40
    assert len(fast.posted) >= 30
    assert len(slow.posted) > 0


def test_no_more_requests_than_allowed_are_in_flight() -> None:
    one, two = FakeServer(delay=0.02), FakeServer(delay=0.02)
    seen: list[int] = []
    one.faults = two.faults = lambda *_: seen.append(one.running + two.running)  # type: ignore[func-returns-value]
    with serving(one, two) as urls:
        assert statuses(ask(urls, 24, pace=Pace(), in_flight=3)) == [200] * 24
    assert max(seen) == 3


def test_a_failed_request_turns_to_another_server_at_once() -> None:
    clock = FakeTime()
    with serving(bad := FakeServer(faults=lambda *_: BUSY), good := FakeServer()) as urls:
        assert statuses(ask(urls, pace=clock.pace())) == [200]
    assert (len(bad.posted), len(good.posted)) == (1, 1)
    assert clock.slept == []


def test_a_redirect_is_not_followed_and_the_key_stays() -> None:
    with serving(other := FakeServer()) as (elsewhere,):
        moved = Fault("status", 307, "moved", {"Location": f"{elsewhere}/completions"})
        with serving(FakeServer(faults=faulty(moved))) as urls:
            assert statuses(ask(urls, pace=FakeTime().pace(), key="secret")) == [307]
    assert other.asked == []


def test_the_key_is_sent_and_taken_out_of_what_comes_back() -> None:
    key = 'se/cr"et'
    echo = '{"error": "bad key se/cr\\"et, se\\/cr\\"et"}'
    with serving(server := FakeServer(faults=faulty(Fault("json", 400, body=echo)))) as urls:
        (reply,) = ask(urls, pace=FakeTime().pace(), key=key)
    assert isinstance(reply, Reply)
    assert server.posted[0].headers["Authorization"] == f"Bearer {key}"
    assert "cr" not in reply.text
    assert "cr" not in str(reply.data)


def test_without_a_key_none_is_sent() -> None:
    with serving(server := FakeServer()) as urls:
        ask(urls, pace=FakeTime().pace())
    assert "Authorization" not in server.posted[0].headers


def test_servers_on_this_machine_are_not_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", refused_url())
    with serving(FakeServer()) as urls:
        assert statuses(ask(urls, pace=FakeTime().pace(), retries=0)) == [200]


def test_half_a_character_is_sent_without_ado() -> None:
    async def work(url: str) -> Reply:
        async with Session([Server(url)], Limits(), Pace()) as session:
            return await session.ask("/completions", lambda _: {**PAYLOAD, "prompt": "\ud83d"})

    with serving(server := FakeServer()) as urls:
        run_apart(lambda: work(urls[0]))
    assert server.payloads[0]["prompt"] == "\ud83d"


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rewrite-rerank\[openai\]'"):
        ask(["http://127.0.0.1:1/v1"], pace=Pace())


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = "import sys, rewrite.engines.openai; print([m for m in ('httpx', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_work_apart_runs_inside_a_running_loop_and_passes_errors_on() -> None:
    async def fails() -> None:
        raise RewriteError("as told")

    async def notebook() -> int:
        with pytest.raises(RewriteError, match="as told"):
            run_apart(fails)
        return run_apart(lambda: asyncio.sleep(0, 42))

    assert asyncio.run(notebook()) == 42
