"""Given texts are scored over the same vocabulary as texts that are drawn, and those that are too long are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.engines.base import ModelInput
from rewrite.engines.ct2 import CT2Engine, create
from rewrite.errors import BadInput, BadModel, ContextTooLong
from rewrite.requested_scorers import EngineTextModel
from tests.rewrite.engines.hf_cases import Theirs
from tests.rewrite.engines.scored import logprobs

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

TEXTS = ["Кошка спала.", "The cat.", "Дети нашли во дворе кошку."]
LONG = "Дождь идёт. " * 60


def engine(folder: Path) -> CT2Engine:
    return create(str(folder), {"device": "cpu", "threads": "1", "compute_type": "float32"})


@pytest.fixture(scope="module")
def padded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A causal model whose vocabulary has nearly as many entries without a token as tokens."""
    from tests.rewrite.engines.tiny import tiny_gpt2

    return tiny_gpt2(tmp_path_factory.mktemp("models") / "padded", vocab_padding=400)


def test_entries_that_are_no_token_take_no_probability_from_a_given_text(padded: Path) -> None:
    theirs = Theirs(padded, seq2seq=False)
    scored = logprobs(engine(padded), [ModelInput("", text="Кот")] * len(TEXTS), TEXTS)
    for text, (logprob, count) in zip(TEXTS, scored, strict=True):
        tokens = [*theirs.tokenizer(text)["input_ids"], theirs.tokenizer.eos_token_id]
        assert count == len(tokens)
        assert logprob == pytest.approx(theirs.logprob("Кот", tokens), abs=1e-3)
        assert logprob > theirs.logprob("Кот", tokens, among_all=True) + 1


@pytest.mark.parametrize("family", ["gpt2", "t5", "bart"])
def test_a_text_is_scored_or_told_to_be_too_long(family: str, tiny_model: Callable[[str], Path]) -> None:
    one = engine(tiny_model(family))
    inputs = [ModelInput("", text="Кот.")] * 3
    longer = LONG * (20 if family == "t5" else 1)
    (found,) = one.too_long(inputs, ["Кот.", longer, "Пёс."]).items()
    assert found[0] == 1
    assert found[1].length > found[1].context
    with pytest.raises(ContextTooLong) as caught:
        one.token_logprobs(inputs, ["Кот.", longer, "Пёс."])
    assert (caught.value.length, caught.value.context) == (found[1].length, found[1].context)


def test_as_a_model_of_text_it_tells_the_text_and_both_lengths(tiny_model: Callable[[str], Path]) -> None:
    model = EngineTextModel(engine(tiny_model("gpt2")))
    ((place, error),) = model.unfit(["Кот.", LONG]).items()
    assert place == 1
    assert isinstance(error, BadInput)
    assert "128" in error.message
    assert LONG[:60] in error.message
    assert LONG[:70] not in error.message
    ((logprob, tokens),) = model.text_logprobs(["Кот."])
    assert math.isfinite(logprob / tokens)


def test_a_model_that_reads_a_source_is_no_model_of_text(tiny_model: Callable[[str], Path]) -> None:
    with pytest.raises(BadModel, match="needs a causal model"):
        EngineTextModel(engine(tiny_model("t5"))).unfit(["Кот."])
