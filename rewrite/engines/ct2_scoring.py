"""How probable given texts are to a CTranslate2 model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewrite.engines.convert import Card
from rewrite.errors import ContextTooLong

__all__ = ["Pair", "each_token", "score", "too_long"]

# Tokens that are read at once, padding counted: each has a row of log-probabilities as long as the vocabulary.
_BATCH_TOKENS = 1024

# The tokens of a prompt, and those of an answer to it, its end token included.
Pair = tuple[list[str], list[str]]


def too_long(card: Card, pairs: Sequence[Pair]) -> dict[int, ContextTooLong]:
    """By index the pairs that the model has no positions for; an encoder has its own."""
    found = {}
    for i, (prompt, answer) in enumerate(pairs):
        needed = max(len(prompt), len(answer)) if card.kind == "seq2seq" else len(prompt) + len(answer)
        if card.context is not None and needed > card.context:
            found[i] = ContextTooLong(needed, card.context)
    return found


def score(runner: Any, card: Card, pairs: Sequence[Pair]) -> list[tuple[float, int]]:
    """For each pair the log-probability (natural) of the answer after the prompt, and the answer's number of tokens."""
    return [
        (float(sum(each)), len(answer))
        for each, (_, answer) in zip(each_token(runner, card, pairs), pairs, strict=True)
    ]


def each_token(runner: Any, card: Card, pairs: Sequence[Pair]) -> list[list[float]]:
    """For each pair the log-probabilities (natural) of the tokens of the answer after the prompt."""
    prompts = [prompt for prompt, _ in pairs]
    settings = {"max_batch_size": _BATCH_TOKENS, "batch_type": "tokens"}
    if card.kind == "seq2seq":
        targets = [[*card.forced_start, *answer] for _, answer in pairs]
        # By default what is longer is cut without a word.
        scored = runner.score_batch(prompts, targets, max_input_length=0, **settings)
        skipped = [len(card.forced_start)] * len(pairs)
    else:
        scored = runner.score_batch([prompt + answer for prompt, answer in pairs], **settings)
        skipped = [len(prompt) - 1 for prompt in prompts]  # the first token has no probability
    return [
        list(found.log_probs[skip : skip + len(answer)])
        for found, skip, (_, answer) in zip(scored, skipped, pairs, strict=True)
    ]
