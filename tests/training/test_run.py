"""A whole recipe: noisy pairs become a filtered set, a model, a packed model and weights; and once more, from there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("accelerate", reason="needs accelerate: pip install 'rewrite-rerank[train]'")

from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.readme_blocks import ROOT
from tests.rewrite.engines.tiny import tiny_t5
from tests.training.finetuning import PAIRS
from training.command import Stopped, run_child
from training.recipe import load_recipe, shipped_recipes
from training.run import STEPS, main, steps_of

SCORES = ("entities", "similarity", "readability", "length", "lexical", "depth")
NOISE = ("The weather is fine today.", "Fine weather."), (PAIRS[0][0], PAIRS[0][0]), PAIRS[1]


@pytest.fixture(scope="module", autouse=True)
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model that the recipes fine-tune."""
    return tiny_t5(tmp_path_factory.getbasetemp() / "base of recipes")


def _recipe(folder: Path) -> Path:
    rows = [json.dumps({"source": s, "target": t}, ensure_ascii=False) for s, t in (*PAIRS, *NOISE)]
    (folder / "noisy.jsonl").write_text("\n".join(rows), encoding="utf-8")
    sections = {
        "name": "tiny",
        "filter": {"pairs": [str(folder / "noisy.jsonl")], "thresholds": dict.fromkeys(SCORES, 0), "jobs": 1},
        "finetune": {
            "model": str(folder.parent / "base of recipes"),
            "prompt": "seq2seq_plain",
            "steps": 2,
            "threads": 1,
            "precision": "fp32",
        },
        "export": {
            "licence": "apache-2.0",
            "data": [{"name": "ours", "licence": "none stated"}],
            "quantization": "float32",
            "base": "a tiny model of the tests",
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
    for told in (
        f"reads: {tmp_path / 'noisy.jsonl'}, 9 rows with 9 pairs",
        "copy < 0.95",
        "reads: {out}/pairs.jsonl, made by the step filter",
        "steps: 2",
        "reads: {out}/model, made by the step finetune",
        f"ct2:{out}/export/tiny: made by the step export",
        f"writes: {out / 'preset.yaml'}",
    ):
        assert told in said
    assert not out.exists()


def test_a_step_that_fails_ends_the_run_with_its_status(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe = _changed(tmp_path, {"filter": {"thresholds": {"length": 1}}})
    assert main([str(recipe), "--out", str(tmp_path / "out")]) == 1
    told = capfd.readouterr()
    assert "the rule 'length' dropped most" in told.err
    assert "The step filter ended with exit status 1." in told.err
    assert "training.finetune" not in told.out


def _changed(folder: Path, changes: Mapping[str, Mapping[str, object]]) -> Path:
    """The recipe with some keys of its sections changed."""
    path = _recipe(folder)
    sections = yaml.safe_load(path.read_text(encoding="utf-8"))
    for section, values in changes.items():
        sections[section] |= values
    path.write_text(yaml.safe_dump(sections), encoding="utf-8")
    return path


_WRONG: tuple[tuple[str, dict[str, object], str, int], ...] = (
    ("filter", {"pairs": "no-pairs.tsv"}, "filter.pairs is 'no-pairs.tsv', and 'no-pairs.tsv' is not there.", 1),
    ("filter", {"encoder": "navek"}, "'navek'", 2),
    ("finetune", {"prompt": "seq2seq_plian"}, "finetune.prompt: Unknown prompt 'seq2seq_plian'. Did you mean", 2),
    ("finetune", {"prompt": "rugpt3_simplify"}, "is of kind causal", 2),
    ("finetune", {"dev": {"path": "none.csv"}}, "finetune.dev.path is 'none.csv'", 1),
    ("finetune", {"dev": {"path": "pyproject.toml", "preset": "blanced"}}, "Unknown preset 'blanced'", 2),
    ("finetune", {"model": "./no-model"}, "finetune.model is './no-model', and there is no folder", 1),
    ("finetune", {"model": "runs/none/model"}, "finetune.model is 'runs/none/model', and there is no folder", 1),
    ("finetune", {"pairs": ["none.tsv"]}, "finetune.pairs is 'none.tsv'", 1),
    ("export", {"prompt": "seq2seq_plian"}, "export.prompt: Unknown prompt", 2),
    ("export", {"model": "{out}/modell"}, "export.model is '{out}/modell'", 1),
    ("export", {"figures": "none.json"}, "export.figures is 'none.json'", 1),
    ("weights", {"generator": "edit+ct2:{out}/export/tiny"}, "weights.generator: Unknown generator 'edit'", 2),
    ("weights", {"generator": "ct2:{out}/export/tinny"}, "export/tinny', and there is no folder", 1),
    ("weights", {"generator": "replay:none.jsonl"}, "there is no file 'none.jsonl'", 1),
    ("weights", {"sources": "none.csv"}, "weights.sources is 'none.csv'", 1),
    ("weights", {"fixed": {"cautoin": 1}}, "Unknown weight 'cautoin'. Did you mean 'caution'?", 2),
    ("weights", {"pipeline": {"temprature": 1}}, "--temprature: unknown key", 2),
    ("weights", {"cross_fit": True, "generator": "deletion"}, "weights.cross_fit with the generator 'deletion'", 2),
)


@pytest.mark.parametrize(("section", "values", "told", "status"), _WRONG)
def test_what_would_stop_a_later_step_is_told_before_the_first(
    section: str, values: dict[str, object], told: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe, out = _changed(tmp_path, {section: values}), tmp_path / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.run.run_child", lambda command: pytest.fail(f"taken: {command}"))
        assert main([str(recipe), "--out", str(out), "--dry-run"]) == status
        assert told in capsys.readouterr().err
    assert not out.exists()


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes = {"finetune": {"pairs": ["none.tsv"]}, "weights": {"generator": "edit"}}
    assert main([str(_changed(tmp_path, changes)), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert "2 things would stop it:" in error
    assert error.index("finetune.pairs is 'none.tsv'") < error.index("weights.generator: Unknown generator 'edit'")


def test_without_the_step_filter_its_pairs_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rugpt3small", "--out", str(tmp_path), "--data", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert f"{str(tmp_path / 'pairs.jsonl')!r} is not there. Run the step filter first" in error


def test_a_run_begins_anew_where_it_is_asked_to(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked: list[list[str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.run.run_child", lambda command: asked.append(list(command)) or 0)
        assert main([str(_recipe(tmp_path)), "--out", str(tmp_path / "out"), "--restart"]) == 0
    assert [command[2] for command in asked] == [f"training.{step}" for step in STEPS]
    assert [command[-1] == "--restart" for command in asked] == [True, True, False, False]
    only_filter = yaml.safe_load(_recipe(tmp_path).read_text(encoding="utf-8"))
    path = tmp_path / "one.yaml"
    for limit, flags, status in ((200, (), 0), (100, (), 2), (100, ("--restart",), 0)):
        only_filter["filter"]["max_words"] = limit
        path.write_text(yaml.safe_dump({"name": "one", "filter": only_filter["filter"]}), encoding="utf-8")
        assert main([str(path), "--out", str(tmp_path / "out"), *flags]) == status
    assert "--restart to begin anew" in capfd.readouterr().err


def test_a_step_that_is_killed_is_told_by_its_signal(tmp_path: Path) -> None:
    with _under_way(tmp_path) as (process, _):
        (step,) = _children(process.pid)
        os.kill(step, signal.SIGKILL)
        assert process.wait(300) == 128 + signal.SIGKILL
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
    ("number", "status", "told"),
    [
        (signal.SIGINT, 130, ["filter: stopped", "run: stopped; the same command goes on"]),
        (signal.SIGTERM, 143, ["run: stopped; the same command goes on"]),
    ],
)
def test_what_stops_a_run_ends_the_step_under_way_once(
    number: int, status: int, told: list[str], tmp_path: Path
) -> None:
    with _under_way(tmp_path) as (process, pipe):
        os.kill(process.pid, number)
        assert process.wait(300) == status
        with pytest.raises(BrokenPipeError):
            os.write(pipe, b"Nobody reads any more.")
        lines = _told(process).splitlines()
    assert len(lines) == len(told)
    assert all(line.startswith(start) for line, start in zip(lines, told, strict=True))


_DEAF = """
import signal, sys
from training.command import run_child, run_to_the_end
child = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', flush=True); time.sleep(%s)"
sys.exit(run_to_the_end("test", lambda: (run_child([sys.executable, "-c", child % sys.argv[1]]), print("next"))))
"""


@contextmanager
def _deaf(seconds: float) -> Iterator[subprocess.Popen[str]]:
    """A run of a step that sleeps so long and does not hear Ctrl-C, which has been sent to it."""
    command = [sys.executable, "-c", _DEAF, str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "deaf\n"
        process.send_signal(signal.SIGINT)
        try:
            yield process
        finally:
            process.kill()


def test_a_step_that_does_not_listen_is_waited_for_and_is_the_last() -> None:
    with _deaf(1) as process:
        assert process.communicate(timeout=300)[0] == ""
        assert process.returncode == 128 + signal.SIGINT


def test_a_second_signal_kills_a_step_that_does_not_listen() -> None:
    with _deaf(60) as process:
        (child,) = _children(process.pid)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 128 + signal.SIGINT
        assert not Path(f"/proc/{child}").exists()


def test_a_signal_that_comes_before_the_step_has_begun_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = subprocess.Popen

    def late(*arguments: Any, **named: Any) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        return begin(*arguments, **named)

    monkeypatch.setattr(subprocess, "Popen", late)
    with pytest.raises(Stopped):
        run_child([sys.executable, "-c", "import time; time.sleep(60)"])


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_told_of_the_folder_and_the_data(step: str, tmp_path: Path) -> None:
    asked: list[list[str]] = []
    sections = yaml.safe_load(_recipe(tmp_path).read_text(encoding="utf-8"))
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump({"name": "tiny", step: sections[step]}), encoding="utf-8")
    # What earlier steps would have made.
    for made in ("model/prompt.yaml", "export/tiny/SHA256SUMS", "pairs.jsonl"):
        (tmp_path / "out" / made).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / made).touch()
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
    recipe = load_recipe(tmp_path / "page.yaml")
    assert steps_of(recipe) == STEPS
    # The bundled model of edits was trained on the sources that the page tunes on.
    assert recipe.weights is not None
    assert recipe.weights.cross_fit
    assert all(f"`{name}`" in page for name in shipped_recipes())
