"""Encoders of the sentence-transformers library, by folder or hub name."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rerank.errors import MissingExtra, ModelNotFound
from rerank.similarity import Vectors


class TransformersEncoder:
    """`sentence-transformers:NAME`; loaded at the first text. `MissingExtra` where the library is not installed."""

    def __init__(self, model: str) -> None:
        self.model = model

    @property
    def name(self) -> str:
        return f"sentence-transformers:{self.model}"

    def signature(self) -> str:
        try:
            return f"{self.name}@{importlib.metadata.version('sentence-transformers')}"
        except importlib.metadata.PackageNotFoundError:
            return self.name

    @cached_property
    def _loaded(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise MissingExtra(
                f"The encoder {self.name!r} needs the sentence-transformers library.",
                hint="Run: pip install sentence-transformers",
            ) from error
        try:
            return SentenceTransformer(self.model)
        except (OSError, ValueError) as error:
            raise ModelNotFound(
                f"No sentence-transformers model {self.model!r}: {error}",
                hint="Give a model's folder, or a hub name while online.",
            ) from error

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors: Vectors = np.asarray(self._loaded.encode(list(texts), show_progress_bar=False), dtype=np.float32)
        return vectors
