"""The cosine of two texts' vectors under a masked language model (S_C)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.errors import UnknownName
from rerank.masked.base import LogProbs, MaskedModel
from rerank.ndd.base import MaskedScorer, context_vectors
from rerank.scorer import Context
from rerank.similarity import cosines
from rerank.types import Candidate, FloatArray

__all__ = ["CosineScorer"]

_POOLINGS = ("cls", "mean")


class CosineScorer(MaskedScorer):
    """max(0, S_C), in [0, 1]; 1 for the same text (section 2.1 of the paper).

    `pooling` is what stands for a text: `cls`, the last layer's vector of the token before it ([CLS], <s>), or `mean`,
    the mean of its sub-words' vectors (of all tokens where it has none). For a text longer than the window it is the
    mean over its sentences, or over the sub-words of all. Raises `UnknownName` for another pooling.
    """

    name = "cosine"

    def __init__(
        self,
        *,
        model: MaskedModel | str = "bundled",
        pooling: str = "cls",
        language: str | None = None,
        device: str = "cpu",
    ) -> None:
        if pooling not in _POOLINGS:
            raise UnknownName(f"Unknown pooling {pooling!r}.", hint=f"Known: {', '.join(_POOLINGS)}.")
        super().__init__(model=model, language=language, device=device)
        self._pooling = pooling

    def _settings(self) -> tuple[str, ...]:
        return (self._pooling,)

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        return np.maximum(self.similarities(source, [candidate.text for candidate in candidates]), 0.0)

    def similarities(self, source: str, texts: Sequence[str]) -> FloatArray:
        """S_C of the source and each text, shape `[n]`, in [−1, 1]; exactly 1 for the same words."""
        if not texts:
            return np.zeros(0)
        language = self.language_of(source)
        model = self.model_for(language)
        distinct = list(dict.fromkeys((source, *texts)))
        readings = self.read(distinct, language)
        pooled = np.stack([self._pool(model, vectors) for vectors in context_vectors(model, readings)])
        values = cosines(pooled[:1], pooled)
        same = [reading.tokens == readings[0].tokens for reading in readings]
        places = {text: number for number, text in enumerate(distinct)}
        found: FloatArray = np.where(same, 1.0, values)[[places[text] for text in texts]]
        return found

    def _pool(self, model: MaskedModel, contexts: Sequence[LogProbs]) -> LogProbs:
        before, after = len(model.prefix), len(model.suffix)
        if self._pooling == "cls":
            chosen = [vectors[before - 1] for vectors in contexts]
        else:
            inner = [vector for vectors in contexts for vector in vectors[before : len(vectors) - after]]
            chosen = inner or [vector for vectors in contexts for vector in vectors]
        pooled: LogProbs = np.mean(chosen, axis=0)
        return pooled
