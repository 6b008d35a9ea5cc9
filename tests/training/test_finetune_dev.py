"""Judging while the model learns: early stopping, the best weights kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from tests.rewrite.engines.scored import exact_logprobs
from tests.rewrite.engines.tiny import tiny_gpt2, tiny_t5
from tests.training.finetuning import recipe, run, weights
from training.finetuning.data import dev_examples
from training.finetuning.trainer import Judge
from training.recipe import Run, load_recipe

_DEV = (
    ("Шёл сильный дождь, и дети, которых не пустили гулять, сидели дома.", "Дети сидели дома."),
    ("Город, основанный Петром на берегу Невы, стал столицей.", "Город стал столицей."),
)


def dev_file(folder: Path) -> str:
    (folder / "dev.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in _DEV), encoding="utf-8")
    return str(folder / "dev.tsv")


def told(out: Path) -> Any:
    return json.loads((out / "figures.json").read_text(encoding="utf-8"))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_t5(tmp_path / "t5", dropout_rate=0.2)


def with_figures(*figures: float, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The judge gives these figures, one after the other; returns the steps at which it was asked."""
    asked: list[int] = []

    def judge(self: Any, model: Any, step: int) -> float:
        asked.append(step)
        return figures[step - 1]

    monkeypatch.setattr(Judge, "judge", judge)
    return asked


def test_it_stops_when_nothing_is_better_for_long_and_keeps_the_best(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = with_figures(3.0, 1.0, 2.0, 2.5, 0.5, 0.4, monkeypatch=monkeypatch)
    dev = {"path": dev_file(tmp_path), "every": 1, "patience": 2}
    out = tmp_path / "out"
    assert run(recipe(tmp_path, model, dev=dev, save_every=100, keep=1), out) == 0
    assert asked == [1, 2, 3, 4]
    found = told(out)
    assert (found["steps"], found["kept"], found["dev"]["best"]) == (4, 2, 1.0)
    assert found["dev"]["by_step"] == {"1": 3.0, "2": 1.0, "3": 2.0, "4": 2.5}
    left = sorted(p.name for p in (out / "finetune" / "checkpoints").iterdir())
    # A whole one before the best, and the record of the run that is over.
    assert left == ["checkpoint-1", "checkpoint-2", "trainer_state.json"]
    assert weights(out) == (out / "finetune" / "checkpoints" / "checkpoint-2" / "model.safetensors").read_bytes()


def test_a_run_that_has_stopped_early_trains_no_further_when_it_is_started_again(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = with_figures(1.0, 2.0, 0.5, 0.4, 0.3, 0.2, monkeypatch=monkeypatch)
    dev = {"path": dev_file(tmp_path), "every": 1, "patience": 1}
    path, out = recipe(tmp_path, model, dev=dev, save_every=100), tmp_path / "out"
    assert run(path, out) == 0
    assert asked == [1, 2]
    first, figures = weights(out), told(out)
    capsys.readouterr()
    assert run(path, out) == 0
    assert asked == [1, 2]
    assert "step " not in capsys.readouterr().out
    assert (weights(out), told(out)) == (first, figures)


def test_sources_of_dev_are_drawn_by_the_seed_and_stay_in_their_order(tmp_path: Path) -> None:
    rows = [f"Источник номер {i}.\tОтвет номер {i}.\n" for i in range(40)]
    (tmp_path / "dev.tsv").write_text("".join(rows), encoding="utf-8")
    path = recipe(tmp_path, "/nowhere", dev={"path": str(tmp_path / "dev.tsv"), "sources": 8})

    def drawn(seed: int) -> list[int]:
        given = Run(load_recipe(path).model_copy(update={"seed": seed}), tmp_path / "out")
        assert given.recipe.finetune is not None
        return [int(example.source.split()[-1].rstrip(".")) for example in dev_examples(given.recipe.finetune, given)]

    found = [drawn(seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    for numbers in found:
        assert len(set(numbers)) == 8
        assert numbers == sorted(numbers)
        # Not the first ones: a file is often sorted by something.
        assert max(numbers) >= 20


def test_a_run_torn_off_among_judgements_ends_as_an_unbroken_one(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dev = {"path": dev_file(tmp_path), "every": 1, "patience": 2}
    path = recipe(tmp_path, model, dev=dev, save_every=3, keep=1)
    figures = (3.0, 1.0, 2.0, 0.9, 1.5, 1.6)
    with monkeypatch.context() as patch:
        with_figures(*figures, monkeypatch=patch)
        assert run(path, tmp_path / "unbroken") == 0
    with monkeypatch.context() as patch:
        with_figures(*figures[:3], monkeypatch=patch)
        with pytest.raises(IndexError):
            run(path, tmp_path / "out")
    with monkeypatch.context() as patch:
        asked = with_figures(*figures, monkeypatch=patch)
        assert run(path, tmp_path / "out") == 0
    assert asked == [4, 5, 6]
    assert weights(tmp_path / "out") == weights(tmp_path / "unbroken")
    assert told(tmp_path / "out") == told(tmp_path / "unbroken")
    assert told(tmp_path / "out")["kept"] == 4


@pytest.mark.parametrize("kind", ["t5", "gpt2"])
def test_judging_by_loss_does_not_change_what_is_learnt_and_is_the_loss_of_the_model(kind: str, tmp_path: Path) -> None:
    causal = kind == "gpt2"
    model = tiny_gpt2(tmp_path / "m") if causal else tiny_t5(tmp_path / "m", dropout_rate=0.2)
    prompt = "rugpt3_simplify" if causal else "seq2seq_plain"
    dev = {"path": dev_file(tmp_path), "every": 2}
    assert run(recipe(tmp_path / "a", model, prompt=prompt, dev=dev, steps=4), tmp_path / "judged") == 0
    assert run(recipe(tmp_path / "b", model, prompt=prompt, steps=4), tmp_path / "plain") == 0
    found = told(tmp_path / "judged")["dev"]
    if found["best"] == found["by_step"]["4"]:
        assert weights(tmp_path / "judged") == weights(tmp_path / "plain")
    # The engine leaves numbers out that stand for no token, so it is a little surer of the others.
    last = tmp_path / "judged" / "finetune" / "checkpoints" / "checkpoint-4" / "model.safetensors"
    assert last.read_bytes() == weights(tmp_path / "plain")
    assert found["by_step"]["4"] == pytest.approx(loss_of(tmp_path / "plain" / "model", prompt), rel=5e-3)


def loss_of(model: Path, prompt: str) -> float:
    """Nats per token of the dev targets, by the engine that draws in use."""
    from rewrite.prompting import load_prompt

    found = exact_logprobs(
        model,
        [load_prompt(prompt).render(source) for source, _ in _DEV],
        # In the causal format a space stands on both sides of the target.
        [f" {target} " if prompt.startswith("rugpt3") else target for _, target in _DEV],
    )
    return float(-sum(value for value, _ in found) / sum(tokens for _, tokens in found))
