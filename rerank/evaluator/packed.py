"""A small evaluator that runs without torch: an encoder in CTranslate2, a head in numpy, in one folder."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.errors import ModelNotFound
from rerank.evaluator import Outputs, judged
from rerank.evaluator.pair_rows import PairRow, row_of
from rerank.masked.packed import HEAD, Floats, PackedNetwork, gelu, read_arrays, readable
from rerank.types import FloatArray

OUTPUTS = "outputs.json"
LIKELIHOOD_UNIT = 5.0
"""Nats in which `_likelihood` counts, so that a token has about one."""
WORD_SCALES = "word_scales"
_READ = 3
_PARTS = ("dense.weight", "dense.bias", "out.weight", "out.bias")
# Of an evaluator that tells texts without a source by how likely their words are.
_WORD_PARTS = ("word_dense.weight", "word_dense.bias", "word_out.weight", "word_out.bias", WORD_SCALES)
_REMEMBERED = 8_192
_AT_ONCE = 4_096


class PackedEvaluator(PackedNetwork):
    """The evaluator in `folder`, as `training.evaluator` writes it; see `PackedNetwork`.

    `outputs` names what it tells: `quality`, and where it was taught them `grammar` and `content`.
    """

    kind, step, also = "evaluator", "training.evaluator", (OUTPUTS,)

    def __init__(self, folder: Path, *, reinstall: str = "", threads: int = 0) -> None:
        super().__init__(folder, threads=threads, reinstall=reinstall)
        self.name = f"evaluator:{self._settings.name}"
        self.language = self._settings.language
        self._known: OrderedDict[tuple[str, str], FloatArray] = OrderedDict()

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the columns of `judge`."""
        return self._outputs.names

    @cached_property
    def _outputs(self) -> Outputs:
        path = self.folder / OUTPUTS
        if not path.is_file():
            raise ModelNotFound(f"{self.folder}: it holds no evaluator: {OUTPUTS} missing.", hint=self._hint)
        with readable(path, self._hint):
            return Outputs(json.loads(path.read_text(encoding="utf-8")))

    def judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """What the evaluator says of each (source, text), in [0, 1], `[pairs, outputs]`.

        Of a pair that is longer than the window the end of the longer text is left out (`round_robin`). A source may
        be empty: then only what was learnt of texts alone is told with reason (`grammar`); so it is of a text that is
        its own source.
        """
        return judged(self._remembered, pairs, self._outputs, self.language)

    def _remembered(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        known = {pair: self._known[pair] for pair in pairs if pair in self._known}
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        for start in range(0, len(new), _AT_ONCE):
            chosen = new[start : start + _AT_ONCE]
            known.update(zip(chosen, self._judged(chosen), strict=True))
        self._remember(known)
        return np.array([known[pair] for pair in pairs], dtype=np.float64).reshape(len(pairs), len(self.outputs))

    def _remember(self, judgements: dict[tuple[str, str], FloatArray]) -> None:
        for pair, values in judgements.items():
            self._known[pair] = values
            self._known.move_to_end(pair)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _judged(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        rows = [row_of(source, text, self.pieces, self._settings) for source, text in pairs]
        vectors = self.vectors([row.tokens for row in rows], [row.kinds for row in rows])
        with readable(self.folder / HEAD, self._hint):
            return _probabilities(vectors, rows, self._weights, self._outputs.likely)

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        with readable(self.folder / HEAD, self._hint):
            arrays = read_arrays(self.folder)
            parts = (*_PARTS, *_WORD_PARTS) if self._outputs.likely else _PARTS
            weights = {name: arrays[name].astype(np.float32) for name in parts}
            _check_parts(weights, len(self.outputs), len(self._outputs.likely))
        return weights


def _check_parts(weights: Mapping[str, Floats], outputs: int, likely: int = 0) -> None:
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


def _likelihood(vectors: Floats, row: PairRow, weights: Mapping[str, Floats]) -> float:
    """Σ (v₂ · gelu(V₁ hᵢ) + c) over the text's tokens: its pseudo-log-likelihood.

    In so many nats as `LIKELIHOOD_UNIT` says, for a row without a source: of others none was learnt.
    """
    body = vectors[np.array(row.is_text)][:-1]
    inner = gelu(body @ weights["word_dense.weight"].T + weights["word_dense.bias"])
    return float((inner @ weights["word_out.weight"][0] + weights["word_out.bias"]).sum())


def _probabilities(
    vectors: Sequence[Floats], rows: Sequence[PairRow], weights: Mapping[str, Floats], likely: Sequence[int] = ()
) -> FloatArray:
    """σ(W₂ gelu(W₁ e)) for each row, `[rows, outputs]`; σ(w ℓ + b) in the columns `likely` of rows without a source.

    ℓ is the `_likelihood` of the row. Raises `ValueError` for vectors of another length.
    """
    read = np.stack([pooled(states, row) for states, row in zip(vectors, rows, strict=True)])
    if read.shape[1] != weights["dense.weight"].shape[1]:
        raise ValueError(
            f"it is for vectors of {weights['dense.weight'].shape[1] // _READ}, not of {read.shape[1] // _READ}"
        )
    inner = gelu(read @ weights["dense.weight"].T + weights["dense.bias"])
    odds = (inner @ weights["out.weight"].T + weights["out.bias"]).astype(np.float64)
    alone = [n for n, row in enumerate(rows) if row.is_alone and likely]
    if alone:
        likelihoods = np.array([_likelihood(vectors[n], rows[n], weights) for n in alone])
        scale, bias = weights[WORD_SCALES].T
        odds[np.ix_(alone, likely)] = likelihoods[:, None] * scale + bias
    probabilities: FloatArray = 1 / (1 + np.exp(-odds))
    return probabilities
