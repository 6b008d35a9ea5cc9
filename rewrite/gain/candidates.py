"""What a candidate says of itself, and how common words are: shared by all that looks at texts here."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rerank.types import Candidate

__all__ = ["RARE", "is_drawn", "is_ours", "logprob_per_token", "zipf"]

# Generators of this package, which give their candidates a gain and a risk, not a language model's probability.
_OURS = frozenset({"edits", "edits-lm", "deletion"})
RARE = 3.0
"""Occurrences in a thousand million words, as log₁₀: below it a word is rare."""
_LEAST_LOGPROB = -6.0


def is_ours(candidate: Candidate) -> bool:
    """Whether a generator of this package made the candidate, and says itself what it is worth and what it risks."""
    return candidate.generator in _OURS


def is_drawn(candidate: Candidate) -> bool:
    """Whether a language model drew the candidate."""
    return not is_ours(candidate) and candidate.logprob is not None


def logprob_per_token(candidate: Candidate) -> float:
    """Natural-log probability of a token, on average, from −6 up; −6 where it is not known."""
    if candidate.logprob is None:
        return _LEAST_LOGPROB
    return max(_LEAST_LOGPROB, candidate.logprob / max(1, candidate.tokens or len(candidate.text.split())))


def zipf(frequency: Mapping[str, float], word: str) -> float:
    """How common a word is: log₁₀ of its occurrences in a thousand million words, from 0 up."""
    share = frequency.get(word, 0.0)
    return max(0.0, 9.0 + math.log10(share)) if share > 0 else 0.0
