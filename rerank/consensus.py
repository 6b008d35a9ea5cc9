"""How much of what a candidate does the others do too, each by its probability: minimum Bayes risk."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Consensus"]

_FLOOR = 1e-9
_TOKEN = re.compile(r"\w+|[^\w\s]|\n")

Grams = Counter[tuple[str, ...]]


class Consensus:
    """Cᵢ = Σⱼ pⱼ s(i, j), over the largest of the pool: what is likely right where no candidate is likely by itself.

    Minimum Bayes risk (Kumar and Byrne 2004) with the gain s(i, j) = ½ F₁(aᵢ, aⱼ) + ½ F₁(dᵢ, dⱼ), where a and d are the
    words and pairs of words that a candidate adds to the source and takes from it, and pⱼ is proportional to the
    exponential of the log-probability per token, as in `likelihood`. Of two places to cut at, one with ten likely
    beginnings so wins over one with a likelier one. Range [1e-9, 1]; 1 for the best of the pool, for the source, and
    for a candidate without a log-probability.
    """

    name = "consensus"
    range = (_FLOOR, 1.0)
    needs = frozenset({"candidates"})

    def signature(self) -> str:
        return "consensus:1"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        values = np.ones(len(candidates))
        judged = [i for i, one in enumerate(candidates) if one.logprob is not None and one.text != source]
        if not judged:
            return values
        pool = [candidates[i] for i in judged]
        logprobs = np.array([_per_token(one) for one in pool])
        weights = np.exp(logprobs - logprobs.max())
        gains = _gains(source, [one.text for one in pool]) @ (weights / weights.sum())
        values[judged] = (gains / max(float(gains.max()), _FLOOR)).clip(_FLOOR, 1.0)
        return values


def _per_token(candidate: Candidate) -> float:
    return (candidate.logprob or 0.0) / max(1, candidate.tokens or len(candidate.text.split()))


def _gains(source: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """The matrix of s."""
    given = _grams(source)
    there = [_grams(text) for text in texts]
    added, taken = [one - given for one in there], [given - one for one in there]
    return np.array(
        [
            [(_f1(added[i], added[j]) + _f1(taken[i], taken[j])) / 2 for j in range(len(texts))]
            for i in range(len(texts))
        ]
    )


def _grams(text: str) -> Grams:
    tokens = _TOKEN.findall(text)
    found: Grams = Counter((token,) for token in tokens)
    found.update(itertools.pairwise(tokens))
    return found


def _f1(one: Grams, other: Grams) -> float:
    size = one.total() + other.total()
    return 2 * (one & other).total() / size if size else 1.0
