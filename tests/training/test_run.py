"""A whole recipe: noisy pairs become a filtered set, a model, a packed model and weights; and once more, from there."""

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


def test_a_recipe_without_a_step_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "recipe.yaml").write_text("name: nothing\n", encoding="utf-8")
    assert main([str(tmp_path / "recipe.yaml"), "--out", str(tmp_path / "out")]) == 1
    assert "has no step in it" in capfd.readouterr().err


def test_the_recipe_of_the_page_holds_and_the_page_names_every_shipped_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    (tmp_path / "page.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    assert steps_of(load_recipe(tmp_path / "page.yaml")) == STEPS
    assert all(f"`{name}`" in page for name in shipped_recipes())
