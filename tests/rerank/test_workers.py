"""Worker processes: what the parent has thrown away is not cleaned up in them, and Ctrl-C ends them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from rerank.errors import RewriteError
from rerank.workers import Rescue, cores, ordered_map

COLLECTED: list[int] = []


class Cycle:
    """Garbage that only the collector finds, as a model in a cycle of references."""

    def __init__(self) -> None:
        self.own = self

    def __del__(self) -> None:
        COLLECTED.append(os.getpid())


def collect(chunk: bytes) -> bytes:
    gc.collect()
    return b"here" if os.getpid() in COLLECTED else b"elsewhere"


def test_garbage_of_the_parent_is_not_collected_in_a_worker() -> None:
    gc.disable()
    try:
        Cycle()
        assert list(ordered_map(collect, [b"1", b"2", b"3"], 2)) == [b"elsewhere"] * 3
    finally:
        gc.enable()
    assert [os.getpid()] == COLLECTED


def deadly(chunk: list[int]) -> list[int]:
    if 7 in chunk:
        os.kill(os.getpid(), signal.SIGKILL)
    if 11 in chunk:
        raise ValueError("eleven")
    return chunk


RESCUE: Rescue[list[int], list[Any]] = Rescue(lambda chunk: [[n] for n in chunk], lambda chunk, why: [(chunk, why)])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_workers_die_over_fails_alone_and_in_its_place() -> None:
    chunks = [list(range(i, i + 5)) for i in range(0, 40, 5)]
    answers = [answer for answers in ordered_map(deadly, chunks, 2, RESCUE) for answer in answers]
    failed = {
        7: ([7], "A worker process ended over it 3 times (exit code -9)."),
        11: ([11], "An unexpected error: ValueError: eleven"),
    }
    assert answers == [failed.get(n, n) for n in range(40)]
    alone = [answer for answers in ordered_map(deadly, chunks[2:], 1, RESCUE) for answer in answers]
    assert alone == [failed.get(n, n) for n in range(10, 40)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_without_rescue_what_workers_die_over_ends_the_work() -> None:
    with pytest.raises(RewriteError, match=r"exit code -9\)\. If memory is short"):
        list(ordered_map(deadly, [[1], [7], [2]], 2))
    with pytest.raises(ValueError, match="eleven"):
        list(ordered_map(deadly, [[1], [11], [2]], 2))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_workers_that_never_answer_end_the_work() -> None:
    with pytest.raises(RewriteError, match="ended unexpectedly"):
        list(ordered_map(deadly, [[7]] * 100, 2, RESCUE))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_many_deaths_end_no_work_that_goes_on() -> None:
    chunks = [[1], *[[7], [2]] * 4]
    answers = [answer for answers in ordered_map(deadly, chunks, 2, RESCUE) for answer in answers]
    assert [answer for answer in answers if isinstance(answer, int)] == [1, 2, 2, 2, 2]
    assert len(answers) == len(chunks)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_worker_knows_its_share_of_the_cores() -> None:
    assert set(ordered_map(lambda chunk: cores(), [b"1", b"2"], 2)) == {max(1, cores() // 2)}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_ctrl_c_ends_parent_and_workers() -> None:
    code = """
import os, time
from rerank.workers import ordered_map
def work(chunk):
    os.write(1, b"working\\n")
    time.sleep(60)
    return chunk
try:
    list(ordered_map(work, [b"1", b"2", b"3"], 2))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=20)
    assert rest.split()[-1] == "stopped"
    assert process.returncode == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
