"""Sentence encoders and the similarity of two texts under one.

An encoder turns texts into vectors; `similarities` compares a source with its candidates. `rerank.encoders` has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray

Vectors = npt.NDArray[np.float32]


@runtime_checkable
class SentenceEncoder(Protocol):
    """Maps texts to vectors whose cosine tells how close their meanings are."""

    @property
    def name(self) -> str: ...

    def signature(self) -> str:
        """Name, model and settings: equal signatures mean equal vectors."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One float32 vector per text, shape `[n, d]`; a zero vector for a text with nothing to encode."""
        ...


@runtime_checkable
class CalibratedEncoder(SentenceEncoder, Protocol):
    """An encoder whose raw cosines need mapping before they read as a degree of sameness."""

    def calibrate(self, cosine: FloatArray) -> FloatArray:
        """Monotone map from cosines in [−1, 1] to similarities in [0, 1]; 1 stays 1."""
        ...


def cosines(left: Vectors, right: Vectors) -> FloatArray:
    """Row-wise cosine of two arrays `[n, d]` (or `[d]`, broadcast), in [−1, 1]; 0 where either vector is zero."""
    a = np.atleast_2d(left).astype(np.float64)
    b = np.atleast_2d(right).astype(np.float64)
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    dots = (a * b).sum(axis=1)
    result: FloatArray = np.clip(np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0), -1.0, 1.0)
    return result


def similarities(encoder: SentenceEncoder, source: str, texts: Sequence[str]) -> FloatArray:
    """How much of the meaning of `source` each of `texts` shares, shape `[n]`, in [0, 1]; 1 for the same text.

    max(0, cosine), after the encoder's own calibration where it has one.
    """
    if not texts:
        return np.zeros(0)
    vectors = encoder.encode([source, *texts])
    values = cosines(vectors[:1], vectors[1:])
    if isinstance(encoder, CalibratedEncoder):
        values = encoder.calibrate(values)
    values = np.clip(np.nan_to_num(values), 0.0, 1.0)
    # Rounding must not make a text differ from itself, nor an empty one.
    values[[text == source for text in texts]] = 1.0
    return values
