"""What a masked model knows before its first step: which words keep company, how frequent they are, where they stand.

A model this small, in batches this small, spends its first thousands of steps on guessing by frequency alone. Vectors
that are counted instead of learnt take it past that at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.masked.vocabulary import SPECIAL

_REACH = 5
# Of a context word's count: rare ones are too surprising otherwise (Levy, Goldberg & Dagan, 2015).
_SMOOTHING = 0.75
_SPREAD = 0.02

Rows = Iterable[NDArray[np.integer[Any]]]


def prepare(model: Any, rows: Rows, *, seed: int) -> None:
    """Sets a fresh `BertForMaskedLM`'s word vectors, position vectors and bias from these rows of tokens.

    Word vectors have the company of words in them, the bias their frequency, and positions are sinusoids (Vaswani et
    al., 2017), in which what stands n places away is the same turn everywhere. Same rows, same seed: same weights.
    """
    import torch

    words = model.bert.embeddings.word_embeddings.weight
    places = model.bert.embeddings.position_embeddings.weight
    flat = _joined(rows)
    vectors = company_vectors(flat, size=words.shape[0], width=words.shape[1], seed=seed)
    logs = np.log(frequencies(flat, words.shape[0]))
    with torch.no_grad():
        words.copy_(torch.from_numpy(vectors * _SPREAD * math.sqrt(words.shape[1])))
        places.copy_(torch.from_numpy(_sinusoids(*places.shape) * _SPREAD * math.sqrt(2)))
        model.cls.predictions.bias.copy_(torch.from_numpy(logs - logs.mean()))


def frequencies(flat: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """The share of each of `size` tokens, none of them 0; a number below 0 is no token."""
    counts = np.bincount(flat[flat >= 0], minlength=size) + 1.0
    shares: NDArray[np.float64] = counts / counts.sum()
    return shares


def company_vectors(flat: NDArray[np.int64], *, size: int, width: int, seed: int) -> NDArray[np.float64]:
    """Vectors of length 1 for `size` tokens, shape `[size, width]`: tokens in like company have like vectors.

    Singular vectors of the positive pointwise mutual information of tokens at most five places apart, the nearer the
    more, times the roots of their values (Levy, Goldberg & Dagan, 2015). `flat` has a number below 0 between texts.
    Tokens that have no company get a random vector.
    """
    from scipy.sparse import csr_matrix
    from sklearn.utils.extmath import randomized_svd

    counts = csr_matrix((size, size), dtype=np.float64)
    for distance in range(1, _REACH + 1):
        left, right = flat[:-distance], flat[distance:]
        # Five marks stand between texts, so no window reaches from one into the next.
        both = (left >= 0) & (right >= 0)
        one_way = csr_matrix((np.full(int(both.sum()), 1.0 / distance), (left[both], right[both])), shape=(size, size))
        counts = counts + one_way + one_way.T
    information = _information(counts.tocoo())
    rng = np.random.default_rng(seed)
    # Of a table with equal singular values, ARPACK gives other vectors each time; this gives the same.
    left_vectors, values, _ = randomized_svd(information, n_components=min(width, size), random_state=seed, n_iter=4)
    vectors = np.pad(left_vectors * np.sqrt(values), ((0, 0), (0, width - len(values))))
    vectors -= vectors.mean(axis=0)
    alone = np.asarray(counts.sum(axis=1)).ravel() == 0
    vectors[alone] = rng.normal(size=(int(alone.sum()), width))
    normed: NDArray[np.float64] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return normed


def _information(counts: Any) -> Any:
    """max(0, log P(a, b) / (P(a) P_smoothed(b))) of a sparse matrix of counts."""
    from scipy.sparse import csr_matrix

    total = counts.data.sum()
    each = np.bincount(counts.row, weights=counts.data, minlength=counts.shape[0])
    smoothed = each**_SMOOTHING
    expected = (each[counts.row] / total) * (smoothed[counts.col] / smoothed.sum())
    values = np.log(counts.data / total / expected)
    kept = values > 0
    return csr_matrix((values[kept], (counts.row[kept], counts.col[kept])), shape=counts.shape)


def _joined(rows: Rows) -> NDArray[np.int64]:
    """All rows one after the other without their special tokens, with marks between them."""
    between = np.full(_REACH, -1, dtype=np.int64)
    parts = [part for row in rows for part in (row[row >= len(SPECIAL)].astype(np.int64), between)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _sinusoids(places: int, width: int) -> NDArray[np.float64]:
    turns = np.arange(places)[:, None] * np.exp(-math.log(10_000.0) * np.arange(0, width, 2) / width)
    table = np.zeros((places, width))
    table[:, 0::2], table[:, 1::2] = np.sin(turns), np.cos(turns)[:, : width // 2]
    return table
