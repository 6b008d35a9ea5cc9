"""Whether a text is one whole sentence, as a small encoder sees it that was shown broken ones."""

from __future__ import annotations

import hashlib
import zipfile
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rerank.errors import ModelNotFound
from rerank.masked.bundled_files import ENCODER, HEAD, SETTINGS, TOKENIZER, Settings, read_settings
from rerank.masked.encoder import PackedEncoder
from rerank.masked.gelu import gelu
from rewrite.bundled import REINSTALL, SENTENCE_JUDGE
from rewrite.splitting.network import Floats

__all__ = ["BUNDLED", "SentenceJudge"]

BUNDLED = SENTENCE_JUDGE
_ANEW = "Give a folder that `python -m training.wholeness` has written."
_BATCH_TOKENS = 1024
_REMEMBERED = 8_192
_PARTS = ("dense.weight", "dense.bias", "out.weight", "out.bias")


class SentenceJudge:
    """The judge in `folder` (the bundled one without), as `training.wholeness` writes it.

    Weights are loaded when it is first asked for something. `threads` are those of the encoder, 0 one for each core.
    Raises `ModelNotFound` where a file of the folder is missing or broken.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 0) -> None:
        self.folder = folder or BUNDLED
        self._hint = _ANEW if folder else REINSTALL
        self._settings: Settings = read_settings(self.folder, self._hint)
        name = "bundled" if folder is None else self._settings.name
        self._encoder = PackedEncoder(
            self.folder, self._settings, name=name, threads=threads, batch_tokens=_BATCH_TOKENS, hint=self._hint
        )
        self._known: OrderedDict[str, float] = OrderedDict()
        self.name = f"whole:{name}"

    def signature(self) -> str:
        """Name and checksum of all that decides what the judge says."""
        return f"{self.name}@{self._checksum}"

    def probabilities(self, sentences: Sequence[str]) -> npt.NDArray[np.float64]:
        """The chance in [0, 1] of each text that it is one complete and well-formed English sentence.

        Of a text longer than the window its beginning is read.
        """
        known = {text: self._known[text] for text in sentences if text in self._known}
        new = [text for text in dict.fromkeys(sentences) if text not in known]
        known.update(zip(new, self._judged(new), strict=True))
        for text in known:
            self._known[text] = known[text]
            self._known.move_to_end(text)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return np.array([known[text] for text in sentences], dtype=np.float64)

    def _judged(self, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        room = self._settings.window - len(self._settings.prefix) - len(self._settings.suffix)
        rows = [(*self._settings.prefix, *self._encoder.tokens(text)[:room], *self._settings.suffix) for text in texts]
        weights = self._weights
        vectors = self._encoder.vectors(rows)
        pooled = np.stack([np.concatenate([one[0], one.mean(0)]) for one in vectors])
        inner = gelu(pooled @ weights["dense.weight"].T + weights["dense.bias"])
        odds = (inner @ weights["out.weight"].T + weights["out.bias"])[:, 0].astype(np.float64)
        return [float(chance) for chance in 1 / (1 + np.exp(-odds))]

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        try:
            with np.load(self.folder / HEAD, allow_pickle=False) as data:
                return {name: data[name].astype(np.float32) for name in _PARTS}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ModelNotFound(f"{self.folder / HEAD}: it cannot be read: {error}.", hint=self._hint) from error

    @cached_property
    def _checksum(self) -> str:
        digest = hashlib.sha256()
        for name in (SETTINGS, ENCODER, HEAD, TOKENIZER):
            digest.update((self.folder / name).read_bytes())
        return digest.hexdigest()[:16]
