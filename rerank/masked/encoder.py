"""A small encoder that runs without torch: word pieces in, vectors out, through CTranslate2."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.errors import MissingExtra, ModelNotFound
from rerank.masked.batching import batches
from rerank.masked.bundled_files import TOKENIZER, Floats, Settings

__all__ = ["BATCH_TOKENS", "PackedEncoder"]

_WORDS_KEPT = 20_000
BATCH_TOKENS = 1024
"""Of a batch: a layer's numbers for so many tokens stay in a core's cache."""


class PackedEncoder:
    """The encoder and the tokenizer in `folder`, whose `settings` were read.

    Weights are loaded when vectors are first asked for. `threads` are those of the encoder, 0 one for each core; rows
    are sorted by length and run in batches of at most `batch_tokens` tokens. Raises `ModelNotFound` with `hint` where a
    file of the folder is broken, and `TextTooLong` for a row that is longer than the window, naming the model `name`.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        *,
        name: str,
        threads: int,
        batch_tokens: int = BATCH_TOKENS,
        hint: str,
    ) -> None:
        self.folder, self.settings, self.name = folder, settings, name
        self._hint = hint
        self._threads = threads or _cores()
        self._batch_tokens = batch_tokens
        self.tokens: Callable[[str], tuple[int, ...]] = lru_cache(maxsize=_WORDS_KEPT)(self._encode)

    def vectors(self, rows: Sequence[tuple[int, ...]], kinds: Sequence[tuple[int, ...]] | None = None) -> list[Floats]:
        """The last layer's vectors of each row, `[tokens, size]`; `kinds` are the segments of its tokens, 0 without."""
        found: list[Floats] = [np.empty((0, 0), dtype=np.float32)] * len(rows)
        for batch in self.batches(rows):
            vectors = self.encoded([rows[i] for i in batch], [kinds[i] for i in batch] if kinds else None)
            for number, i in enumerate(batch):
                found[i] = vectors[number, : len(rows[i])].copy()
        return found

    def batches(self, rows: Sequence[tuple[int, ...]]) -> Iterator[list[int]]:
        """Numbers of rows that are run together."""
        return batches(rows, tokens=self._batch_tokens, window=self.settings.window, name=self.name)

    def encoded(self, rows: Sequence[tuple[int, ...]], kinds: Sequence[tuple[int, ...]] | None = None) -> Floats:
        """The last layer's vectors, `[rows, longest, size]`; behind the end of a row they mean nothing."""
        from ctranslate2 import StorageView

        lengths = np.array([len(row) for row in rows], dtype=np.int32)
        width = int(lengths.max())
        table = StorageView.from_array(_table(rows, width, self.settings.pad))
        segments = _table(kinds, width, 0).tolist() if kinds else None
        output = self._encoder.forward_batch(table, StorageView.from_array(lengths), segments)
        found: Floats = np.array(output.last_hidden_state, dtype=np.float32)
        return found

    def _encode(self, text: str) -> tuple[int, ...]:
        # A lone surrogate is no text for the tokenizer.
        clean = text.encode("utf-8", "replace").decode("utf-8")
        found: list[int] = self._tokenizer.encode(clean, add_special_tokens=False).ids
        return tuple(found) or (self.settings.unknown,)

    @cached_property
    def _encoder(self) -> Any:
        try:
            import ctranslate2
        except ImportError:
            raise MissingExtra("The bundled models need ctranslate2.", hint="Run: pip install ctranslate2") from None
        try:
            return ctranslate2.Encoder(str(self.folder), device="cpu", inter_threads=1, intra_threads=self._threads)
        except (RuntimeError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise ModelNotFound(f"{self.folder}: CTranslate2 cannot load it: {reason}.", hint=self._hint) from error

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self.folder / TOKENIZER))
        except Exception as error:  # the library raises bare exceptions
            raise ModelNotFound(f"{self.folder / TOKENIZER}: it is no tokenizer: {error}.", hint=self._hint) from error
        # A mark such as "[MASK]" in a text is text.
        tokenizer.encode_special_tokens = True
        return tokenizer


def _table(rows: Sequence[tuple[int, ...]], width: int, filler: int) -> npt.NDArray[np.int32]:
    """Rows of different lengths as an array `[rows, width]`."""
    table = np.full((len(rows), width), filler, dtype=np.int32)
    for line, row in zip(table, rows, strict=True):
        line[: len(row)] = row
    return table


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
