"""The folder of a run: it is of one run, which is made of certain files, and writes over none of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rewrite.errors import BadOption
from rewrite.prompting import load_prompt
from tests.rewrite.engines.tiny import tiny_t5
from tests.training.finetuning import PAIRS, recipe, run, weights
from training.disk import differences
from training.finetuning.base import find_base, identity, require_apart
from training.recipe import Run, load_recipe

_HOLDING = """
import sys, time
from pathlib import Path
from training.disk import folder_lock
with folder_lock(Path(sys.argv[1]), ".finetune-lock"):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_t5(tmp_path / "t5")


def made_of(path: Path, out: Path) -> dict[str, str]:
    """What a run of the recipe is made of."""
    found = Run(load_recipe(path), out)
    assert found.recipe.finetune is not None
    base = find_base(found.recipe.finetune, found)
    return identity(found.recipe.finetune, found, base, load_prompt(found.recipe.finetune.prompt or "seq2seq_plain"))


# -- One run to a folder ----------------------------------------------------------------------------------------------


def test_a_second_run_in_the_folder_is_refused_and_harms_nothing_until_the_first_has_ended(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = recipe(tmp_path, model, steps=2), tmp_path / "out"
    assert run(path, out) == 0
    before = {file: file.stat().st_mtime_ns for file in sorted(out.rglob("*"))}
    capsys.readouterr()
    with subprocess.Popen([sys.executable, "-c", _HOLDING, str(out)], stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            for flags in ((), ("--restart",)):
                assert run(path, out, *flags) == 1
                assert f"Another run is at work in {str(out)!r}. Wait for it" in capsys.readouterr().err
        finally:
            other.kill()
    left = {file: file.stat().st_mtime_ns for file in sorted(out.rglob("*"))}
    assert {file: time for file, time in left.items() if file in before and file != out} == {
        file: time for file, time in before.items() if file != out
    }
    # A lock ends with its process, however that ends.
    assert run(path, out, "--restart") == 0
    assert not list(out.glob(".*"))


# -- What a run reads is not what it writes ---------------------------------------------------------------------------


def _as_it_stands(out: Path, elsewhere: Path) -> str:
    return "{out}/model"


def _through_a_link(out: Path, elsewhere: Path) -> str:
    elsewhere.symlink_to(out / "model")
    return str(elsewhere)


def _by_links_to_its_files(out: Path, elsewhere: Path) -> str:
    elsewhere.mkdir()
    for file in (out / "model").iterdir():
        (elsewhere / file.name).symlink_to(file)
    return str(elsewhere)


@pytest.mark.parametrize("named", [_as_it_stands, _through_a_link, _by_links_to_its_files])
def test_a_model_that_the_run_would_write_over_is_refused(
    named: Callable[[Path, Path], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    tiny_t5(out / "model")
    said = named(out, tmp_path / "elsewhere")
    path = recipe(tmp_path, said)
    before = weights(out)
    for flags in ((), ("--restart",)):
        assert run(path, out, *flags) == 2
        told = capsys.readouterr().err
        assert f"finetune.model is {said!r}, which the run would write over" in told
        assert "Give another --out" in told
    assert weights(out) == before
    assert not (out / "finetune").exists()


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"pairs": ["{out}/finetune/pairs.jsonl"]}, "finetune.pairs"),
        ({"dev": {"path": "{out}/figures.json"}}, "finetune.dev.path"),
    ],
)
def test_nothing_else_that_is_read_is_written_over(changes: dict[str, Any], key: str, tmp_path: Path) -> None:
    found = Run(load_recipe(recipe(tmp_path, "/somewhere", **changes)), tmp_path / "out")
    assert found.recipe.finetune is not None
    with pytest.raises(BadOption, match=rf"^{key} is "):
        require_apart(found.recipe.finetune, found)


def test_a_model_beside_the_folder_or_around_it_is_taken(model: Path, tmp_path: Path) -> None:
    assert run(recipe(tmp_path, model, steps=1), model / "further") == 0
    again = recipe(tmp_path, model / "further" / "model", steps=1)
    assert run(again, tmp_path / "out") == 0


