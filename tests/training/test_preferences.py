"""What readers passed becomes more probable beside what they did not."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewrite.base.model_weights import pack_low_rank
from training.adapter import packed_layers, write_peft
from training.preferences import Contrast, Learner, Row, Weights, contrasts, learn

DOUBT = 7


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
    wrong, stopped = ("wrong", "1615"), ("stopped", "1615")
    assert contrast == Contrast(
        "source",
        (("good", "1615"), ("mended", "1615")),
        (("dull", "1615"), wrong, stopped),
        frozenset({wrong, stopped}),
    )
    assert not [*contrasts(iter([("source", {"texts": texts[4:]})]))]
    many = [_text(f"good {i}", "") for i in range(9)] + [_text(f"bad {i}", "w") for i in range(9)]
    (contrast,) = contrasts(iter([("source", {"texts": many})]), most=4)
    assert len(contrast.passed) == len(contrast.faulty) == len(contrast.doubted) == 4


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
def learner() -> Learner:
    torch = pytest.importorskip("torch", reason="learning needs the [train] extra")
    transformers, peft = pytest.importorskip("transformers"), pytest.importorskip("peft")
    torch.manual_seed(0)
    config = transformers.Gemma3TextConfig(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16, sliding_window=64, pad_token_id=0, bos_token_id=2, eos_token_id=1,
    )  # fmt: skip
    settings = peft.LoraConfig(r=4, lora_alpha=4, target_modules=["q_proj", "up_proj"], task_type="CAUSAL_LM")
    model = peft.get_peft_model(transformers.AutoModelForCausalLM.from_config(config), settings).eval()
    rows = []
    for source in ([2, 10, 11, 12], [2, 13, 14], [2, 15, 16, 17, 18]):
        read = np.array([*source, 9])
        pairs = [(read, np.array(target)) for target in ([20, 21, 1], [22, 23, 24, 1], [20, 25, 1])]
        rows.append(Row(len(source), tuple(pairs), 1, (False, True, False)))
    return Learner(model, rows, Weights(beta=0.5, likelihood=0.1, verdict=0.2), doubt=DOUBT, pad=0)


def test_log_probabilities_are_those_of_each_text_alone(learner: Learner) -> None:
    torch = learner.torch
    source, target = learner.rows[0].pairs[1]
    logits = learner.model(torch.tensor([[*source, *target]])).logits[0, len(source) - 1 : -1].log_softmax(-1)
    alone = logits[range(len(target)), torch.tensor(target)].detach()
    content, tokens, ends = (table[1].detach().tolist() for table in learner.scores(learner.rows[0]))
    assert content == pytest.approx(float(alone[:-1].sum()), abs=1e-3)
    assert tokens == len(target) - 1
    assert ends == pytest.approx([float(alone[-1]), float(logits[-1, DOUBT].detach())], abs=1e-3)


def test_what_passed_gains_on_what_did_not_and_what_is_faulty_is_doubted(learner: Learner, tmp_path: Path) -> None:
    content, tokens, ends = learner.scores(learner.rows[0])
    verdict = -(ends[0, 0] + ends[1, 1] + ends[2, 0]) / 3
    expected = np.log(2) - 0.1 * content[0] / tokens[0] + 0.2 * verdict
    assert float(learner.outcome(0).loss.detach()) == pytest.approx(float(expected.detach()), abs=1e-3)
    settings = argparse.Namespace(rate=0.02, batch=1, epochs=15, seed=0)
    progress = learn(learner, [0, 1], settings, tmp_path)
    assert progress[-1]["loss"] < progress[0]["loss"]
    assert progress[-1]["right"] == progress[-1]["auc"] == 1.0
    row = learner.outcome(0)
    assert row.doubted == (False, True, False)
    assert row.sure[1] < 0 < min(row.sure[0], row.sure[2])
    assert (tmp_path / "last" / "adapter_model.safetensors").is_file()
