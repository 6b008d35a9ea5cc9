"""What eight bits cost: the log-probabilities of ct2 in int8 beside those of transformers in float32.

The promise is of texts that a trained model finds likely, for these are what is drawn and ranked: there no token is off
by more than `MOST`. A model with random weights finds nothing likely, and is off by several times as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from rewrite.engines.base import ModelInput
from rewrite.engines.ct2 import CT2Engine, create
from rewrite.generators.base import Sampling
from tests.processor import needs_vnni
from tests.rewrite.engines.hf_cases import ModelFolder, Theirs
from tests.rewrite.engines.pairs import PAIRS
from tests.rewrite.engines.taught import asked_as

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

MOST = 0.1
SAMPLED = Sampling(n=10, seed=1, temperature=1.0, top_p=1.0, top_k=0, max_tokens=60)


@dataclass(frozen=True)
class Trained:
    """A trained model with its inputs and the answers that it has learnt."""

    folder: Path
    asked: tuple[str, ...]
    answers: tuple[str, ...]

    def engine(self, compute_type: str) -> CT2Engine:
        return create(str(self.folder), {"compute_type": compute_type})

    def inputs(self) -> list[ModelInput]:
        return [ModelInput(text, text=text) for text in self.asked]

    def errors(self, asked: Sequence[str], answers: Sequence[str]) -> list[list[float]]:
        """By how much each token of each answer, its end token included, is less or more probable in eight bits."""
        theirs, engine = Theirs(self.folder, seq2seq=False), self.engine("int8")
        found = []
        for text, answer in zip(asked, answers, strict=True):
            tokens = theirs.tokenizer(text_target=answer, add_special_tokens=False)["input_ids"]
            tokens = [*tokens, theirs.tokenizer.eos_token_id]
            expected = theirs.logprobs(text, tokens, among_all=True)
            eight = _scored(engine, theirs, text, tokens)
            found.append([abs(a - b) for a, b in zip(eight, expected, strict=True)])
        return found


def _scored(engine: CT2Engine, theirs: Theirs, text: str, tokens: Sequence[int]) -> list[float]:
    """Of each token as the answer to `text`, by the library itself: the engine tells sums."""
    runner = engine._runner(1)
    prompt = theirs.tokenizer.convert_ids_to_tokens(theirs.tokenizer(text)["input_ids"])
    answer = theirs.tokenizer.convert_ids_to_tokens(tokens)
    (scored,) = runner.score_batch([prompt + answer])
    start = len(prompt) - 1
    found: list[float] = scored.log_probs[start : start + len(answer)]
    return found


@pytest.fixture
def trained(fine_tuned: Path) -> Trained:
    sources, targets = zip(*PAIRS, strict=True)
    asked, answers = tuple(asked_as("gpt2", source) for source in sources), tuple(f" {t} " for t in targets)
    return Trained(fine_tuned, asked, answers)


@needs_vnni
def test_no_token_that_a_trained_model_has_learnt_is_off_by_more_than_a_tenth(trained: Trained) -> None:
    errors = trained.errors(trained.asked, trained.answers)
    assert 0 < max(map(max, errors)) < MOST
    assert all(sum(text) / len(text) < MOST for text in errors)


@needs_vnni
def test_no_token_of_what_a_trained_model_says_greedily_is_off_by_more_than_a_tenth(trained: Trained) -> None:
    greedy = Sampling(n=1, temperature=0, max_tokens=60)
    said = [group[0] for group in trained.engine("int8").sample(trained.inputs(), greedy) if isinstance(group, list)]
    ended = [(text, one.text) for text, one in zip(trained.asked, said, strict=True) if one.finish_reason == "stop"]
    assert 2 * len(ended) > len(said)
    assert max(map(max, trained.errors(*zip(*ended, strict=True)))) < MOST


@needs_vnni
def test_of_what_a_trained_model_draws_few_tokens_are_off_by_more_than_a_tenth_and_no_text_is(trained: Trained) -> None:
    """At temperature 1 unlikely tokens come too, and of their probabilities less is left."""
    inputs = trained.inputs()[:8]
    groups = trained.engine("float32").sample(inputs, SAMPLED)
    drawn = [
        (one.text, sample.text)
        for one, group in zip(inputs, groups, strict=True)
        for sample in (group if isinstance(group, list) else ())
        if sample.finish_reason == "stop" and "�" not in sample.text
    ]
    assert len(drawn) > 5
    errors = trained.errors(*zip(*drawn, strict=True))
    tokens = [error for text in errors for error in text]
    assert all(sum(text) / len(text) < MOST for text in errors)
    assert sum(error > MOST for error in tokens) <= 0.02 * len(tokens)
    assert max(tokens) < 5 * MOST


@pytest.mark.parametrize("family", ["gpt2", "bart"])
def test_weights_are_kept_in_the_numbers_that_were_asked_for(family: str, tiny_model: ModelFolder) -> None:
    sizes = {}
    for numbers in ("float32", "float16", "bfloat16", "int8"):
        engine = create(str(tiny_model(family)), {"compute_type": numbers})
        assert engine.describe()["compute_type"] == numbers
        sizes[numbers] = (engine.folder / "model.bin").stat().st_size
    assert sizes["int8"] < 0.8 * sizes["float16"]
    assert sizes["float16"] == sizes["bfloat16"] < 0.6 * sizes["float32"]


def test_a_model_computes_in_the_numbers_that_were_asked_for(tiny_model: ModelFolder) -> None:
    for numbers in ("float32", "int8"):
        engine = create(str(tiny_model("gpt2")), {"compute_type": numbers, "device": "cpu"})
        assert engine._runner(1).compute_type.startswith(numbers)
