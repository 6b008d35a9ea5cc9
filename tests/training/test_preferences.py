"""What readers passed becomes more probable beside what they did not."""

from __future__ import annotations

from functools import partial
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


TELL = partial(outcome, doubt=DOUBT)


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
    """Of each source a text that passed, one to be doubted, and one that is faulty but not that."""
    made = []
    for source in ([2, 10, 11, 12], [2, 13, 14], [2, 15, 16, 17, 18]):
        read = np.array([*source, 9])
        pairs = [(read, np.array(target)) for target in ([20, 21, 1], [22, 23, 24, 1], [20, 25, 1])]
        made.append(Row(len(source), tuple(pairs), 1, (False, True, False)))
    return made


def test_log_probabilities_are_those_of_each_text_alone(model: Any) -> None:
    import torch

    row = rows()[0]
    source, target = row.pairs[1]
    logits = model(torch.tensor([[*source, *target]])).logits[0, len(source) - 1 : -1].log_softmax(-1)
    alone = logits[range(len(target)), torch.tensor(target)].detach()
    content, ends = (table[1].detach().tolist() for table in scores(model, tables_of(row, 0), DOUBT))
    assert content == pytest.approx(float(alone[:-1].sum()), abs=1e-3)
    assert ends == pytest.approx([float(alone[-1]), float(logits[-1, DOUBT].detach())], abs=1e-3)


def test_what_passed_gains_on_what_did_not_and_what_is_faulty_is_doubted(model: Any, tmp_path: Path) -> None:
    given = rows()[:2]
    before = reference(model, given, 0, DOUBT)
    learnt = RowBatches(given, before, 0, seed=0, epochs=15)
    first = learnt[[learnt.indices(number) for number in range(2)].index([0])]
    content, ends = scores(model, first, DOUBT)
    verdict = -(ends[0, 0] + ends[1, 1] + ends[2, 0]) / 3
    expected = np.log(2) - content[0] / 2 + verdict
    assert TELL(model, first).loss.item() == pytest.approx(float(expected.detach()), abs=1e-3)
    options = Learning(
        learning_rate=0.02, weight_decay=0.0, precision="fp32", device="cpu", threads=1, log_every=3, save_every=9
    )
    best, state = train(model, learnt, options, seed=0, folder=tmp_path, loss=lambda m, b, _: TELL(m, b).loss)
    assert state["global_step"] == 30
    progress = losses(state)
    assert progress[-1]["loss"] < progress[0]["loss"]
    figures = measure(model, RowBatches(given, before, 0, seed=0), TELL)
    assert figures["right"] == figures["auc"] == 1.0
    told = TELL(model, first)
    assert told.doubted == (False, True, False)
    assert told.sure[1] < 0 < min(told.sure[0], told.sure[2])
    assert (best / "adapter_model.safetensors").is_file()
