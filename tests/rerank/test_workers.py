"""Worker processes: what the parent has thrown away is not cleaned up in them, and Ctrl-C ends them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time

import pytest

from rerank.workers import ordered_map

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
