"""The embedded encoders: vectors of words beside their spelling, of navec for Russian, of word pieces for English."""

from __future__ import annotations

import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.frequency import fold, shared_wordfreq
from rerank.masked.base import Word
from rerank.similarity import Vectors
from rerank.types import FloatArray

# a and λ of `WordEncoder`.
_SMOOTHING, _SPELLING = 3e-4, 2.0
_SPELLING_SIZE = 512
_PREFIXES = (3, 4, 5, 6)
_CENTRE_STEP = 50
_CACHE_SIZE = 20_000
_HAS_LETTER = re.compile(r"[^\W_]")

# From: python -m training.calibrate_similarity
_COSINES = (0.0, 0.089, 0.292, 0.49, 0.557, 0.601, 0.639, 0.676, 0.713, 0.754, 0.799, 0.855, 0.936, 1.0)
_SIMILARITIES = (0.0, 0.0, 0.078, 0.24, 0.297, 0.393, 0.421, 0.483, 0.545, 0.607, 0.652, 0.712, 0.831, 1.0)
# From: python -m training.calibrate_similarity --lang en
_ENGLISH_COSINES = (0.0, 0.055, 0.207, 0.338, 0.429, 0.501, 0.562, 0.615, 0.668, 0.719, 0.771, 0.83, 0.92, 1.0)
_ENGLISH_SIMILARITIES = (0.0, 0.077, 0.2, 0.357, 0.454, 0.519, 0.569, 0.604, 0.656, 0.691, 0.742, 0.772, 0.842, 1.0)


class WordEncoder(ABC):
    """Σ a/(a + p(w)) · [ u(w) ; λ · s(w) ] over the words w of a text: SIF weighting (Arora et al., 2017).

    p(w) is the word's share in a corpus, u(w) its vector, less the mean vector and scaled to length 1 (zero for a word
    not known), s(w) its prefixes of 3 to 6 letters hashed into 512 signed places, length 1. The prefixes keep inflected
    forms together and tell names and numbers apart that the vectors know nothing of. A kind of vectors is a subclass.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._word = lru_cache(maxsize=_CACHE_SIZE)(self._make)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `SentenceEncoder.encode`; `d` is `size` + 512."""
        numbers: dict[str, int] = {}
        rows: list[int] = []
        columns: list[int] = []
        for row, analysis in enumerate(self._analyzer.analyze(texts)):
            for sentence in analysis.sentences:
                for token in sentence.tokens:
                    if _HAS_LETTER.search(token.text):
                        rows.append(row)
                        columns.append(numbers.setdefault(token.text.lower(), len(numbers)))
        if not rows:
            return np.zeros((len(texts), self.size + _SPELLING_SIZE), dtype=np.float32)
        counts = np.zeros((len(texts), len(numbers)), dtype=np.float32)
        np.add.at(counts, (rows, columns), 1.0)
        vectors: Vectors = counts @ np.stack([self._word(word) for word in numbers])
        return vectors

    @property
    @abstractmethod
    def size(self) -> int:
        """Numbers in u(w)."""

    @abstractmethod
    def meaning(self, word: str) -> Vectors | None:
        """u(w) before it is scaled, or `None`."""

    @abstractmethod
    def share(self, word: str) -> float:
        """p(w), 0 for a word that is not known."""

    def _make(self, word: str) -> Vectors:
        meaning = self.meaning(word)
        vector = np.zeros(self.size + _SPELLING_SIZE, dtype=np.float32)
        if meaning is not None:
            vector[: self.size] = meaning / max(float(np.linalg.norm(meaning)), 1e-9)
        spelling = vector[self.size :]
        for prefix in {fold(word)[:length] for length in _PREFIXES}:
            code = zlib.crc32(prefix.encode("utf-8", errors="replace"))
            spelling[code % _SPELLING_SIZE] += 1.0 if code >> 31 else -1.0
        spelling *= _SPELLING / max(float(np.linalg.norm(spelling)), 1e-9)
        vector *= _SMOOTHING / (_SMOOTHING + self.share(word))
        return vector


class NavecEncoder(WordEncoder):
    """`WordEncoder` with the vectors of navec, and shares of words in its corpus; vectors have 812 dimensions.

    `calibrate` maps their cosine to the degree of sameness that people gave to pairs of such cosine in the ParaPhraser
    corpus, from 0 (different) to 1 (the same).
    """

    name = "navec"

    def __init__(self, *, analyzer: Analyzer | None = None) -> None:
        super().__init__(analyzer or Analyzer())

    @property
    def size(self) -> int:
        return int(self._analyzer.navec.pq.dim)

    def signature(self) -> str:
        return f"navec:news_250K:a={_SMOOTHING:g}:spelling={_SPELLING:g}"

    def calibrate(self, cosine: FloatArray) -> FloatArray:
        return np.interp(cosine, _COSINES, _SIMILARITIES)

    def meaning(self, word: str) -> Vectors | None:
        """See `WordEncoder.meaning`."""
        number = self._analyzer.navec.vocab.word_ids.get(word)
        return None if number is None else self._analyzer.navec.pq[number] - self._centre

    def share(self, word: str) -> float:
        """See `WordEncoder.share`."""
        vocabulary = self._analyzer.navec.vocab
        number = vocabulary.word_ids.get(word)
        return 0.0 if number is None else float(vocabulary.counts[number]) / self._total

    @cached_property
    def _total(self) -> float:
        return float(np.sum(self._analyzer.navec.vocab.counts))

    @cached_property
    def _centre(self) -> Any:
        # Every 50th word of the list: the mean of all words to within 2 %, without unpacking all of them.
        quantised = self._analyzer.navec.pq
        sample = quantised.indexes[::_CENTRE_STEP]
        return quantised.codes[quantised.qdims, sample].reshape(len(sample), quantised.dim).mean(axis=0)


class PieceEncoder(WordEncoder):
    """`WordEncoder` with the mean of the input embeddings of a word's pieces, and its frequency by wordfreq.

    Vectors have 768 dimensions. `calibrate` maps their cosine to the degree of sameness that people gave to pairs of
    such cosine in STS-B, from 0 (nothing in common) to 1 (the same).
    """

    name = "pieces"

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__(analyzer)
        # What Russian needs is loaded without it.
        from rerank.masked.bundled import load

        self._model = load("en", threads=1)
        self._frequencies = shared_wordfreq("en")

    def signature(self) -> str:
        parts = f"{self._model.signature()}:{self._frequencies.signature()}"
        return f"pieces:{parts}:a={_SMOOTHING:g}:spelling={_SPELLING:g}"

    def calibrate(self, cosine: FloatArray) -> FloatArray:
        return np.interp(cosine, _ENGLISH_COSINES, _ENGLISH_SIMILARITIES)

    def meaning(self, word: str) -> Vectors:
        """See `WordEncoder.meaning`."""
        pieces = list(self._model.tokens(Word(word)))
        vector: Vectors = self._embeddings[pieces].mean(axis=0)
        return vector

    def share(self, word: str) -> float:
        """See `WordEncoder.share`."""
        return float(self._frequencies.lookup([word])[word])

    @property
    def size(self) -> int:
        return int(self._embeddings.shape[1])

    @cached_property
    def _embeddings(self) -> Vectors:
        words = self._model.embeddings
        centred: Vectors = words - words.mean(axis=0)
        return centred
