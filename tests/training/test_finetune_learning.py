"""What the Trainer is told is what it does: beside a loop in plain torch, with the same batches in the same order."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

import torch

from tests.rewrite.engines.tiny import tiny_t5
from tests.training.finetuning import recipe, redraw, run, weights
from training.packed import Pack, PairBatches

_RATE, _FLOOR = 0.003, 0.1
_HOLD = {"schedule": "hold", "warmup": 3, "decay": 0.4, "floor": _FLOOR, "steps": 10}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return redraw(tiny_t5(tmp_path_factory.mktemp("t5")), initializer_factor=0.3, dropout_rate=0.0)


def logs(out: Path) -> list[dict[str, Any]]:
    state = sorted((out / "finetune" / "checkpoints").glob("*/trainer_state.json"), key=lambda path: len(str(path)))[-1]
    return [entry for entry in json.loads(state.read_text())["log_history"] if "loss" in entry]


def hold(step: int) -> float:
    """The rate of the update after `step` others: up from the floor in 3 steps, the same for 3, down along a cosine."""
    share = step / 3 if step < 3 else 1.0 if step < 6 else 0.5 * (1 + math.cos(math.pi * (step - 6) / 4))
    return _RATE * (_FLOOR + (1 - _FLOOR) * share)


def test_it_learns_as_a_loop_in_plain_torch_does(model: Path, tmp_path: Path) -> None:
    # Of numbers that are not the defaults, none can be lost on the way; a gradient is longer than 0.05.
    settings = {"beta1": 0.8, "beta2": 0.9, "weight_decay": 0.3, "clip": 0.05, "accumulate": 1, **_HOLD}
    assert run(recipe(tmp_path, model, **settings), tmp_path / "out") == 0
    losses, learnt = plainly_learnt(model, tmp_path / "out", settings)
    told = [entry["loss"] for entry in logs(tmp_path / "out")]
    assert told == pytest.approx(losses, abs=2e-3)
    from safetensors.torch import load_file

    found = load_file(tmp_path / "out" / "model" / "model.safetensors")
    moved = {
        name: float((learnt[name] - before).norm()) for name, before in load_file(model / "model.safetensors").items()
    }
    assert all(length > 0.01 for length in moved.values())
    assert all(float((found[name] - learnt[name]).norm()) < 0.02 * length for name, length in moved.items())


def plainly_learnt(model: Path, out: Path, settings: dict[str, Any]) -> tuple[list[float], dict[str, torch.Tensor]]:
    """Losses and weights of a loop over the run's batches, one after the other."""
    import transformers

    module = transformers.AutoModelForSeq2SeqLM.from_pretrained(model).train()
    batches = PairBatches([Pack(out / "finetune" / "packs" / "0")], [1.0], tokens=128, causal=False, seed=3, updates=10)
    named = dict(module.named_parameters())
    # The Trainer spares biases and norms.
    spared = {name for name, part in named.items() if part.ndim < 2 or "bias" in name}
    optimizer = torch.optim.AdamW(
        [
            {"params": [named[name] for name in named if name not in spared], "weight_decay": settings["weight_decay"]},
            {"params": [named[name] for name in named if name in spared], "weight_decay": 0.0},
        ],
        betas=(settings["beta1"], settings["beta2"]),
    )
    losses = []
    for step in range(len(batches)):
        for group in optimizer.param_groups:
            group["lr"] = hold(step)
        loss = module(**batches[step]).loss
        loss.backward()
        assert float(torch.nn.utils.clip_grad_norm_(module.parameters(), settings["clip"])) > settings["clip"]
        optimizer.step()
        optimizer.zero_grad()
        losses.append(float(loss.detach()))
    return losses, {name: part.detach() for name, part in module.state_dict().items()}


def test_a_rate_that_holds_rises_stays_and_falls_to_its_floor(model: Path, tmp_path: Path) -> None:
    assert run(recipe(tmp_path, model, **_HOLD), tmp_path / "out") == 0
    rates = [entry["learning_rate"] for entry in logs(tmp_path / "out")]
    assert rates == pytest.approx([hold(step) for step in range(10)])


def test_batches_are_taken_in_the_order_that_the_run_has_them(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    item = PairBatches.__getitem__

    def noted(self: PairBatches, number: int) -> dict[str, Any]:
        asked.append(number)
        return item(self, number)

    monkeypatch.setattr(PairBatches, "__getitem__", noted)
    assert run(recipe(tmp_path, model, steps=9, accumulate=2), tmp_path / "out") == 0
    assert [number for number, _ in itertools.groupby(asked)] == list(range(18))


def test_numbers_of_16_bits_are_computed_with_where_they_are_asked_for(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import T5ForConditionalGeneration

    seen: list[Any] = []
    forward = T5ForConditionalGeneration.forward

    def noted(self: Any, *given: Any, **named: Any) -> Any:
        seen.append(torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else torch.float32)
        return forward(self, *given, **named)

    monkeypatch.setattr(T5ForConditionalGeneration, "forward", noted)
    for precision, dtype in (("bf16", torch.bfloat16), ("fp32", torch.float32)):
        seen.clear()
        assert run(recipe(tmp_path, model, steps=1, precision=precision), tmp_path / precision) == 0
        assert set(seen) == {dtype}
    assert weights(tmp_path / "bf16") != weights(tmp_path / "fp32")
    from safetensors.numpy import load_file

    kept = load_file(tmp_path / "bf16" / "model" / "model.safetensors")
    assert {array.dtype for array in kept.values()} == {np.dtype(np.float32)}
