"""What ct2 and hf say, token by token, against transformers itself: on random models and on taught ones."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rewrite.engines.base import ModelInput, Sample
from rewrite.engines.registry import create_engine
from rewrite.engines.tokens import FastTokens, SentencePieceTokens
from rewrite.generators.base import Sampling
from tests.rewrite.engines.hf_cases import ModelFolder, Theirs
from tests.rewrite.engines.taught import FAMILIES, asked_as
from tests.rewrite.engines.tiny import SOURCES

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

LIMIT = 20
GREEDY = Sampling(n=1, temperature=0, max_tokens=LIMIT)
SAMPLED = Sampling(n=6, seed=3, temperature=1.5, top_p=1.0, top_k=0, max_tokens=LIMIT)
ENGINES = {"ct2": {"compute_type": "float32"}, "hf": {"device": "cpu", "dtype": "float32"}}
_MARK = "\n"


@pytest.fixture
def as_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts come as their tokens, a line each, without the end token."""
    from rewrite.engines.hf_text import ModelText

    for kind in (FastTokens, SentencePieceTokens):
        monkeypatch.setattr(kind, "decode", lambda self, tokens: _MARK.join(tokens))
    monkeypatch.setattr(
        ModelText, "decode", lambda self, tokens: _MARK.join(self.tokenizer.convert_ids_to_tokens(tokens))
    )


def asked(family: str) -> list[ModelInput]:
    return [ModelInput(source, text=asked_as(family, source)) for source in SOURCES]


def drawn(scheme: str, folder: Path, family: str, sampling: Sampling) -> list[list[Sample]]:
    found = create_engine(scheme, str(folder), ENGINES[scheme]).sample(asked(family), sampling)
    assert all(isinstance(group, list) for group in found)
    return [group for group in found if isinstance(group, list)]


def numbers(theirs: Theirs, sample: Sample) -> list[int]:
    """The tokens of a sample that came `as_tokens`, its end token included."""
    tokens = sample.text.split(_MARK) if sample.text else []
    found: list[int] = theirs.tokenizer.convert_tokens_to_ids(tokens)
    return [*found, theirs.tokenizer.eos_token_id] if sample.finish_reason == "stop" else found


@pytest.mark.parametrize("family", ["gpt2", "t5", "marian"])
@pytest.mark.usefixtures("as_tokens")
def test_greedy_tokens_of_a_taught_model_are_those_of_transformers(family: str, taught_model: ModelFolder) -> None:
    theirs = Theirs(taught_model(family), seq2seq=family != "gpt2")
    end = theirs.tokenizer.eos_token_id
    expected = [theirs.greedy(asked_as(family, source), LIMIT) for source in SOURCES]
    # Worth comparing: the answers differ, are no repetition, and some come to their end.
    assert len(set(map(tuple, expected))) == len(SOURCES)
    assert all(len(set(tokens)) >= 5 for tokens in expected)
    assert {tokens[-1] == end for tokens in expected} == {True, False}
    assert [tokens for tokens in expected if tokens[-1] == end and len(tokens) < LIMIT]
    for scheme in ENGINES:
        samples = [group[0] for group in drawn(scheme, taught_model(family), family, GREEDY)]
        assert [numbers(theirs, sample) for sample in samples] == expected
        assert [sample.tokens for sample in samples] == [len(tokens) for tokens in expected]
        for source, tokens, sample in zip(SOURCES, expected, samples, strict=True):
            assert sample.finish_reason == ("stop" if tokens[-1] == end else "length")
            assert sample.logprob == pytest.approx(theirs.logprob(asked_as(family, source), tokens), abs=1e-3)


@pytest.mark.parametrize("scheme", ENGINES)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("as_tokens")
def test_what_is_said_of_a_sample_is_what_transformers_gives_its_tokens(
    family: str, scheme: str, tiny_model: ModelFolder
) -> None:
    """Also where logits are not scaled (T5 v1.1, mT5), which greedy decoding does not show."""
    folder = tiny_model(family)
    theirs = Theirs(folder, seq2seq=family != "gpt2")
    seen = set()
    for source, group in zip(SOURCES, drawn(scheme, folder, family, SAMPLED), strict=True):
        for sample in group:
            tokens = numbers(theirs, sample)
            assert len(tokens) == sample.tokens
            assert sample.logprob == pytest.approx(theirs.logprob(asked_as(family, source), tokens), abs=1e-3)
            seen.add(tuple(tokens))
    assert len(seen) > 12


@pytest.mark.parametrize("scheme", ENGINES)
@pytest.mark.parametrize("family", ["gpt2", "t5"])
@pytest.mark.usefixtures("as_tokens")
def test_entries_that_are_no_token_are_not_drawn_and_take_no_probability_however_likely(
    family: str, scheme: str, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    folder = _with_loud_padding(tiny_model(family), tmp_path / "model")
    theirs = Theirs(folder, seq2seq=family != "gpt2")
    known = len(theirs.tokenizer)
    hidden = 0.0
    for sampling in (GREEDY, replace(SAMPLED, n=2)):
        for source, group in zip(SOURCES, drawn(scheme, folder, family, sampling), strict=True):
            for sample in group:
                tokens, text = numbers(theirs, sample), asked_as(family, source)
                assert len(tokens) == sample.tokens
                assert max(tokens) < known
                assert "unused" not in sample.text
                own = theirs.logprob(text, tokens)
                assert sample.logprob == pytest.approx(own, abs=2e-3)
                hidden = max(hidden, own - theirs.logprob(text, tokens, among_all=True))
    assert hidden > 10  # or it would not show


def _with_loud_padding(model: Path, folder: Path) -> Path:
    """The same model, with entries without a token so loud that they are mostly the likeliest."""
    import transformers

    shutil.copytree(model, folder)
    seq2seq = not (folder / "config.json").read_text(encoding="utf-8").count("GPT2")
    kind: Any = transformers.AutoModelForSeq2SeqLM if seq2seq else transformers.AutoModelForCausalLM
    loaded = kind.from_pretrained(folder)
    known = len(transformers.AutoTokenizer.from_pretrained(folder))
    with torch.no_grad():
        loaded.get_output_embeddings().weight[known:] *= 4
    loaded.save_pretrained(folder)
    return folder
