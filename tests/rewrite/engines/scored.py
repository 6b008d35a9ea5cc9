"""How probable given answers are to a model of ct2, in sums: the engine tells them token by token."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rewrite.engines.base import ModelInput, TokenScoring
from rewrite.engines.ct2 import create


def logprobs(engine: TokenScoring, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[tuple[float, int]]:
    """For each text its log-probability and its number of tokens."""
    scored = engine.token_logprobs(inputs, texts)
    return [(sum(logprob for _, logprob in tokens), len(tokens)) for tokens in scored]


def exact_logprobs(model: Path, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[tuple[float, int]]:
    """The same of a Hugging Face model, in 32 bits."""
    return logprobs(create(str(model), {"compute_type": "float32", "threads": "1"}), inputs, texts)
