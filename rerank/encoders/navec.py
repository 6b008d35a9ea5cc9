"""The embedded encoder: frequency-weighted means of the word vectors that natasha carries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.similarity import Vectors
from rerank.types import FloatArray

__all__ = ["NavecEncoder"]


class NavecEncoder:
    """Σ a/(a + p(w)) · v(w) over the words w of a text: SIF weighting (Arora et al., 2017).

    v(w) are navec's vectors scaled to length 1, p(w) their corpus shares. Vectors have 300 dimensions.
    """

    name = "navec"

    def __init__(self, *, analyzer: Analyzer | None = None, smoothing: float = 1e-3) -> None:
        self._analyzer = analyzer or Analyzer()
        self._smoothing = smoothing

    def signature(self) -> str:
        return f"navec:a={self._smoothing:g}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        navec = self._analyzer.navec
        ids: list[int] = []
        rows: list[int] = []
        for row, analysis in enumerate(self._analyzer.analyze(texts)):
            for token in analysis.tokens:
                number = navec.vocab.word_ids.get(token.text.lower())
                if number is not None:
                    ids.append(number)
                    rows.append(row)
        return self._sum(navec, len(texts), np.array(rows, dtype=int), np.array(ids, dtype=int))

    def _sum(self, navec: Any, n: int, rows: Any, ids: Any) -> Vectors:
        distinct, inverse = np.unique(ids, return_inverse=True)
        quantised = navec.pq
        vectors = quantised.codes[quantised.qdims, quantised.indexes[distinct]].reshape(len(distinct), quantised.dim)
        counts = np.asarray(navec.vocab.counts)
        share = counts[distinct] / counts.sum()
        norms = np.maximum(np.linalg.norm(vectors, axis=1), 1e-9)
        vectors = vectors * (self._smoothing / (self._smoothing + share) / norms)[:, None]
        weights = np.zeros((n, len(distinct)), dtype=np.float32)
        np.add.at(weights, (rows, inverse), 1.0)
        result: Vectors = (weights @ vectors.astype(np.float32)).astype(np.float32)
        return result

    def calibrate(self, cosine: FloatArray) -> FloatArray:
        return cosine
