"""A whole recipe: noisy pairs become a filtered set, a model and weights; and once more, from there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
        "weights": {"sources": str(folder / "noisy.jsonl"), "generator": "edits+ct2:{out}/model"}
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
    trained = (out / "model" / "model.safetensors").read_bytes()
    preset = (out / "preset.yaml").read_bytes()
    assert main([str(recipe), "--out", str(out)]) == 0
    assert (out / "model" / "model.safetensors").read_bytes() == trained
    assert (out / "preset.yaml").read_bytes() == preset
    options = Options(generator=f"edits+ct2:{out / 'model'}", preset=str(out / "preset.yaml"), n=3)
    assert Pipeline(options).run([PAIRS[4][0]])[0].text


def test_a_step_that_fails_ends_the_run_with_its_status(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe = _changed(tmp_path, {"filter": {"thresholds": {"length": 1}}})
    assert main([str(recipe), "--out", str(tmp_path / "out")]) == 1
    told = capfd.readouterr()
    assert "the rule 'length' dropped most" in told.err
    assert "the step filter ended with exit status 1" in told.err
    assert "training.finetune" not in told.out


def _changed(folder: Path, changes: Mapping[str, Mapping[str, object]]) -> Path:
    """The recipe with some keys of its sections changed."""
    path = _recipe(folder)
    sections = yaml.safe_load(path.read_text(encoding="utf-8"))
    for section, values in changes.items():
        sections[section] |= values
    path.write_text(yaml.safe_dump(sections), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("section", "values", "told", "status"),
    [
        ("filter", {"pairs": "no-pairs.tsv"}, "filter.pairs is 'no-pairs.tsv', and 'no-pairs.tsv' is not there.", 1),
        ("finetune", {"dev": {"path": "none.csv"}}, "finetune.dev.path is 'none.csv'", 1),
        ("finetune", {"model": "./no-model"}, "finetune.model is './no-model', and 'no-model' is not there.", 1),
        ("finetune", {"pairs": ["none.tsv"]}, "finetune.pairs is 'none.tsv'", 1),
        ("weights", {"generator": "edit+ct2:{out}/model"}, "Unknown generator 'edit'", 2),
        ("weights", {"generator": "ct2:{out}/modell"}, "weights.generator is 'ct2:{out}/modell'", 1),
        ("weights", {"sources": "none.csv"}, "weights.sources is 'none.csv'", 1),
        ("weights", {"sources": "{data}/none.csv"}, "--data", 1),
    ],
)
def test_what_is_missing_is_told_before_the_first_step(
    section: str,
    values: dict[str, object],
    told: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recipe, out = _changed(tmp_path, {section: values}), tmp_path / "out"
    monkeypatch.delenv("REWRITE_DATA", raising=False)
    monkeypatch.setattr("training.run._take", lambda command: pytest.fail(f"taken: {command}"))
    assert main([str(recipe), "--out", str(out)]) == status
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_all_that_is_missing_is_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes = {"finetune": {"pairs": ["none.tsv"]}, "weights": {"sources": "none.csv"}}
    assert main([str(_changed(tmp_path, changes)), "--out", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert error.index("finetune.pairs is 'none.tsv'") < error.index("weights.sources is 'none.csv'")


def test_without_the_step_filter_its_pairs_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rugpt3small", "--out", str(tmp_path), "--data", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert f"{str(tmp_path / 'pairs.jsonl')!r} is not there" in error
    assert "with the step filter" in error


def test_a_run_begins_anew_where_it_is_asked_to(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked: list[list[str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.run._take", lambda command: asked.append(list(command)) or 0)
        assert main([str(_recipe(tmp_path)), "--out", str(tmp_path / "out"), "--restart"]) == 0
    assert [command[2] for command in asked] == [f"training.{step}" for step in STEPS]
    assert [command[-1] == "--restart" for command in asked] == [True, True, False]
    only_filter = yaml.safe_load(_recipe(tmp_path).read_text(encoding="utf-8"))
    path = tmp_path / "one.yaml"
    for limit, flags, status in ((200, (), 0), (100, (), 2), (100, ("--restart",), 0)):
        only_filter["filter"]["max_words"] = limit
        path.write_text(yaml.safe_dump({"name": "one", "filter": only_filter["filter"]}), encoding="utf-8")
        assert main([str(path), "--out", str(tmp_path / "out"), *flags]) == status
    assert "--restart to remove what is there" in capfd.readouterr().err


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


def test_a_step_that_is_killed_ends_the_run(tmp_path: Path) -> None:
    with _under_way(tmp_path) as (process, _):
        (step,) = map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
        os.kill(step, signal.SIGKILL)
        assert process.wait(300) == 128 + signal.SIGKILL
        assert "the step filter ended with exit status 137" in _told(process)


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["to it alone", "as a terminal does"])
def test_ctrl_c_ends_the_step_under_way_and_the_run(send: Callable[[int, int], None], tmp_path: Path) -> None:
    with _under_way(tmp_path) as (process, pipe):
        send(process.pid, signal.SIGINT)
        assert process.wait(300) == 130
        with pytest.raises(BrokenPipeError):
            os.write(pipe, b"Nobody reads any more.")
        assert _told(process).splitlines() == ["filter: stopped", "run: stopped; the same command goes on"]


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_told_of_the_folder_and_the_data(step: str, tmp_path: Path) -> None:
    asked: list[list[str]] = []
    sections = yaml.safe_load(_recipe(tmp_path).read_text(encoding="utf-8"))
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump({"name": "tiny", step: sections[step]}), encoding="utf-8")
    # What earlier steps would have made.
    for made in ("model/prompt.yaml", "pairs.jsonl"):
        (tmp_path / "out" / made).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / made).touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.run._take", lambda command: asked.append(list(command)) or 0)
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
