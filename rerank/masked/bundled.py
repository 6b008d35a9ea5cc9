"""Small masked language models that run without torch: the encoder in CTranslate2, the head in numpy.

The head is computed at the asked positions alone: there are few of them, and it has a row of weights for every word of
the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.errors import ModelNotFound, install_again
from rerank.masked.base import LogProbs, Row, Word
from rerank.masked.bundled_files import Floats, Head, Settings, checksum, read_head, read_settings
from rerank.masked.encoder import BATCH_TOKENS, PackedEncoder
from rerank.masked.gelu import gelu

__all__ = ["BundledMaskedModel", "load"]

_ROOT = Path(__file__).resolve().parents[1] / "models"
_REINSTALL = install_again("rerank/models")
_ANEW = "Give a folder that `python -m training.export_masked` has written."
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
    return BundledMaskedModel(folder, name=f"bundled:{language}", threads=threads, hint=_REINSTALL)


class BundledMaskedModel:
    """The model in `folder`, as `training.export_masked` writes it; see `rerank.masked.base.MaskedModel`.

    Weights are loaded when it is first asked for something. `threads` are those of the encoder, 0 one for each core.
    Rows are sorted by length and run in batches of at most `batch_tokens` tokens. Raises `ModelNotFound` with `hint`
    where a file of the folder is missing or broken.
    """

    def __init__(
        self,
        folder: Path,
        *,
        name: str | None = None,
        threads: int = 0,
        batch_tokens: int = BATCH_TOKENS,
        hint: str = _ANEW,
    ) -> None:
        self.folder = folder
        self._hint = hint
        self._settings: Settings = read_settings(folder, hint)
        self._name = name or f"bundled:{self._settings.name}"
        self._encoder = PackedEncoder(
            folder, self._settings, name=self._name, threads=threads, batch_tokens=batch_tokens, hint=hint
        )

    @property
    def name(self) -> str:
        return self._name

    @property
    def language(self) -> str:
        """The language that the model has learnt."""
        return self._settings.language

    @property
    def window(self) -> int:
        return self._settings.window

    @property
    def mask(self) -> int:
        return self._settings.mask

    @property
    def prefix(self) -> tuple[int, ...]:
        return self._settings.prefix

    @property
    def suffix(self) -> tuple[int, ...]:
        return self._settings.suffix

    def signature(self) -> str:
        return f"{self._name}@{self._checksum}"

    def tokens(self, word: Word) -> tuple[int, ...]:
        return self._encoder.tokens(word.text)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        found: list[LogProbs] = [np.empty((0, 0), dtype=np.float32)] * len(rows)
        for batch in self._encoder.batches([row.tokens for row in rows]):
            vectors = self._encoder.encoded([rows[i].tokens for i in batch])
            asked = [vectors[number, list(rows[i].positions)] for number, i in enumerate(batch)]
            ends = np.cumsum([len(rows[i].positions) for i in batch])[:-1]
            for i, answer in zip(batch, np.split(self._logprobs(np.concatenate(asked)), ends), strict=True):
                found[i] = answer
        return found

    def vectors(self, rows: Sequence[tuple[int, ...]]) -> list[LogProbs]:
        return self._encoder.vectors(rows)

    def _logprobs(self, vectors: Floats) -> LogProbs:
        """`[positions, size]` to `[positions, vocabulary]`."""
        head = self._head
        found = np.empty((len(vectors), len(head.words)), dtype=np.float32)
        for start in range(0, len(vectors), _AT_ONCE):
            part = found[start : start + _AT_ONCE]
            np.matmul(_transformed(vectors[start : start + _AT_ONCE], head), head.words.T, out=part)
            part += head.words_bias
            part -= part.max(axis=1, keepdims=True)
            part -= np.log(np.exp(part).sum(axis=1, keepdims=True))
        return found

    @cached_property
    def _head(self) -> Head:
        return read_head(self.folder, self._hint)

    @cached_property
    def _checksum(self) -> str:
        return checksum(self.folder)


def _transformed(vectors: Floats, head: Head) -> Floats:
    """The dense layer, GELU and norm before the words."""
    hidden = vectors @ head.dense.T + head.dense_bias
    hidden = gelu(hidden)
    hidden = hidden - hidden.mean(axis=1, keepdims=True)
    hidden /= np.sqrt(np.square(hidden).mean(axis=1, keepdims=True) + head.epsilon)
    found: Floats = (hidden * head.norm + head.norm_bias).astype(np.float32)
    return found
