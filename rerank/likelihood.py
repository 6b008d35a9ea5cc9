"""How probable the generator itself finds each candidate, against the most probable one of the pool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Likelihood"]

_FLOOR = 1e-9


class Likelihood:
    """exp(mᵢ − maxⱼ mⱼ), where m is log-probability per token: the ratio of geometric mean token probabilities.

    Range [1e-9, 1]; the best of the pool, to which the source belongs, has 1. Where a generator gives no token count,
    words are counted. A candidate without a log-probability gets 1 (nothing speaks against it), and so does the source
    where no candidate says what leaving it alone is worth (`Candidate.source_logprob`). Generators are compared on one
    scale only if their tokens are alike.
    """

    name = "likelihood"
    range = (_FLOOR, 1.0)
    needs = frozenset({"candidates"})

    def signature(self) -> str:
        return "likelihood:per-token"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        means = np.array([_per_token(source, candidate, candidates) for candidate in candidates], dtype=np.float64)
        given = ~np.isnan(means)
        values = np.ones(len(candidates))
        if given.any():
            values[given] = np.exp(means[given] - means[given].max()).clip(_FLOOR, 1.0)
        return values


def _per_token(source: str, candidate: Candidate, pool: Sequence[Candidate]) -> float:
    if candidate.logprob is not None:
        return candidate.logprob / max(1, candidate.tokens or len(candidate.text.split()))
    if candidate.text == source:
        for other in pool:
            if other.source_logprob is not None:
                return other.source_logprob / max(1, other.source_tokens or other.tokens or len(source.split()))
    return float("nan")
