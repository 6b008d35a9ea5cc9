"""A whole recipe: noisy pairs become a filtered set, a model and weights; and once more, from there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

pytest.importorskip("accelerate", reason="needs accelerate: pip install 'rewrite-rerank[train]'")

from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.readme_blocks import ROOT
from tests.rewrite.engines.tiny import tiny_t5
from tests.training.finetuning import PAIRS
from training import filter as filtering
from training import finetune, weights
from training.recipe import load_recipe, shipped_recipes

STEPS = ("filter", "finetune", "weights")
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


def _take(recipe: Path, out: Path) -> None:
    """Every step, one after the other."""
    for step in (filtering, finetune, weights):
        assert step.main([str(recipe), "--out", str(out)]) == 0


def test_a_recipe_is_taken_from_noisy_pairs_to_weights_and_again_without_harm(tmp_path: Path) -> None:
    recipe, out = _recipe(tmp_path), tmp_path / "out"
    _take(recipe, out)
    kept = [json.loads(line)["source"] for line in (out / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert kept == [source for source, _ in PAIRS]
    trained = (out / "model" / "model.safetensors").read_bytes()
    preset = (out / "preset.yaml").read_bytes()
    _take(recipe, out)
    assert (out / "model" / "model.safetensors").read_bytes() == trained
    assert (out / "preset.yaml").read_bytes() == preset
    options = Options(generator=f"edits+ct2:{out / 'model'}", preset=str(out / "preset.yaml"), n=3)
    assert Pipeline(options).run([PAIRS[4][0]])[0].text


def test_without_the_step_filter_its_pairs_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert finetune.main(["rugpt3small", "--out", str(tmp_path), "--data", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert f"{str(tmp_path / 'pairs.jsonl')!r} is not there" in error
    assert "with the step filter" in error


def test_the_recipe_of_the_page_holds_and_the_page_names_every_shipped_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    (tmp_path / "page.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    recipe = load_recipe(tmp_path / "page.yaml")
    assert all(getattr(recipe, step) for step in STEPS)
    # The bundled model of edits was trained on the sources that the page tunes on.
    assert recipe.weights
    assert recipe.weights.cross_fit
    assert all(f"`{name}`" in page for name in shipped_recipes())