# -- What a run is made of --------------------------------------------------------------------------------------------


def test_a_changed_vocabulary_is_another_run(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = recipe(tmp_path, model, steps=1), tmp_path / "out"
    assert run(path, out) == 0
    first = weights(out)
    tokenizer = json.loads((model / "tokenizer_config.json").read_text())
    (model / "tokenizer_config.json").write_text(json.dumps({**tokenizer, "extra": 1}))
    assert run(path, out) == 2
    assert f"file {model}/tokenizer_config.json has changed" in capsys.readouterr().err
    (model / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    (model / "added_tokens.json").write_text("{}")
    assert run(path, out) == 2
    assert f"file {model}/added_tokens.json is new" in capsys.readouterr().err
    assert weights(out) == first


@pytest.mark.parametrize(
    "name",
    ["spiece.model", "merges.txt", "generation_config.json"],
)
def test_every_file_of_the_model_counts(name: str, model: Path, tmp_path: Path) -> None:
    path = recipe(tmp_path, model)
    before = made_of(path, tmp_path / "out")
    (model / name).write_text("{}", encoding="utf-8")
    (told,) = differences(before, made_of(path, tmp_path / "out"))
    assert told.startswith(f"file {model}/{name} ")
    assert all(str(file) == str(model / file.name) for file in model.iterdir() if f"file {file}" in before)
    # What no library reads may come and go.
    (model / "README.md").write_text("A model.")
    assert f"file {model}/README.md" not in made_of(path, tmp_path / "out")


def test_the_seed_the_prompt_and_dev_count(model: Path, tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text("\t".join(PAIRS[0]), encoding="utf-8")
    (tmp_path / "prompt.yaml").write_text("name: a\ntask: any\nlanguage: any\nkind: seq2seq\ntemplate: '{source}'\n")
    settings = {"dev": {"path": str(tmp_path / "dev.tsv")}, "prompt": str(tmp_path / "prompt.yaml")}
    path = recipe(tmp_path, model, **settings)
    before = made_of(path, tmp_path / "out")
    path.write_text(path.read_text(encoding="utf-8").replace("seed: 3", "seed: 4"), encoding="utf-8")
    assert differences(before, made_of(path, tmp_path / "out")) == ["seed is 4, was 3"]
    recipe(tmp_path, model, **settings)
    (tmp_path / "dev.tsv").write_text("\t".join(PAIRS[1]), encoding="utf-8")
    assert differences(before, made_of(path, tmp_path / "out")) == [f"file {tmp_path}/dev.tsv has changed"]
    (tmp_path / "dev.tsv").write_text("\t".join(PAIRS[0]), encoding="utf-8")
    text = (tmp_path / "prompt.yaml").read_text()
    (tmp_path / "prompt.yaml").write_text(text.replace("'{source}'", "'> {source}'"))
    assert differences(before, made_of(path, tmp_path / "out")) == ["prompt a has changed"]


def test_a_run_goes_on_in_a_folder_that_was_moved(model: Path, tmp_path: Path) -> None:
    path = recipe(tmp_path, model, pairs=["{out}/pairs.jsonl"])
    (tmp_path / "one").mkdir()
    shutil.copy(tmp_path / "pairs.jsonl", tmp_path / "one")
    before = made_of(path, tmp_path / "one")
    os.rename(tmp_path / "one", tmp_path / "two")
    assert made_of(path, tmp_path / "two") == before


def test_a_record_of_a_run_that_cannot_be_read_is_told(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = recipe(tmp_path, model, steps=1), tmp_path / "out"
    (out / "finetune").mkdir(parents=True)
    for damage in (b"{", b"[]", b"\xff"):
        (out / "finetune" / "run.json").write_bytes(damage)
        assert run(path, out) == 1
        told = capsys.readouterr().err
        assert "run.json" in told
        assert "--restart" in told
    assert run(path, out, "--restart") == 0
