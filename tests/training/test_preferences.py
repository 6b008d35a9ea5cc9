"""What readers passed becomes more probable beside what they did not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewrite.base.model_weights import pack_low_rank
from training.adapter import packed_layers, write_peft
from training.finetuning.learning import Learning
from training.finetuning.trainer import losses, train
from training.preferences import (
    Contrast,
    Row,
    RowBatches,
    contrasts,
    measure,
    outcome,
    reference,
    scores,
    tables_of,
)


def _text(text: str, faults: str | None, **more: str) -> dict[str, Any]:
    return {"text": text, "faults": faults, "controls": "1615", **more}


def test_what_passed_is_set_against_what_did_not() -> None:
    texts = [
        _text("good", ""),
        _text("dull", "n"),
        _text("wrong", "wf", repair="mended"),
        _text("stopped", None, guard="a number was changed"),
        _text("not read", None),
    ]
    (contrast,) = contrasts(iter([("source", {"texts": texts})]))
    assert contrast == Contrast(
        "source",
        (("good", "1615"), ("mended", "1615")),
        (("dull", "1615"), ("wrong", "1615"), ("stopped", "1615")),
    )
    assert not [*contrasts(iter([("source", {"texts": texts[3:]})]))]
    many = [_text(f"good {i}", "") for i in range(9)] + [_text(f"bad {i}", "w") for i in range(9)]
    (contrast,) = contrasts(iter([("source", {"texts": many})]), most=4)
    assert len(contrast.passed) == len(contrast.faulty) == 4


def test_a_shipped_adapter_becomes_the_same_weights_again(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(4, 24)).astype(np.float32), rng.normal(size=(16, 4)).astype(np.float32)
    layer = pack_low_rank(a, b, 1.0)
    write_peft({"model.layers.0.mlp.up_proj.weight": layer}, tmp_path / "adapter_model.safetensors")
    (tmp_path / "adapter_config.json").write_text('{"lora_alpha": 4, "r": 4}')
    layers, lost = packed_layers(tmp_path)
    zero = np.zeros((16, 24), dtype=np.float32)
    assert lost < 0.01
    np.testing.assert_allclose(
        layers["model.layers.0.mlp.up_proj.weight"].added_to(zero), layer.added_to(zero), atol=0.05
    )


@pytest.fixture
def model() -> Any:
    torch = pytest.importorskip("torch", reason="learning needs the [train] extra")
    transformers, peft = pytest.importorskip("transformers"), pytest.importorskip("peft")
    torch.manual_seed(0)
    config = transformers.Gemma3TextConfig(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16, sliding_window=64, pad_token_id=0, bos_token_id=2, eos_token_id=1,
    )  # fmt: skip
    settings = peft.LoraConfig(r=4, lora_alpha=4, target_modules=["q_proj", "up_proj"], task_type="CAUSAL_LM")
    return peft.get_peft_model(transformers.AutoModelForCausalLM.from_config(config), settings).eval()


def rows() -> list[Row]:
    """Of each source a text that passed, and two that are faulty."""
    made = []
    for source in ([2, 10, 11, 12], [2, 13, 14], [2, 15, 16, 17, 18]):
        read = np.array([*source, 9])
        pairs = [(read, np.array(target)) for target in ([20, 21, 1], [22, 23, 24, 1], [20, 25, 1])]
        made.append(Row(len(source), tuple(pairs), 1))
    return made


def test_log_probabilities_are_those_of_each_text_alone(model: Any) -> None:
    import torch

    row = rows()[0]
    source, target = row.pairs[1]
    logits = model(torch.tensor([[*source, *target]])).logits[0, len(source) - 1 : -1].log_softmax(-1)
    alone = logits[range(len(target)), torch.tensor(target)].detach()
    told = scores(model, tables_of(row, 0))[1].detach().tolist()
    assert told == pytest.approx(float(alone.sum()), abs=1e-3)


def test_what_passed_gains_on_what_did_not(model: Any, tmp_path: Path) -> None:
    given = rows()[:2]
    before = reference(model, given, 0)
    learnt = RowBatches(given, before, 0, seed=0, epochs=15)
    first = learnt[[learnt.indices(number) for number in range(2)].index([0])]
    expected = np.log(2) - scores(model, first)[0] / 3
    assert outcome(model, first)[0].item() == pytest.approx(float(expected.detach()), abs=1e-3)
    options = Learning(
        learning_rate=0.02, weight_decay=0.0, precision="fp32", device="cpu", threads=1, log_every=3, save_every=9
    )
    best, state = train(model, learnt, options, seed=0, folder=tmp_path, loss=lambda m, b, _: outcome(m, b)[0])
    assert state["global_step"] == 30
    progress = losses(state)
    assert progress[-1]["loss"] < progress[0]["loss"]
    assert measure(model, RowBatches(given, before, 0, seed=0))["right"] == 1.0
    assert (best / "adapter_model.safetensors").is_file()
