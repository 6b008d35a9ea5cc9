"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rerank.analysis import Analyzer


def pytest_configure() -> None:
    """Hear Ctrl-C and hangups: background jobs and `nohup` are deaf to them, and so would be what tests interrupt."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and hasattr(os, "sched_setaffinity"):
        # A core for each process of the run: libraries that take all cores would wait for each other's threads.
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker.removeprefix("gw")) % len(cores)]})


@pytest.fixture(scope="session")
def analyzer() -> Analyzer:
    """One analyser for the whole run, so that each tagger is loaded once at most."""
    return Analyzer()


@pytest.fixture(scope="session", autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What tests convert goes into a cache of their own, not into the user's; the default needs no language model.

    The default with one is tested by name, and by what README shows.
    """
    with pytest.MonkeyPatch.context() as patch:
        # Each model is converted once.
        patch.setenv("REWRITE_CACHE", str(_of_all_processes(tmp_path_factory) / "cache"))
        patch.setenv("REWRITE_GENERATOR", "edits")
        patch.setenv("REWRITE_SPLIT_GENERATOR", "splitter")
        yield


def _of_all_processes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the processes which share a run (pytest-xdist) have in common."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folder of a tiny random model of a family (`gpt2`, `t5`, `bart`, `marian`, `chat`), made when first asked for."""
    pytest.importorskip("transformers", reason="making a model needs the [hf] extra")
    pytest.importorskip("torch", reason="making a model needs the [hf] extra")
    from tests.rewrite.engines import tiny

    made: dict[str, Path] = {}

    def folder(family: str) -> Path:
        if family not in made:
            made[family] = getattr(tiny, f"tiny_{family}")(tmp_path_factory.mktemp("models") / f"tiny-{family}")
        return made[family]

    return folder


@pytest.fixture(scope="session")
def tiny_masked_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folder of a tiny random masked model of a family of `tiny_masked.FAMILIES`, made when first asked for."""
    pytest.importorskip("transformers", reason="making a model needs the [hf] extra")
    pytest.importorskip("torch", reason="making a model needs the [hf] extra")
    from tests.rerank import tiny_masked

    made: dict[str, Path] = {}

    def folder(family: str) -> Path:
        if family not in made:
            made[family] = tiny_masked.build(family, tmp_path_factory.mktemp("masked") / family)
        return made[family]

    return folder


@pytest.fixture(scope="session")
def fine_tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a tiny GPT-2 that was taught fifty pairs (some six seconds, when first asked for)."""
    pytest.importorskip("transformers", reason="fine-tuning needs the [hf] extra")
    pytest.importorskip("torch", reason="fine-tuning needs the [hf] extra")
    from filelock import FileLock

    from tests.rewrite.engines.pairs import PAIRS
    from tests.rewrite.engines.tuning import fine_tune

    folder = _of_all_processes(tmp_path_factory) / "fine-tuned"
    with FileLock(f"{folder}.lock"):
        # Written last: the model is whole.
        return folder if (folder / "prompt.yaml").exists() else fine_tune(folder, PAIRS)


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """`rewrite ARGUMENTS…` in this process; gives the exit code."""
    from rewrite.cli import main

    def run(*arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["rewrite", *arguments])
        with pytest.raises(SystemExit) as done:
            main()
        return int(done.value.code or 0)

    return run
