"""A masked model that goes on from an earlier run: it starts from its weights and learns nothing that was held out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rewrite.errors import BadInput, BadOption
from tests.training.masked import open_recipe, sentences
from training.export_masked import export_masked
from training.masked_lm import main, masked_lm
from training.packed import Pack
from training.recipe import Run


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("first")
    run = open_recipe(folder, folder / "run", steps=60, save_every=30, judge_every=30)
    masked_lm(run)
    return run


@pytest.fixture(scope="module")
def second(first: Run, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("second")
    more = folder / "more.txt"
    more.write_text("\n".join(sentences()[:900]), encoding="utf-8")
    run = open_recipe(folder, folder / "run", start=str(first.out), files=[{"path": str(more)}], steps=3, warmup=1)
    masked_lm(run)
    return run


def _figures(run: Run) -> dict[str, object]:
    found: dict[str, object] = json.loads((run.out / "figures.json").read_text(encoding="utf-8"))
    return found


def _texts(run: Run, name: str) -> set[tuple[int, ...]]:
    pack = Pack(run.out / "masked" / "packs" / name)
    return {tuple(pack[i][0].tolist()) for i in range(len(pack))}


def test_three_steps_from_an_earlier_model_are_worth_its_sixty(first: Run, second: Run) -> None:
    before, after = (_figures(run)["held_out"] for run in (first, second))
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert after["masks"] == before["masks"]
    assert abs(after["loss"] - before["loss"]) < 0.15
    frequency = _figures(first)["frequency_alone"]
    assert isinstance(frequency, dict)
    assert after["loss"] < frequency["loss"] - 0.2


def test_what_the_first_run_held_out_is_held_out_again_though_its_file_has_it(first: Run, second: Run) -> None:
    assert _texts(second, "held-out") == _texts(first, "held-out")
    whole = [list(row) for row in _texts(second, "held-out")]
    learnt = {" ".join(map(str, row[1:-2])) for row in _texts(second, "train")}
    assert len(learnt) > 500
    assert not [row for row in whole if " ".join(map(str, row[1:-2])) in learnt]


def test_the_vocabulary_is_that_of_the_first_and_the_card_says_where_it_began(first: Run, second: Run) -> None:
    names = ("masked", "packs", "tokenizer.json")
    assert first.out.joinpath(*names).read_bytes() == second.out.joinpath(*names).read_bytes()
    assert _figures(second)["earlier"] == {"name": "mlm-tiny", "steps": 60}
    folder = export_masked(second)
    told = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert (told["steps"], told["earlier"]) == (3, {"name": "mlm-tiny", "steps": 60})


def test_a_run_that_is_not_over_or_of_another_shape_is_refused(first: Run, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"No model to go on from in .*nowhere"):
        masked_lm(open_recipe(tmp_path, tmp_path / "run", start=str(tmp_path / "nowhere")))
    with pytest.raises(BadOption, match=r"masked\.width is 64, and 32 in the run"):
        masked_lm(open_recipe(tmp_path, tmp_path / "run", start=str(first.out), width=64))


def test_an_earlier_run_that_has_changed_makes_another_run(
    first: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from safetensors.numpy import load_file, save_file

    copy = tmp_path / "copy"
    shutil.copytree(first.out, copy)
    run = open_recipe(tmp_path, tmp_path / "run", start=str(copy), steps=2, warmup=1)
    assert main([str(tmp_path / "recipe.yaml"), "--out", str(run.out)]) == 0
    shutil.move(copy, tmp_path / "moved")
    assert masked_lm(open_recipe(tmp_path, run.out, start=str(tmp_path / "moved"), steps=2, warmup=1))
    weights = load_file(tmp_path / "moved" / "model" / "model.safetensors")
    save_file({name: np.asarray(part) * 1.01 for name, part in weights.items()}, tmp_path / "w.safetensors")
    shutil.move(tmp_path / "w.safetensors", tmp_path / "moved" / "model" / "model.safetensors")
    with pytest.raises(BadOption, match=r"masked\.start has changed"):
        masked_lm(open_recipe(tmp_path, run.out, start=str(tmp_path / "moved"), steps=2, warmup=1))
