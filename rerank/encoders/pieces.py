"""The embedded encoder for English: word vectors from the pieces of the bundled masked model."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rerank.analysis import Analyzer
from rerank.encoders.navec import WordEncoder
from rerank.frequency import Wordfreq
from rerank.masked.base import Word
from rerank.masked.bundled import load
from rerank.similarity import Vectors
from rerank.types import FloatArray

__all__ = ["PieceEncoder"]

# From: python -m training.calibrate_similarity --lang en
_COSINES = (0.0, 0.055, 0.207, 0.338, 0.429, 0.501, 0.562, 0.615, 0.668, 0.719, 0.771, 0.83, 0.92, 1.0)
_SIMILARITIES = (0.0, 0.077, 0.2, 0.357, 0.454, 0.519, 0.569, 0.604, 0.656, 0.691, 0.742, 0.772, 0.842, 1.0)


class PieceEncoder(WordEncoder):
    """`WordEncoder` with the mean of the input embeddings of a word's pieces, and its frequency by wordfreq.

    Vectors have 768 dimensions. `calibrate` maps their cosine to the degree of sameness that people gave to pairs of
    such cosine in STS-B, from 0 (nothing in common) to 1 (the same).
    """

    name = "pieces"

    def __init__(self, analyzer: Analyzer, *, smoothing: float = 3e-4, spelling: float = 2.0) -> None:
        super().__init__(analyzer, smoothing=smoothing, spelling=spelling)
        self._model = load("en", threads=1)
        self._frequencies = Wordfreq("en")

    def signature(self) -> str:
        model = self._model.signature()
        return f"pieces:{model}:{self._frequencies.signature()}:a={self._smoothing:g}:spelling={self._spelling:g}"

    def calibrate(self, cosine: FloatArray) -> FloatArray:
        return np.interp(cosine, _COSINES, _SIMILARITIES)

    def meaning(self, word: str) -> tuple[Vectors | None, float]:
        """See `WordEncoder.meaning`."""
        pieces = list(self._model.tokens(Word(word)))
        vector: Vectors = self._embeddings[pieces].mean(axis=0)
        return vector, self._frequencies.lookup([word])[word]

    @property
    def size(self) -> int:  # type: ignore[override]
        return int(self._embeddings.shape[1])

    @cached_property
    def _embeddings(self) -> Vectors:
        words = self._model.embeddings
        centred: Vectors = words - words.mean(axis=0)
        return centred
