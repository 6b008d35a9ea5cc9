"""SARI of whole corpora."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.types import FloatArray
from rewrite.evaluate.sari import SARI, SariSource


def corpus_statistics(
    sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]
) -> FloatArray:
    """Statistics of every segment, shape `[n_segments, 3, 4, 3]`."""
    rows = zip(sources, outputs, references, strict=True)
    return np.array([SariSource(source, own).statistics(output) for source, output, own in rows])


def corpus_sari(
    sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, float]:
    """The figures of one output per source; `references[i]` holds one or more references of source i."""
    return SARI.of(corpus_statistics(sources, outputs, references))
