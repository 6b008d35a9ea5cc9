"""The openai engine where servers fail or work is interrupted: no input is lost, none is drawn twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from rewrite.engines.base import Sample
from rewrite.errors import ServerError
from rewrite.generators.base import Sampling
from tests.rewrite.engines.asking import SAMPLING, SOURCES, draw, engine, error, samples, text, turns
from tests.rewrite.engines.server import FakeServer, Fault, Faults, refused_url, serving

pytest.importorskip("httpx")


def test_servers_that_cannot_be_reached_are_all_named() -> None:
    urls = [refused_url(), refused_url()]
    with pytest.raises(ServerError) as raised:
        engine(urls).sample([text(source) for source in SOURCES], SAMPLING)
    assert all(url in str(raised.value) for url in urls)
    assert "Connection refused" in str(raised.value)


def test_a_server_that_never_answers_right_is_an_error_of_the_input() -> None:
    found = error(draw(FakeServer(faults=lambda *_: Fault("status", 500, "out of memory")), [text("Кот.")], retries=1))
    assert "out of memory" in str(found)


def test_what_was_answered_before_the_only_server_died_is_kept() -> None:
    fake = FakeServer(faults=lambda number, _: Fault("die") if number == 10 else None)
    drawn = draw(fake, [text(source) for source in SOURCES], in_flight=2, retries=2)
    kept = [found for found in drawn if isinstance(found, list)]
    assert 8 <= len(kept) <= 11
    assert all(len(found) == 3 for found in kept)
    assert all(isinstance(found, ServerError) for found in drawn if not isinstance(found, list))


def _random_faults(seed: int, death: int | None) -> Faults:
    kinds = [
        Fault("status", 429, "busy"),
        Fault("status", 429, "busy", {"Retry-After": "2"}),
        Fault("status", 500, "boom"),
        Fault("body", 503, body="<p>later</p>"),
        Fault("body", 200, body="<p>sign in</p>"),
        Fault("reset"),
        Fault("cut"),
        Fault("cut", count=1),
        Fault("slow", seconds=0.02),
    ]
    chance = random.Random(seed)
    drawn = [chance.choice(kinds) if chance.random() < 0.35 else None for _ in range(1000)]
    return lambda number, _: Fault("die") if number == death else drawn[number]


@pytest.mark.parametrize("seed", range(2))
def test_under_random_faults_every_input_draws_what_it_would_without(seed: int) -> None:
    inputs = [(text if i % 2 else turns)(source) for i, source in enumerate(SOURCES)]
    wanted = samples(draw(FakeServer(), inputs))
    dying, lasting = FakeServer(faults=_random_faults(seed, 15)), FakeServer(faults=_random_faults(seed + 100, None))
    with serving(dying, lasting) as urls:
        assert samples(engine(urls, retries=30, in_flight=8).sample(inputs, SAMPLING)) == wanted
    assert len(dying.posted) >= 15


@pytest.mark.parametrize("seed", range(2))
def test_short_answers_among_faults_neither_lose_nor_repeat_a_text(seed: int) -> None:
    chance = random.Random(seed)
    faults = [Fault("fewer", count=chance.randint(1, 4)) if chance.random() < 0.4 else None for _ in range(1000)]
    inputs = [text(source) for source in SOURCES]
    drawn = samples(draw(FakeServer(faults=lambda number, _: faults[number]), inputs, Sampling(n=5)))
    assert [len({sample.text for sample in found}) for found in drawn] == [5] * 40


def test_it_works_inside_a_running_loop() -> None:
    async def notebook() -> list[list[Sample]]:
        return samples(draw(FakeServer(), [text("Кот.")]))

    assert len(asyncio.run(notebook())[0]) == 3


def test_no_thread_is_left_behind() -> None:
    with serving(FakeServer()) as urls:
        asked = engine(urls)
        asked.sample([text("Кот.")], SAMPLING)
        asked.close()
        asked.close()
        assert not [thread for thread in threading.enumerate() if "rewrite" in thread.name]
        assert len(samples(asked.sample([text("Кот.")], SAMPLING))) == 1


_INTERRUPTED = """
import sys, threading
from rewrite.engines.base import ModelInput
from rewrite.engines.openai import create
from rewrite.generators.base import Sampling
try:
    create(sys.argv[1] + "#model", {}).sample([ModelInput("x", text=str(i)) for i in range(5)], Sampling(n=1))
except KeyboardInterrupt:
    print("interrupted", [thread.name for thread in threading.enumerate()], flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
def test_an_interruption_ends_the_work_at_once() -> None:
    fake = FakeServer(delay=60)
    with serving(fake) as (url,):
        child = subprocess.Popen([sys.executable, "-c", _INTERRUPTED, url], stdout=subprocess.PIPE, text=True)
        _until(lambda: fake.running == 5)
        child.send_signal(signal.SIGINT)
        # Less than the server would take.
        output, _ = child.communicate(timeout=50)
        _until(lambda: fake.dropped == 5)
    assert output.splitlines()[0] == "interrupted ['MainThread']"
    assert child.returncode == 0


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
