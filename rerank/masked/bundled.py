"""Small masked language models that run without torch: the encoder in CTranslate2, the head in numpy.

The head is computed at the asked positions alone: there are few of them, and it has a row of weights for every word of
the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rerank.errors import UnknownName, install_again
from rerank.masked.base import LogProbs, Row, Word
from rerank.masked.packed import (
    BUNDLED,
    HEAD,
    Floats,
    PackedNetwork,
    encoder_bytes,
    gelu,
    read_arrays,
    readable,
)
from rerank.masked.weights import read_weights

# Positions whose probabilities are computed at once; each takes a few times as many bytes as the vocabulary has words.
_AT_ONCE = 256
_WIDE = ("dense_bias", "norm", "norm_bias")


def load(language: str, *, threads: int = 0) -> BundledMaskedModel:
    """The model for `language` (`en`, `ru`) that lies in the package.

    Raises `UnknownName` where there is none, `ModelNotFound` where its files are missing.
    """
    folder = BUNDLED / f"mlm-{language}"
    if not folder.is_dir():
        languages = ", ".join(sorted(path.name.removeprefix("mlm-") for path in BUNDLED.glob("mlm-*")))
        # Languages without rules of their own are all one to whoever asks.
        asked = "the language of this text" if language == "other" else repr(language)
        raise UnknownName(
            f"No masked language model for {asked} is bundled (there are: {languages}).",
            hint="Give hf:NAME, the folder or hub name of one that knows the language.",
        )
    hint = install_again("rerank/models")
    return BundledMaskedModel(folder, name=f"bundled:{language}", threads=threads, reinstall=hint)


class BundledMaskedModel(PackedNetwork):
    """The model in `folder`, as `training.masked_lm` writes it; see `MaskedModel` and `PackedNetwork`."""

    kind, step = "bundled", "training.masked_lm"

    def __init__(self, folder: Path, *, name: str = "", **options: Any) -> None:
        super().__init__(folder, **options)
        self.name = name or f"bundled:{self._settings.name}"
        self.language = self._settings.language
        self.window, self.mask = self._settings.window, self._settings.mask
        self.prefix, self.suffix = self._settings.prefix, self._settings.suffix

    def tokens(self, word: Word) -> tuple[int, ...]:
        """See `MaskedModel`."""
        return self.pieces(word.text)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        """See `MaskedModel`."""
        return self.in_batches(rows, self._predict, [row.tokens for row in rows])

    def _predict(self, rows: list[Row]) -> list[LogProbs]:
        vectors = self.encoded([row.tokens for row in rows])
        asked = [vectors[number, list(row.positions)] for number, row in enumerate(rows)]
        ends = np.cumsum([len(row.positions) for row in rows])[:-1]
        return np.split(self._logprobs(np.concatenate(asked)), ends)

    def _logprobs(self, vectors: Floats) -> LogProbs:
        """`[positions, size]` to `[positions, vocabulary]`."""
        words, biases = self._head["words"], self._head["words_bias"]
        logprobs = np.empty((len(vectors), len(words)), dtype=np.float32)
        for start in range(0, len(vectors), _AT_ONCE):
            part = logprobs[start : start + _AT_ONCE]
            np.matmul(self._transformed(vectors[start : start + _AT_ONCE]), words.T, out=part)
            part += biases
            part -= part.max(axis=1, keepdims=True)
            part -= np.log(np.exp(part).sum(axis=1, keepdims=True))
        return logprobs

    def _transformed(self, vectors: Floats) -> Floats:
        """The dense layer, GELU and norm before the words."""
        head = self._head
        hidden = gelu(vectors @ head["dense"].T + head["dense_bias"])
        hidden = hidden - hidden.mean(axis=1, keepdims=True)
        hidden /= np.sqrt(np.square(hidden).mean(axis=1, keepdims=True) + float(head["epsilon"]))
        normed: Floats = (hidden * head["norm"] + head["norm_bias"]).astype(np.float32)
        return normed

    @cached_property
    def embeddings(self) -> Floats:
        """The embeddings of the encoder, which the output layer of a BERT shares, `[vocabulary, size]`."""
        with readable(self.folder, self._hint):
            return read_weights(encoder_bytes(self.folder, self._settings)).plain("embeddings_0/weight")

    @cached_property
    def _head(self) -> dict[str, Floats]:
        """The output layer of a BERT: dense layer, norm, and the embeddings, `[vocabulary, size]`, with a bias."""
        with readable(self.folder / HEAD, self._hint):
            parts = read_arrays(self.folder)
            head = {"dense": parts["dense"].astype(np.float32), "words": self.embeddings}
            head |= {name: parts[name] for name in ("dense_bias", "norm", "norm_bias", "epsilon", "words_bias")}
            count, size = head["words"].shape
            shapes = {"dense": (size, size), "words_bias": (count,)} | dict.fromkeys(_WIDE, (size,))
            wrong = [name for name, shape in shapes.items() if head[name].shape != shape]
            if wrong:
                raise ValueError(f"its parts do not belong together: {', '.join(wrong)}, beside {count:,} words")
        return head
