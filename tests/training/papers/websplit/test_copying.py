"""Tokens of the networks, and the model that copies untrained."""

from __future__ import annotations

import random

import pytest

from training.papers.websplit.examples import train_tokenizer
from training.papers.websplit.transformer import new_model


def test_a_text_comes_back_from_its_tokens() -> None:
    tokenizer = train_tokenizer(iter(["Шёл дождь весь день.", "Кот спал на окне."] * 5), 400)
    ids = tokenizer.encode("Дождь шёл 17 дней.").ids
    assert (ids[0], ids[-1]) == (0, 1)
    assert tokenizer.decode(ids).strip() == "Дождь шёл 17 дней."
    assert len(tokenizer.encode("дождь").ids) == 3, "a word is one token, at the start as well"


@pytest.mark.paper
def test_an_untrained_model_copies_most_of_what_it_reads() -> None:
    torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
    pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
    torch.manual_seed(0)
    model = new_model(2_000, width=320, encoder=2, decoder=2)
    rng = random.Random(0)
    ids = torch.tensor([[0, *(rng.randrange(4, 2_000) for _ in range(30)), 1] for _ in range(8)])
    with torch.no_grad():
        said = model(input_ids=ids, decoder_input_ids=ids[:, :-1]).logits.argmax(-1)
    assert (said == ids[:, 1:]).float().mean() > 0.6
