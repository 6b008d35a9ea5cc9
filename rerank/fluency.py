"""How fluent a candidate is: the probability that a language model gives to it, per token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from rerank.errors import RewriteError
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Fluency", "TextModel"]

_FLOOR = 1e-9


class TextModel(Protocol):
    """A causal language model that can be asked how probable a text is."""

    def signature(self) -> str:
        """Its name and version: equal signatures mean equal probabilities."""
        ...

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        """For each text the natural-log probability of the whole, and its number of tokens (end token included)."""
        ...

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of the texts cannot be asked about, such as one longer than the model's context, by index."""
        ...


class Fluency:
    """exp(log p(text) / tokens): the geometric mean of the token probabilities, which is 1 / perplexity.

    Range [1e-9, 1]. With `model`, every candidate is asked of that model, by itself, without its source. Without one,
    the generator's own account counts (`Candidate.logprob` and `tokens`), which is the probability given the source;
    a candidate without it, and the source where the generator does not say (`source_logprob`), get the pool's median,
    so that they neither gain nor lose by it; a pool without any gets 1 throughout.
    """

    name = "fluency"
    range = (_FLOOR, 1.0)

    def __init__(self, *, model: TextModel | None = None) -> None:
        self._model = model

    @property
    def needs(self) -> frozenset[str]:
        """The pool as a whole where the generator's account counts; a model tells of each text by itself."""
        return frozenset() if self._model else frozenset({"candidates"})

    def signature(self) -> str:
        return f"fluency:{self._model.signature() if self._model else 'generator'}"

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index; `score` raises that error for a pool with one of them."""
        return self._model.unfit(texts) if self._model else {}

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        if self._model is not None:
            scored = self._model.text_logprobs([candidate.text for candidate in candidates])
            means = np.array([logprob / max(1, tokens) for logprob, tokens in scored], dtype=np.float64)
        else:
            means = _filled(np.array([_own(source, c, candidates) for c in candidates], dtype=np.float64))
        return np.exp(means).clip(_FLOOR, 1.0)


def _own(source: str, candidate: Candidate, pool: Sequence[Candidate]) -> float:
    if candidate.logprob is not None:
        return candidate.logprob / max(1, candidate.tokens or len(candidate.text.split()))
    if candidate.text == source:
        known = [other for other in pool if other.source_logprob is not None]
        if known and known[0].source_logprob is not None:
            tokens = known[0].source_tokens or known[0].tokens or len(source.split())
            return known[0].source_logprob / max(1, tokens)
    return float("nan")


def _filled(means: FloatArray) -> FloatArray:
    known = means[~np.isnan(means)]
    return np.where(np.isnan(means), np.median(known) if len(known) else 0.0, means)
