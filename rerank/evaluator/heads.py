"""The evaluator's head in numpy: of a row's vectors, one number in [0, 1] for each thing that it was taught to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from rerank.evaluator.pairs import PairRow
from rerank.masked.bundled_files import Floats
from rerank.masked.gelu import gelu

__all__ = ["PARTS", "check_parts", "pooled", "told"]

_READ = 3
PARTS = ("dense.weight", "dense.bias", "out.weight", "out.bias")


def check_parts(weights: Mapping[str, Floats], outputs: int) -> None:
    """Raises `ValueError` for parts of a head that do not belong together, or hold what is no number."""
    inner = len(weights["dense.bias"])
    read = weights["dense.weight"].shape[-1]
    shapes = ((inner, read), (inner,), (outputs, inner), (outputs,))
    if read % _READ or tuple(weights[name].shape for name in PARTS) != shapes:
        raise ValueError(f"its parts do not belong together, or not to {outputs} outputs")
    if not all(np.isfinite(part).all() for part in weights.values()):
        raise ValueError("it holds what is no number")


def pooled(vectors: Floats, row: PairRow) -> Floats:
    """What the head reads, `[3 × size]`: the vector of [CLS], and the means of source and text without it."""
    of_text = np.array(row.is_text[1:])
    return np.concatenate([vectors[0], vectors[1:][~of_text].mean(0), vectors[1:][of_text].mean(0)])


def told(vectors: Sequence[Floats], rows: Sequence[PairRow], weights: Mapping[str, Floats]) -> npt.NDArray[np.float64]:
    """σ(W₂ gelu(W₁ e)) for each row, `[rows, outputs]`. Raises `ValueError` for vectors of another length."""
    read = np.stack([pooled(one, row) for one, row in zip(vectors, rows, strict=True)])
    if read.shape[1] != weights["dense.weight"].shape[1]:
        raise ValueError(
            f"it is for vectors of {weights['dense.weight'].shape[1] // _READ}, not of {read.shape[1] // _READ}"
        )
    inner = gelu(read @ weights["dense.weight"].T + weights["dense.bias"])
    odds = (inner @ weights["out.weight"].T + weights["out.bias"]).astype(np.float64)
    found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-odds))
    return found
