"""The evaluator's head in numpy: of a row's vectors, one number in [0, 1] for each thing that it was taught to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from rerank.evaluator.pairs import PairRow
from rerank.masked.bundled_files import Floats
from rerank.masked.gelu import gelu

__all__ = ["LIKELIHOOD_UNIT", "PARTS", "WORD_PARTS", "WORD_SCALES", "check_parts", "likelihood", "pooled", "told"]

_READ = 3
PARTS = ("dense.weight", "dense.bias", "out.weight", "out.bias")
WORD_SCALES = "word_scales"
WORD_PARTS = ("word_dense.weight", "word_dense.bias", "word_out.weight", "word_out.bias", WORD_SCALES)
"""Of an evaluator that tells texts without a source by how likely their words are."""
LIKELIHOOD_UNIT = 5.0
"""Nats in which `likelihood` counts, so that a token has about one."""


def check_parts(weights: Mapping[str, Floats], outputs: int, likely: int = 0) -> None:
    """Raises `ValueError` for parts of a head that do not belong together, or hold what is no number.

    `outputs` of it are told, and `likely` of these go by likelihood.
    """
    inner = len(weights["dense.bias"])
    read = weights["dense.weight"].shape[-1]
    shapes = [(inner, read), (inner,), (outputs, inner), (outputs,)]
    if likely:
        size = read // _READ
        words = len(weights["word_dense.bias"])
        shapes += [(words, size), (words,), (1, words), (1,), (likely, 2)]
    if read % _READ or [part.shape for part in weights.values()] != shapes:
        raise ValueError(f"its parts do not belong together, or not to {outputs} outputs")
    if not all(np.isfinite(part).all() for part in weights.values()):
        raise ValueError("it holds what is no number")


def pooled(vectors: Floats, row: PairRow) -> Floats:
    """What the head reads, `[3 × size]`: the vector of [CLS], and the means of source and text without it."""
    of_text = np.array(row.is_text[1:])
    return np.concatenate([vectors[0], vectors[1:][~of_text].mean(0), vectors[1:][of_text].mean(0)])


def likelihood(vectors: Floats, row: PairRow, weights: Mapping[str, Floats]) -> float:
    """Σ (v₂ · gelu(V₁ hᵢ) + c) over the text's tokens: its pseudo-log-likelihood.

    In so many nats as `LIKELIHOOD_UNIT` says, for a row without a source: of others none was learnt.
    """
    body = vectors[np.array(row.is_text)][:-1]
    inner = gelu(body @ weights["word_dense.weight"].T + weights["word_dense.bias"])
    return float((inner @ weights["word_out.weight"][0] + weights["word_out.bias"]).sum())


def told(
    vectors: Sequence[Floats], rows: Sequence[PairRow], weights: Mapping[str, Floats], likely: Sequence[int] = ()
) -> npt.NDArray[np.float64]:
    """σ(W₂ gelu(W₁ e)) for each row, `[rows, outputs]`; σ(w ℓ + b) in the columns `likely` of rows without a source.

    ℓ is the `likelihood` of the row. Raises `ValueError` for vectors of another length.
    """
    read = np.stack([pooled(one, row) for one, row in zip(vectors, rows, strict=True)])
    if read.shape[1] != weights["dense.weight"].shape[1]:
        raise ValueError(
            f"it is for vectors of {weights['dense.weight'].shape[1] // _READ}, not of {read.shape[1] // _READ}"
        )
    inner = gelu(read @ weights["dense.weight"].T + weights["dense.bias"])
    odds = (inner @ weights["out.weight"].T + weights["out.bias"]).astype(np.float64)
    alone = [n for n, row in enumerate(rows) if row.is_alone and likely]
    if alone:
        likelihoods = np.array([likelihood(vectors[n], rows[n], weights) for n in alone])
        scale, bias = weights[WORD_SCALES].T
        odds[np.ix_(alone, likely)] = likelihoods[:, None] * scale + bias
    found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-odds))
    return found
