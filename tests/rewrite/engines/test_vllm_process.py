"""Processes of vLLM end with their user; the engine process here does nothing of what it is told."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

_JOB = """
import tempfile
kept = tempfile.TemporaryDirectory()  # whatever finalizes at exit and was there before multiprocessing
import multiprocessing, sys, time
from types import SimpleNamespace
from rewrite.engines.vllm_process import RunningModel

def forever():
    while True:
        time.sleep(1)

process = multiprocessing.get_context("fork").Process(target=forever, name="EngineCore")
process.start()
core = SimpleNamespace(shutdown=lambda: None)
running = RunningModel(SimpleNamespace(llm_engine=SimpleNamespace(engine_core=core)), [process])
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("way", ["end", "SIGINT", "SIGTERM", "SIGKILL"])
def test_no_process_outlives_its_user(way: str) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", _JOB], stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    ) as job:
        assert job.stdin is not None
        assert job.stdout is not None
        try:
            assert job.stdout.readline() == b"ready\n"
            if way == "end":
                job.stdin.write(b"\n")
                job.stdin.flush()
            else:
                job.send_signal(getattr(signal, way))
            job.wait(timeout=30)
            assert _ends(job.pid)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL)


def _ends(session: int, seconds: float = 10) -> bool:
    """Whether the last process of the session ends within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
