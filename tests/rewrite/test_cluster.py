"""A run on a real Ray cluster of two nodes: the same rows as here, also where a node is killed midway."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rewrite.corpus.cluster import cluster_at

pytest.importorskip("ray", reason="Ray is not installed: the extra `ray`")

LINES = [
    f"В связи с проведением {number} ремонтных работ, которые начались ещё в {number} году, движение по мосту было "
    "временно приостановлено, о чём жителям города сообщили заранее."
    for number in range(2, 602)
]
_REWRITE = (sys.executable, "-m", "rewrite", "simplify", "--generator", "edits")


def _ray(*arguments: str) -> subprocess.Popen[bytes]:
    """A node in a group of processes of its own, so that all of it can be killed at once."""
    command = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--num-cpus", "1", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        [*command, "--disable-usage-stats", "--object-store-memory", "80000000"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _kill(node: subprocess.Popen[bytes]) -> None:
    os.killpg(node.pid, signal.SIGKILL)
    node.wait()


@pytest.fixture(autouse=True)
def without_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray keeps its token in the home folder, and wants `RAY_AUTH_MODE` from whoever names an address."""
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")


@pytest.fixture
def cluster() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a cluster of two nodes of one core each, and the second of them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    head = _ray("--head", "--port", str(port), "--node-ip-address", "127.0.0.1", "--include-dashboard", "false")
    for _ in range(100):
        with socket.socket() as there:
            if there.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    second = _ray("--address", address)
    yield address, second
    for node in (second, head):
        if node.poll() is None:
            _kill(node)


def _until(condition: Callable[[], bool], seconds: float) -> bool:
    over = time.monotonic() + seconds
    while time.monotonic() < over:
        if condition():
            return True
        time.sleep(0.1)
    return False


def test_node_that_is_killed_loses_no_row(cluster: tuple[str, subprocess.Popen[bytes]], tmp_path: Path) -> None:
    address, second = cluster
    source, here, there = (tmp_path / name for name in ("text.txt", "here.txt", "there.txt"))
    source.write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    part = there.with_name("there.txt.part")
    run = subprocess.Popen(
        [*_REWRITE, "-i", str(source), "-o", str(there), "--ray", address], stderr=subprocess.PIPE, text=True
    )
    assert _until(lambda: part.exists() and part.stat().st_size > 0, 90), run.stderr and run.stderr.read()
    _kill(second)
    assert not there.exists()
    _, said = run.communicate(timeout=200)
    assert run.returncode == 0, said
    subprocess.run([*_REWRITE, "-i", str(source), "-o", str(here)], check=True, capture_output=True, timeout=200)
    assert there.read_bytes() == here.read_bytes()
    assert "Traceback" not in said


def test_no_cluster_is_one_line(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("simplify", "--generator", "edits", "--ray", "127.0.0.1:1", "Город стоит на реке.") == 1
    said = capfd.readouterr().err
    assert said.startswith("rewrite: No Ray cluster answers at '127.0.0.1:1'")
    assert said.count("\n") == 1


def test_judging_on_a_cluster_is_refused(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("judge", "--metric", "source-rouge1", "--ray", "local") == 2
    assert "--ray 'local' with judge." in capfd.readouterr().err


def test_ctrl_c_does_not_break_the_end_of_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    def shutdown() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        ended.append(True)

    for name, stands in (("init", lambda **options: None), ("put", lambda work: work), ("shutdown", shutdown)):
        monkeypatch.setattr(f"ray.{name}", stands)
    with cluster_at("local", lambda load: load):
        pass
    assert ended
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
