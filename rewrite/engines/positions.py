"""How long a text a model can take."""

from __future__ import annotations

from typing import Any

__all__ = ["context_length"]

# Relative positions have no end, but memory has: attention takes the square of the length, and nobody trained them on
# more than a small multiple of what their config names.
_BEYOND = 4
_USUAL = 512
# What tokenizers say who know of no limit.
_UNBOUNDED = 1_000_000


def context_length(config: Any, tokenizer: Any) -> int:
    """Positions of a transformers model, in tokens.

    With relative positions (T5 and its kind) what the tokenizer names, else four times what the config does.
    """
    settings = config.get_text_config()
    positions = getattr(settings, "n_positions", None) or getattr(settings, "max_position_embeddings", None)
    if positions and not hasattr(settings, "relative_attention_num_buckets"):
        return int(positions)
    longest = getattr(tokenizer, "model_max_length", None) or 0
    return int(longest) if 0 < longest < _UNBOUNDED else _BEYOND * int(positions or _USUAL)
