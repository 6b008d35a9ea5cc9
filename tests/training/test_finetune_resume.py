"""Runs that are killed, interrupted or out of disk: they go on, and end as if nothing had been."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

import torch

from tests.rewrite.engines.tiny import tiny_gpt2, tiny_t5
from tests.training.finetuning import PAIRS, recipe, run, weights

_LOSS = re.compile(r"step (\d+)/.*?loss ([\d.]+)")
_KILLED = """
import os, signal, sys, torch
save = torch.save

def save_or_die(what, path, *more, **named):
    save(what, path, *more, **named)
    if "checkpoint-4" in str(path) and "optimizer" in str(path):
        os.kill(os.getpid(), signal.SIGKILL)

torch.save = save_or_die
from training.finetune import main
main(sys.argv[1:])
"""


class Torn(BaseException):
    """Ends a run at once, as pulling the plug does."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # With dropout, so that random numbers have to go on where they were.
    return tiny_t5(tmp_path_factory.mktemp("t5"), dropout_rate=0.2)


@pytest.fixture(scope="module")
def path(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recipe(tmp_path_factory.mktemp("recipe"), model, accumulate=2, batch_tokens=64)


@pytest.fixture(scope="module")
def unbroken(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("unbroken")
    assert run(path, out) == 0
    return out


def losses(out: Path) -> list[float]:
    """All that the run has told of its losses, also before it was stopped."""
    state = json.loads(
        sorted((out / "finetune" / "checkpoints").glob("checkpoint-*/trainer_state.json"))[-1].read_text()
    )
    return [entry["loss"] for entry in state["log_history"] if "loss" in entry]


def require_same(out: Path, unbroken: Path) -> None:
    assert weights(out) == weights(unbroken)
    assert losses(out) == losses(unbroken)
    assert json.loads((out / "figures.json").read_text()) == json.loads((unbroken / "figures.json").read_text())


def test_a_run_killed_while_it_writes_a_checkpoint_ends_with_the_same_weights(
    path: Path, unbroken: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", _KILLED, str(path), "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    half = tmp_path / "finetune" / "checkpoints" / "checkpoint-4"
    assert (half / "optimizer.pt").is_file()
    assert run(path, tmp_path) == 0
    require_same(tmp_path, unbroken)


def _in_save(name: str, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    save = torch.save

    def save_or_stop(what: Any, path: Any, *more: Any, **named: Any) -> None:
        if "checkpoint-4" in str(path) and name in str(path):
            raise error
        save(what, path, *more, **named)

    monkeypatch.setattr(torch, "save", save_or_stop)


def _in_its_last_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import TrainerState

    save = TrainerState.save_to_json

    def stop(self: TrainerState, path: str) -> None:
        save(self, path)
        if "checkpoint-4" in path:
            Path(path).write_text(Path(path).read_text()[:-9])
            raise Torn

    monkeypatch.setattr(TrainerState, "save_to_json", stop)


def _after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import transformers.trainer

    def stop(output_dir: str, **_: Any) -> None:
        if (Path(output_dir) / "checkpoint-4").is_dir():
            raise Torn

    monkeypatch.setattr(transformers.trainer, "rotate_checkpoints", stop)


@pytest.mark.parametrize(
    ("tear", "left"),
    [
        (_in_its_last_file, 2),
        (_after_it, 4),
    ],
    ids=["in its last file", "after it"],
)
def test_wherever_it_is_torn_off_it_goes_on_from_the_last_whole_checkpoint(
    tear: Callable[[pytest.MonkeyPatch], None],
    left: int,
    path: Path,
    unbroken: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        tear(patch)
        with pytest.raises(Torn):
            run(path, tmp_path)
    capsys.readouterr()
    assert run(path, tmp_path) == 0
    assert f"goes on from step {left}\n" in capsys.readouterr().out
    require_same(tmp_path, unbroken)


def test_adapters_go_on_as_well(tmp_path: Path) -> None:
    pytest.importorskip("peft", reason="needs peft: pip install peft")
    settings = {"prompt": "rugpt3_simplify", "lora": {"rank": 4, "dropout": 0.2}, "learning_rate": 0.03}
    path = recipe(tmp_path, tiny_gpt2(tmp_path / "model"), **settings)
    assert run(path, tmp_path / "unbroken") == 0
    with pytest.MonkeyPatch.context() as patch:
        _in_save("scheduler", patch, KeyboardInterrupt())
        assert run(path, tmp_path / "out") == 130
    assert run(path, tmp_path / "out") == 0
    require_same(tmp_path / "out", tmp_path / "unbroken")


def test_a_finished_run_started_again_trains_nothing_and_writes_the_model_anew(
    path: Path, unbroken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = weights(unbroken)
    (unbroken / "model" / "model.safetensors").unlink()
    capsys.readouterr()
    assert run(path, unbroken) == 0
    assert not _LOSS.search(capsys.readouterr().out)
    assert weights(unbroken) == before


def test_a_run_stopped_in_a_checkpoint_goes_on_from_the_one_before(
    path: Path, unbroken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        _in_save("optimizer", patch, KeyboardInterrupt())
        assert run(path, tmp_path) == 130
    assert run(path, tmp_path) == 0
    assert "goes on from step 2\n" in capsys.readouterr().out
    require_same(tmp_path, unbroken)


def test_a_full_disk_is_told_and_the_run_goes_on_from_the_last_good_checkpoint(
    path: Path, unbroken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        _in_save("optimizer", patch, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        assert run(path, tmp_path) == 1
    told = capsys.readouterr().err
    assert f"Cannot write '{tmp_path}/finetune/checkpoints': No space left on device. Free some space" in told
    assert run(path, tmp_path) == 0
    assert "goes on from step 2\n" in capsys.readouterr().out
    require_same(tmp_path, unbroken)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    resource = pytest.importorskip("resource", reason="limits of files are a matter of Unix")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _room_for(size: int) -> Callable[[pytest.MonkeyPatch], AbstractContextManager[None]]:
    return lambda patch: largest_file(size)


def _none_for_the_figures(patch: pytest.MonkeyPatch) -> AbstractContextManager[None]:
    sync = os.fsync

    def full(descriptor: int) -> None:
        if "figures.json" in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    patch.setattr(os, "fsync", full)
    return nullcontext()


@pytest.mark.parametrize(
    ("full", "file", "reason"),
    [
        (_room_for(100), "finetune/run.json", "File too large"),
        (_room_for(4000), "finetune/packs/0", "No space left on device"),
        (_none_for_the_figures, "figures.json", "No space left on device"),
    ],
    ids=["the record of the run", "packs", "figures"],
)
def test_a_disk_that_is_full_at_any_time_is_told_with_the_file_and_leaves_no_half(
    full: Callable[[pytest.MonkeyPatch], AbstractContextManager[None]],
    file: str,
    reason: str,
    model: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, out = recipe(tmp_path, model, PAIRS * 60, steps=1), tmp_path / "out"
    with pytest.MonkeyPatch.context() as patch, full(patch):
        assert run(path, out) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == (
        f"finetune: Cannot write {str(out / file)!r}: {reason}. Free some space, then run the same command again."
    )
    assert not (out / file).exists()
    assert not [left.name for left in out.rglob("*") if left.name.startswith(".") or left.suffix == ".new"]
    assert run(path, out) == 0
    assert (out / "figures.json").is_file()


def test_a_file_that_the_system_does_not_let_grow_is_told(
    path: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with largest_file((model / "model.safetensors").stat().st_size // 2):
        assert run(path, tmp_path) == 1
    told = capsys.readouterr().err
    assert f"Cannot write '{tmp_path}/finetune/checkpoints': " in told
    assert "File too large" in told
