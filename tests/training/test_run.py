"""A whole recipe: noisy pairs become a filtered set, a model, a packed model and weights; and once more, from there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import yaml

pytest.importorskip("accelerate", reason="needs accelerate: pip install 'rewrite-rerank[train]'")

from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.readme_blocks import ROOT
from tests.rewrite.engines.tiny import tiny_t5
from tests.training.finetuning import PAIRS
from training.recipe import load_recipe, shipped_recipes
from training.run import STEPS, main, steps_of

SCORES = ("entities", "similarity", "readability", "length", "lexical", "depth")
NOISE = ("The weather is fine today.", "Fine weather."), (PAIRS[0][0], PAIRS[0][0]), PAIRS[1]


def _recipe(folder: Path) -> Path:
    rows = [json.dumps({"source": s, "target": t}, ensure_ascii=False) for s, t in (*PAIRS, *NOISE)]
    (folder / "noisy.jsonl").write_text("\n".join(rows), encoding="utf-8")
    sections = {
        "name": "tiny",
        "filter": {"pairs": [str(folder / "noisy.jsonl")], "thresholds": dict.fromkeys(SCORES, 0), "jobs": 1},
        "finetune": {
            "model": str(tiny_t5(folder / "base")),
            "prompt": "seq2seq_plain",
            "steps": 2,
            "threads": 1,
            "precision": "fp32",
        },
        "export": {
            "licence": "apache-2.0",
            "data": [{"name": "ours", "licence": "none stated"}],
            "quantization": "float32",
        },
        "weights": {"sources": str(folder / "noisy.jsonl"), "generator": "edits+ct2:{out}/export/tiny"}
        | {"n": 3, "settings": 20, "folds": 2, "samples": 100},
    }
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump(sections), encoding="utf-8")
    return path


def test_a_recipe_is_taken_from_noisy_pairs_to_weights_and_again_without_harm(tmp_path: Path) -> None:
    recipe, out = _recipe(tmp_path), tmp_path / "out"
    assert main([str(recipe), "--out", str(out)]) == 0
    kept = [json.loads(line)["source"] for line in (out / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert kept == [source for source, _ in PAIRS]
    packed = (out / "export" / "tiny" / "SHA256SUMS").read_bytes()
    preset = (out / "preset.yaml").read_bytes()
    assert main([str(recipe), "--out", str(out)]) == 0
    assert (out / "export" / "tiny" / "SHA256SUMS").read_bytes() == packed
    assert (out / "preset.yaml").read_bytes() == preset
    options = Options(generator=f"edits+ct2:{out / 'export' / 'tiny'}", preset=str(out / "preset.yaml"), n=3)
    assert Pipeline(options).run([PAIRS[4][0]])[0].text


def test_the_plan_names_the_steps_and_takes_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe, out = _recipe(tmp_path), tmp_path / "out"
    assert main([str(recipe), "--out", str(out), "--dry-run"]) == 0
    said = capfd.readouterr().out
    places = [said.index(f"-m training.{step} ") for step in ("filter", "finetune", "export", "weights")]
    assert places == sorted(places)
    assert "2 steps" in said
    assert not out.exists()


def test_a_step_that_fails_ends_the_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe = _recipe(tmp_path)
    (tmp_path / "noisy.jsonl").unlink()
    assert main([str(recipe), "--out", str(tmp_path / "out")]) == 1
    told = capfd.readouterr()
    assert "noisy.jsonl" in told.err
    assert "The step filter ended with exit status 1." in told.err
    assert "training.finetune" not in told.out


def test_a_step_that_is_killed_is_told_by_its_signal(tmp_path: Path) -> None:
    with _under_way(tmp_path) as (process, _):
        (step,) = _children(process.pid)
        os.kill(step, signal.SIGKILL)
        assert process.wait(60) == 128 + signal.SIGKILL
        assert "The step filter was ended by SIGKILL." in _told(process)


@contextmanager
def _under_way(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A run whose first step reads from a pipe that nobody writes to, and the pipe."""
    recipe = _recipe(folder)
    (folder / "noisy.jsonl").unlink()
    os.mkfifo(folder / "noisy.jsonl")
    command = [sys.executable, "-m", "training.run", str(recipe), "--out", str(folder / "out")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        # Opens as soon as the step has opened the other end.
        pipe = os.open(folder / "noisy.jsonl", os.O_WRONLY)
        try:
            yield process, pipe
        finally:
            os.close(pipe)
            process.kill()


def _told(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.read()


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize(
    ("number", "to", "status"),
    [
        # As a terminal does on Ctrl-C.
        (signal.SIGINT, os.killpg, 130),
        (signal.SIGINT, os.kill, 130),
        (signal.SIGTERM, os.kill, 143),
        (signal.SIGTERM, os.killpg, 143),
        (signal.SIGHUP, os.kill, 129),
    ],
)
def test_what_stops_a_run_ends_the_step_under_way_once(
    number: int, to: Callable[[int, int], None], status: int, tmp_path: Path
) -> None:
    with _under_way(tmp_path) as (process, pipe):
        to(process.pid, number)
        assert process.wait(60) == status
        with pytest.raises(BrokenPipeError):
            os.write(pipe, b"Nobody reads any more.")
        told = _told(process).splitlines()
    of_the_step = ["filter: stopped; the same command goes on."] if number == signal.SIGINT else []
    assert told == [*of_the_step, "run: stopped; the same command goes on"]


_DEAF = """
import signal, sys, time
from training.child import Stopped, run_child
deaf = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
try:
    run_child([sys.executable, "-c", deaf])
except Stopped as stop:
    sys.exit(100 + stop.number)
"""


def test_a_step_that_does_not_listen_is_killed_by_a_second_signal_and_sleeps_with_its_run() -> None:
    with subprocess.Popen([sys.executable, "-c", _DEAF], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "deaf\n"
        (child,) = _children(process.pid)
        try:
            process.send_signal(signal.SIGTSTP)
            _wait_for(lambda: _state(child) == "T" == _state(process.pid))
            process.send_signal(signal.SIGCONT)
            _wait_for(lambda: _state(child) == "S" == _state(process.pid))
            process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.5)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 100 + signal.SIGINT
            assert not Path(f"/proc/{child}").exists()
        finally:
            process.kill()
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


def _wait_for(what: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_told_of_the_folder_and_the_data(step: str, tmp_path: Path) -> None:
    asked: list[list[str]] = []
    sections = yaml.safe_load(_recipe(tmp_path).read_text(encoding="utf-8"))
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump({"name": "one", step: sections[step]}), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.run.run_child", lambda command: asked.append(list(command)) or 0)
        assert main([str(path), "--out", str(tmp_path / "out"), "--data", str(tmp_path / "data")]) == 0
        assert main([str(path), "--out", str(tmp_path / "out")]) == 0
    start = [sys.executable, "-m", f"training.{step}", str(path), "--out", str(tmp_path / "out")]
    assert asked == [[*start, "--data", str(tmp_path / "data")], start]


def test_a_recipe_without_a_step_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "recipe.yaml").write_text("name: nothing\n", encoding="utf-8")
    assert main([str(tmp_path / "recipe.yaml"), "--out", str(tmp_path / "out")]) == 2
    assert "has no step in it" in capfd.readouterr().err


def test_the_recipe_of_the_page_holds_and_the_page_names_every_shipped_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    (tmp_path / "page.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    assert steps_of(load_recipe(tmp_path / "page.yaml")) == STEPS
    assert all(f"`{name}`" in page for name in shipped_recipes())
