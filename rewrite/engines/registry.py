"""Engines by name, each imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rerank.errors import UnknownName

if TYPE_CHECKING:
    from rewrite.engines.base import Engine

__all__ = ["ENGINES", "create_engine", "engine_settings"]

# Scheme → the module that runs it, and what its target is.
ENGINES: Mapping[str, tuple[str, str]] = {
    "ct2": ("rewrite.engines.ct2", "a model's folder or its name on the hub"),
    "hf": ("rewrite.engines.hf", "a model's folder or its name on the hub"),
    "vllm": ("rewrite.engines.vllm", "a model's folder or its name on the hub"),
    "openai": ("rewrite.engines.openai", "URL[,URL…]#MODEL"),
}


def create_engine(scheme: str, target: str, options: Mapping[str, str] | None = None) -> Engine:
    """The engine of `scheme` for the model `target`; `options` are its `Settings` by name, as text.

    An option `OTHER.NAME` is meant for the engine OTHER alone. Raises `UnknownName`, `BadOption`, `MissingExtra`.
    """
    if not target:
        raise UnknownName(
            f"{scheme}: names no model.", hint=f"Write {scheme}:TARGET; the target is {_module(scheme)[1]}."
        )
    own = {}
    for name, value in (options or {}).items():
        engine, dot, setting = name.rpartition(".")
        if not dot or engine == scheme:
            own[setting] = value
    engine_of: Any = import_module(_module(scheme)[0])
    created: Engine = engine_of.create(target, own)
    return created


def engine_settings(scheme: str) -> dict[str, str]:
    """Name of each setting of an engine, with what it means."""
    settings: Any = import_module(_module(scheme)[0]).Settings
    return {name: field.description or "" for name, field in settings.model_fields.items()}


def _module(scheme: str) -> tuple[str, str]:
    if scheme not in ENGINES:
        raise UnknownName(f"Unknown engine {scheme!r}.", hint=f"Known: {', '.join(ENGINES)}.")
    return ENGINES[scheme]
