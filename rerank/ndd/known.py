"""Whether a masked language model has words for a text at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rerank.errors import BadInput
from rerank.masked.base import Word
from rerank.ndd.reading import Reading

__all__ = ["foreign", "unknown_share"]

_MOST_UNKNOWN = 0.5
# Nothing is a word with it: where a model has an unknown token at all, it is this one's.
_UNKNOWN = Word("\ue000")
_LETTERS = re.compile(r"[^\W\d_]")


def foreign(reading: Reading) -> BadInput | None:
    """Why what the model says about a text would mean nothing: it does not know most of its words."""
    share = unknown_share(reading)
    if share <= _MOST_UNKNOWN:
        return None
    shown = " ".join(word.text for word in reading.words[:8])
    return BadInput(
        f"The model {reading.model.name} has no words for {share:.0%} of {shown!r} ….",
        hint="Give --masked-model hf:NAME of one that knows the language.",
    )


def unknown_share(reading: Reading) -> float:
    """The share of words, in [0, 1], that are unknown to the model or fall into single characters or bytes."""
    probe = reading.model.tokens(_UNKNOWN)
    unknown = probe[0] if len(probe) == 1 else None
    words = [(w, t) for w, t in zip(reading.words, reading.tokens, strict=True) if _LETTERS.search(w.text)]
    lost = sum(unknown in tokens or _is_spelled(word.text, tokens) for word, tokens in words)
    return lost / len(words) if words else 0.0


def _is_spelled(word: str, tokens: Sequence[int]) -> bool:
    return len(tokens) >= max(4, len(word))
