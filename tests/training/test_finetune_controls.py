"""The recipe of the adapter with another causal base by one line: pairs with control values, sources shared, LoRA."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("peft", reason="needs peft: pip install 'rewrite-rerank[train]'")

from rewrite.controls import Controls, measured
from tests.rewrite.engines.tiny import tiny_gpt2
from tests.training.finetuning import PAIRS, recipe, redraw, run
from training.packed import Pack, runs_of_one_source
from training.recipe import load_recipe


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return redraw(tiny_gpt2(tmp_path_factory.mktemp("gpt2")), initializer_range=0.1)


def test_another_base_learns_by_the_recipe_of_the_adapter(gpt2: Path, tmp_path: Path) -> None:
    shipped = load_recipe("gemma-ru").finetune
    assert shipped is not None
    assert shipped.share_sources
    path = recipe(
        tmp_path,
        gpt2,
        prompt=shipped.prompt,
        share_sources=True,
        lora={"rank": 4, "targets": ["c_attn"]},
        learning_rate=0.03,
        longest=400,
        batch_tokens=800,
    )
    rows = [
        {"source": source, "target": target, "controls": measured(source, target, style).text}
        for source, short in PAIRS
        for target, style in ((short, "short"), (source, "light"))
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    out = tmp_path / "out"
    assert run(path, out) == 0
    pack = Pack(out / "finetune" / "packs" / "0")
    assert runs_of_one_source(pack, 800)[:, 1].tolist() == [2] * len(PAIRS)
    assert (out / "adapter" / "adapter_model.safetensors").is_file()
    (state,) = (out / "finetune" / "checkpoints").glob("checkpoint-6/trainer_state.json")
    losses = [entry["loss"] for entry in json.loads(state.read_text())["log_history"] if "loss" in entry]
    assert losses[-1] < losses[0]


def test_controls_of_a_row_must_be_a_text(gpt2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recipe(tmp_path, gpt2, prompt="gemma_ru", bad_rows=0.0)
    (tmp_path / "pairs.jsonl").write_text(json.dumps({"source": "а б", "target": "а", "controls": 5}), "utf-8")
    assert run(path, tmp_path / "out") == 1
    assert "no text as controls: 5" in capsys.readouterr().err


def test_sharing_sources_is_for_causal_models(gpt2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(recipe(tmp_path, gpt2, kind="seq2seq", share_sources=True), tmp_path / "out") == 2
    assert "share_sources is for causal models" in capsys.readouterr().err


def test_a_prompt_with_control_values_puts_them_after_the_source() -> None:
    from rewrite.prompting import load_prompt

    prompt = load_prompt("gemma_ru")
    assert prompt.controlled
    assert prompt.render("Дождь {controls}.", Controls().text).text == "Дождь {controls}.\n1515\n"
    assert prompt.training_text("А и Б.", "А.", "2213") == "А и Б.\n2213\nА.<eos>"
