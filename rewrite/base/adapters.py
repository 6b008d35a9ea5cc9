"""Which adapters of the base the package brings, and where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from rerank.errors import install_again
from rewrite.checksums import verify_sums

if TYPE_CHECKING:
    from rewrite.base.weights import LowRank

__all__ = ["ADAPTERS", "BARE", "FILE", "TERMS", "Adapter"]

_ROOT = Path(__file__).resolve().parent / "models"
TERMS = (_ROOT / "NOTICE", _ROOT / "GEMMA_TERMS.txt")
"""What must go with a model that is made of Gemma, wherever it is passed on."""

FILE = "adapter.npz"
"""What holds the numbers of an adapter, in its folder."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter of the base that the package brings; `language` decides the vocabulary."""

    name: str
    language: str

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return _ROOT / self.name

    def read(self) -> dict[str, LowRank]:
        """What it adds to weights. Raises `BadModel` for files that are missing or changed."""
        from rewrite.base.weights import read_adapter

        verify_sums(self.folder, hint=install_again("rewrite/base/models"))
        return read_adapter(self.folder / FILE)


ADAPTERS: Mapping[str, Adapter] = MappingProxyType({"gemma-ru": Adapter("gemma-ru", "ru")})
"""The adapters by their names."""
BARE: Mapping[str, str] = MappingProxyType({"base-ru": "ru", "base-en": "en"})
"""The base without an adapter, its vocabulary trimmed for a language: what training starts from."""
