"""Small masked language models that run without torch: the encoder in CTranslate2, the head in numpy.

The head is computed at the asked positions alone: there are few of them, and it has a row of weights for every word of
the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.errors import ModelNotFound, install_again
from rerank.masked.base import LogProbs, Row, Word
from rerank.masked.packed import BATCH_TOKENS, HEAD, Floats, PackedNetwork, gelu, read_arrays, readable

__all__ = ["BundledMaskedModel", "load"]

_ROOT = Path(__file__).resolve().parents[1] / "models"
# Positions whose probabilities are computed at once; each takes a few times as many bytes as the vocabulary has words.
_AT_ONCE = 256


def load(language: str, *, threads: int = 0) -> BundledMaskedModel:
    """The model for `language` (`en`, `ru`) that lies in the package.

    Raises `ModelNotFound` where there is none, or its files are missing.
    """
    folder = _ROOT / f"mlm-{language}"
    if not folder.is_dir():
        there = ", ".join(sorted(path.name.removeprefix("mlm-") for path in _ROOT.glob("mlm-*"))) or "none"
        raise ModelNotFound(
            f"No masked language model for {language!r} is bundled (there are: {there}).",
            hint="Give hf:NAME, the folder or hub name of one that knows the language.",
        )
    return BundledMaskedModel(folder, name=f"bundled:{language}", threads=threads, hint=install_again("rerank/models"))


class BundledMaskedModel(PackedNetwork):
    """The model in `folder`, as `training.export_masked` writes it; see `MaskedModel` and `PackedNetwork`.

    Raises `ModelNotFound`, with `hint` if there is one, where a file of the folder is missing or broken.
    """

    def __init__(
        self,
        folder: Path,
        *,
        name: str | None = None,
        threads: int = 0,
        batch_tokens: int = BATCH_TOKENS,
        hint: str = "",
    ) -> None:
        super().__init__(
            None if hint else folder,
            folder,
            kind="bundled",
            step="training.export_masked",
            threads=threads,
            reinstall=hint,
            batch_tokens=batch_tokens,
        )
        self.name = self._encoder.name = name or f"bundled:{self._settings.name}"
        self.language = self._settings.language
        self.window, self.mask = self._settings.window, self._settings.mask
        self.prefix, self.suffix = self._settings.prefix, self._settings.suffix

    def tokens(self, word: Word) -> tuple[int, ...]:
        """See `MaskedModel`."""
        return self._encoder.tokens(word.text)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        """See `MaskedModel`."""
        found: list[LogProbs] = [np.empty((0, 0), dtype=np.float32)] * len(rows)
        for batch in self._encoder.batches([row.tokens for row in rows]):
            vectors = self._encoder.encoded([rows[i].tokens for i in batch])
            asked = [vectors[number, list(rows[i].positions)] for number, i in enumerate(batch)]
            ends = np.cumsum([len(rows[i].positions) for i in batch])[:-1]
            for i, answer in zip(batch, np.split(self._logprobs(np.concatenate(asked)), ends), strict=True):
                found[i] = answer
        return found

    def vectors(self, rows: Sequence[tuple[int, ...]]) -> list[LogProbs]:
        """See `MaskedModel`."""
        return self._encoder.vectors(rows)

    def _logprobs(self, vectors: Floats) -> LogProbs:
        """`[positions, size]` to `[positions, vocabulary]`."""
        head = self._head
        found = np.empty((len(vectors), len(head.words)), dtype=np.float32)
        for start in range(0, len(vectors), _AT_ONCE):
            part = found[start : start + _AT_ONCE]
            np.matmul(head.transformed(vectors[start : start + _AT_ONCE]), head.words.T, out=part)
            part += head.words_bias
            part -= part.max(axis=1, keepdims=True)
            part -= np.log(np.exp(part).sum(axis=1, keepdims=True))
        return found

    @cached_property
    def _head(self) -> _Head:
        with readable(self.folder / HEAD, self._hint):
            parts = read_arrays(self.folder)
            words = parts["words"].astype(np.float32)
            if "scales" in parts:
                words *= parts["scales"].astype(np.float32)[:, None]
            head = _Head(
                dense=parts["dense"].astype(np.float32),
                dense_bias=parts["dense_bias"],
                norm=parts["norm"],
                norm_bias=parts["norm_bias"],
                epsilon=float(parts["epsilon"]),
                words=words,
                words_bias=parts["words_bias"],
            )
            head.require_one_size()
        return head


@dataclass(frozen=True, slots=True)
class _Head:
    """The output layer of a BERT: dense layer, norm, and the embeddings again, `[vocabulary, size]`, with a bias."""

    dense: Floats
    dense_bias: Floats
    norm: Floats
    norm_bias: Floats
    epsilon: float
    words: Floats
    words_bias: Floats

    def require_one_size(self) -> None:
        """Raise `ValueError` for parts that do not belong together."""
        count, size = self.words.shape
        wide = (self.dense_bias, self.norm, self.norm_bias)
        if self.dense.shape != (size, size) or any(part.shape != (size,) for part in wide):
            raise ValueError(f"its parts do not belong together, beside vectors of {size}")
        if self.words_bias.shape != (count,):
            raise ValueError(f"{len(self.words_bias):,} biases for {count:,} words")

    def transformed(self, vectors: Floats) -> Floats:
        """The dense layer, GELU and norm before the words."""
        hidden = gelu(vectors @ self.dense.T + self.dense_bias)
        hidden = hidden - hidden.mean(axis=1, keepdims=True)
        hidden /= np.sqrt(np.square(hidden).mean(axis=1, keepdims=True) + self.epsilon)
        found: Floats = (hidden * self.norm + self.norm_bias).astype(np.float32)
        return found
