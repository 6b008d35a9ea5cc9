"""The masked language model that a probe asks, by what a user calls it, and what identifies a run with it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from rerank.masked.base import MaskedModel
from rerank.masked.bundled import BundledMaskedModel
from rerank.masked.packed import SETTINGS
from rerank.masked.registry import create_masked_model
from rerank.signature import signature
from rewrite.errors import ModelNotFound

__all__ = ["drawn", "masked_model", "run_signature"]

_Item = TypeVar("_Item")


def masked_model(spec: str, *, language: str = "en", device: str = "cpu") -> MaskedModel:
    """The model that `spec` names: whatever `create_masked_model` takes, or the folder of a bundled or an hf model.

    Nothing is loaded before it is asked something. Raises `ModelNotFound` for a path without a folder, `UnknownName`.
    """
    folder = Path(spec).expanduser()
    if spec not in ("bundled", "hf") and folder.is_dir():
        if (folder / SETTINGS).is_file():
            return BundledMaskedModel(folder)
        return create_masked_model(f"hf:{folder}", language=language, device=device)
    if spec.startswith(("/", "./", "../", "~")):
        raise ModelNotFound(f"There is no folder {spec!r}.", hint="Check --masked-model.")
    return create_masked_model(spec, language=language, device=device)


def run_signature(probe: str, model: MaskedModel, settings: Mapping[str, object]) -> str:
    """One line that says what was measured and how."""
    return signature([], settings={"probe": probe, "model": model.signature(), **settings})


def drawn(items: Sequence[_Item], limit: int | None, seed: int) -> list[_Item]:
    """`limit` of the items drawn with the seed, in their order; all of them where there are no more, or no limit."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place] for place in sorted(random.Random(seed).sample(range(len(items)), limit))]
