"""What is written for CTranslate2 and for transformers is the same model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewrite.base.model_weights import BaseWeights, LowRank, pack_low_rank
from rewrite.base.model_writing import Adapted
from rewrite.base.vocabulary import kept_ids
from rewrite.errors import BadModel
from tests.rewrite.base.sources import SOURCES

Folders = tuple[Path, Path, Path]
Scored = list[tuple[list[str], list[float]]]
# In nats a token, over SOURCES: what rounding to int8 costs (0.37 without the scaling of rewrite.base.model_writing).
_INT8_MEAN = 0.3


@pytest.fixture(scope="module")
def reference(exported: Folders) -> tuple[Any, Any]:
    transformers = pytest.importorskip("transformers", reason="the reference needs the [hf] extra")
    torch = pytest.importorskip("torch", reason="the reference needs the [hf] extra")
    model = transformers.AutoModelForCausalLM.from_pretrained(exported[0], dtype=torch.float32)
    return model.eval(), transformers.AutoTokenizer.from_pretrained(exported[0])


@pytest.fixture(scope="module")
def expected(reference: tuple[Any, Any]) -> Scored:
    """Of each text the tokens, and by transformers the log-probability of each but the first."""
    import torch

    model, tokenizer = reference
    found = []
    for text in (*SOURCES[:20], " ".join(SOURCES[:12])):
        ids = tokenizer(text).input_ids
        with torch.no_grad():
            logprobs = torch.log_softmax(model(torch.tensor([ids])).logits[0].float(), -1)
        of_tokens = [float(logprobs[i, token]) for i, token in enumerate(ids[1:])]
        found.append((tokenizer.convert_ids_to_tokens(ids), of_tokens))
    return found


def _differences(expected: Scored, folder: Path) -> np.ndarray[Any, Any]:
    """By token, how far the log-probabilities are apart."""
    import ctranslate2

    generator = ctranslate2.Generator(str(folder), device="cpu", intra_threads=1)
    found = []
    for tokens, logprobs in expected:
        (scored,) = generator.score_batch([tokens])
        found.append(np.abs(np.subtract(logprobs, scored.log_probs)))
    return np.concatenate(found)


def test_log_probabilities_in_float32_are_those_of_transformers(exported: Folders, expected: Scored) -> None:
    assert _differences(expected, exported[1]).max() <= 1e-3


def test_whoever_may_read_the_config_may_read_the_weights(exported: Folders) -> None:
    modes = {(exported[0] / name).stat().st_mode for name in ("config.json", "model.safetensors")}
    assert len(modes) == 1


def test_int8_costs_what_is_told(exported: Folders, expected: Scored) -> None:
    assert _differences(expected, exported[2]).mean() <= _INT8_MEAN


def test_greedy_texts_in_float32_are_those_of_transformers(exported: Folders, reference: tuple[Any, Any]) -> None:
    import ctranslate2
    import torch

    model, tokenizer = reference
    generator = ctranslate2.Generator(str(exported[1]), device="cpu", intra_threads=1)
    prompts = [tokenizer(f"{text}\n").input_ids for text in SOURCES[:5]]
    drawn = generator.generate_batch(
        [tokenizer.convert_ids_to_tokens(ids) for ids in prompts],
        max_length=24,
        beam_size=1,
        include_prompt_in_result=False,
        end_token="<eos>",
    )
    padded = tokenizer.pad({"input_ids": prompts}, padding_side="left", return_tensors="pt")
    with torch.no_grad():
        texts = model.generate(**padded, max_new_tokens=24, do_sample=False)[:, padded.input_ids.shape[1] :].tolist()
    for expected, result in zip(texts, drawn, strict=True):
        assert result.sequences_ids[0] == [
            i for i in expected if i not in (tokenizer.eos_token_id, tokenizer.pad_token_id)
        ]


def test_an_adapter_is_added_to_the_weights(base: BaseWeights) -> None:
    name = "model.layers.3.self_attn.o_proj.weight"
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(4, 1024)).astype(np.float32), rng.normal(size=(640, 4)).astype(np.float32)
    layer = pack_low_rank(a, b, 0.5)
    changed = Adapted(base, kept_ids("ru"), {name: layer}).weight(name) - base.read(name)
    exact = 0.5 * b @ a
    assert np.linalg.norm(changed - exact) <= 0.02 * np.linalg.norm(exact)


def test_an_adapter_of_another_base_is_refused(base: BaseWeights) -> None:
    strange = LowRank(np.ones((2, 7), np.int8), np.ones((5, 2), np.int8), np.ones(2, np.float32))
    name = "model.layers.0.mlp.up_proj.weight"
    with pytest.raises(BadModel, match="for a weight of 5 × 7, the base has 2048 × 640"):
        Adapted(base, kept_ids("ru"), {name: strange}).weight(name)
