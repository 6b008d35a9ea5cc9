"""Slovnet's convolutional encoder, run once per distinct window of words instead of once per token.

The encoder is three convolutions of width 3, so what it says of a token depends on the seven words around it and no
others. Candidates of one source share most of these windows. Level by level, windows are numbered, equal ones get one
number, and each convolution is computed once per number; the first is even a sum of three projections of single words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Encoder", "Windows"]

Ids = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]

_LEVELS = 3
# Rows whose sums of three stay in the processor's cache.
_ROWS = 512


class Windows:
    """Sequences of words as numbered windows; number 0 is the edge of a sequence, whose vector is zero.

    `words` are the distinct words, numbered from 1; `triples[l][:, n - 1]` are the three numbers of level l that make
    up number n of level l + 1; `tokens[i]` is the number at the last level of the i-th token of all sequences in a row.
    """

    def __init__(self, sequences: Sequence[Sequence[str]]) -> None:
        index: dict[str, int] = {}
        numbers = [0]
        for sequence in sequences:
            numbers += [index.setdefault(word, len(index) + 1) for word in sequence]
            numbers.append(0)
        self.words = list(index)
        self.triples: list[tuple[Ids, Ids, Ids]] = []
        ids = np.array(numbers, dtype=np.int64)
        inside = ids > 0
        for _ in range(_LEVELS):
            base = int(ids.max()) + 1
            keys = ((ids[:-2] * base + ids[1:-1]) * base + ids[2:])[inside[1:-1]]
            distinct, inverse = np.unique(keys, return_inverse=True)
            self.triples.append((distinct // base**2, distinct // base % base, distinct % base))
            ids[inside] = inverse + 1
        self.tokens = ids[inside]


class Encoder:
    """The embedding and convolutions of one slovnet tagger."""

    def __init__(self, infer: Any) -> None:
        self._vocabulary = infer.encoder
        self._embedding = infer.model.emb
        self._layers = [_Layer(layer) for layer in infer.model.encoder.layers]

    def __call__(self, windows: Windows) -> Matrix:
        """Vectors of the windows of the last level, shape `[1 + windows, 64]`; row 0 is the edge."""
        word_ids, shape_ids = self._vocabulary.item(windows.words)
        embedded = self._embedding(np.array(word_ids, dtype=np.int64), np.array(shape_ids, dtype=np.int64))
        vectors = np.vstack([np.zeros((1, embedded.shape[-1]), dtype=np.float32), embedded])
        for layer, triples in zip(self._layers, windows.triples, strict=True):
            vectors = layer(vectors, triples)
        return vectors


class _Layer:
    """Convolution, ReLU and batch norm; the convolution as three projections, for the left, own and right vector."""

    def __init__(self, layer: Any) -> None:
        weight = layer.conv.weight.array  # filters × input × 3
        self._project = [np.ascontiguousarray(weight[:, :, side].T) for side in range(3)]
        norm = layer.norm
        self._bias = layer.conv.bias.array
        self._scale = norm.weight.array / norm.std.array
        self._shift = norm.bias.array - norm.mean.array * self._scale

    def __call__(self, vectors: Matrix, triples: tuple[Ids, Ids, Ids]) -> Matrix:
        left, own, right = (vectors @ project for project in self._project)
        own += self._bias
        output = np.zeros((len(triples[0]) + 1, len(self._bias)), dtype=np.float32)
        for start in range(0, len(triples[0]), _ROWS):
            rows = slice(start, start + _ROWS)
            total = left[triples[0][rows]]
            total += own[triples[1][rows]]
            total += right[triples[2][rows]]
            np.maximum(total, 0.0, out=total)
            total *= self._scale
            total += self._shift
            output[start + 1 : start + 1 + len(total)] = total
        return output
