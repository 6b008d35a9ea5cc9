"""Pairs of one source as one row: the same loss, the source read once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from training.packed import IGNORED, Pack, batch_of_shared, batch_of_texts, runs_of_one_source, write_pack

# Sources that differ in the last tokens alone, as the controls do.
PAIRS = [
    ([2, 10, 11, 12, 13, 14, 15, 16, 40, 41, 9], [20, 21, 22, 1]),
    ([2, 10, 11, 12, 13, 14, 15, 16, 40, 42, 9], [23, 24, 1]),
    ([2, 10, 11, 12, 13, 14, 15, 16, 43, 41, 9], [25, 1]),
    ([2, 30, 31, 32, 40, 41, 9], [26, 27, 1]),
]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    write_pack(tmp_path, PAIRS)
    return Pack(tmp_path)


def test_runs_are_of_one_source_and_no_longer_than_asked(pack: Pack) -> None:
    assert runs_of_one_source(pack, 100).tolist() == [[0, 3, 8], [3, 1, 6]]
    # 11 + 4 tokens, and the second pair would bring 2 + 3 more; the third brings 3 + 2 to its 11 + 3.
    assert runs_of_one_source(pack, 19).tolist() == [[0, 1, 10], [1, 2, 8], [3, 1, 6]]


def _runs(pack: Pack) -> list[Any]:
    found = runs_of_one_source(pack, 100).tolist()
    return [(common, [pack[i] for i in range(first, first + count)]) for first, count, common in found]


def test_a_row_holds_the_source_once(pack: Pack) -> None:
    batch = batch_of_shared(_runs(pack), 0)
    assert batch["input_ids"].shape == (2, 8 + (3 + 4) + (3 + 3) + (3 + 2))
    assert (batch["input_ids"][0] == 10).sum() == 1
    assert batch["position_ids"][0, 8:15].tolist() == [*batch["position_ids"][0, 15:21].tolist(), 14]
    learnt = batch["input_ids"][batch["labels"] != IGNORED].tolist()
    assert sorted(learnt) == sorted(token for _, target in PAIRS for token in target)
    mask = batch["attention_mask"]
    assert mask.shape == (2, 1, 26, 26)
    # The second pair sees the source and itself, not the first pair.
    assert mask[0, 0, 17].nonzero()[:, 0].tolist() == [*range(8), 15, 16, 17]


@pytest.mark.parametrize("family", ["gpt2", "gemma3"])
def test_the_loss_is_that_of_pairs_apart(family: str, pack: Pack) -> None:
    torch = pytest.importorskip("torch", reason="learning needs the [hf] extra")
    import transformers

    from training.finetuning.targets import loss_of_targets

    torch.manual_seed(0)
    sizes = {"vocab_size": 64}
    config: Any = (
        transformers.GPT2Config(**sizes, n_embd=32, n_layer=2, n_head=2, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0)
        if family == "gpt2"
        else transformers.Gemma3TextConfig(
            **sizes,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=16,
        )
    )
    model = transformers.AutoModelForCausalLM.from_config(config).eval()

    apart = batch_of_texts([pack[i] for i in range(4)], 0, whole=False)
    expected = model(**apart).loss
    assert torch.allclose(loss_of_targets(model, apart, None), expected, atol=1e-5)
    shared = batch_of_shared(_runs(pack), 0)
    assert torch.allclose(loss_of_targets(model, shared, None), expected, atol=1e-5)
