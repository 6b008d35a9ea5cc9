"""A model's folder by the name that a user gives; where there is none, the known names that may have been meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rewrite.catalogue import close_names, known_models
from rewrite.engines import checkpoint
from rewrite.errors import ModelNotFound

__all__ = ["resolve"]


def resolve(target: str, *, allow_pickle: bool = False, before_fetch: Callable[[], object] = bool) -> Path:
    """As `rewrite.engines.checkpoint.resolve`; a `ModelNotFound` says which known names are like `target`, too."""
    try:
        return checkpoint.resolve(target, allow_pickle=allow_pickle, before_fetch=before_fetch)
    except ModelNotFound as error:
        if any(target == model.hub for model in known_models()):
            raise
        raise ModelNotFound(error.message, hint=f"{close_names(target, of_hub=True)} {error.hint}".strip()) from error
