"""Engines by name, each imported only when it is asked for, and their settings, from text such as `-e timeout=60`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from rewrite.declaration import complaints
from rewrite.errors import BadOption, UnknownName

if TYPE_CHECKING:
    from rewrite.engines.base import Engine

# Scheme → the module that runs it, and what its target is.
ENGINES: Mapping[str, tuple[str, str]] = {
    "ct2": ("rewrite.engines.ct2", "a model's folder or its name on the hub"),
    "hf": ("rewrite.engines.hf", "a model's folder or its name on the hub"),
    "openai": ("rewrite.engines.openai", "URL[,URL…]#MODEL"),
}
MOST_THREADS = 1024
"""Threads that may be asked for: libraries end the whole process where the system has no room for as many."""

_Settings = TypeVar("_Settings", bound=BaseModel)


def create_engine(scheme: str, target: str, options: Mapping[str, str] | None = None) -> Engine:
    """The engine of `scheme` for the model `target`; `options` are its `Settings` by name, as text.

    An option `OTHER.NAME` is meant for the engine OTHER alone. Raises `UnknownName`, `BadOption`, `MissingExtra`.
    """
    if not target:
        raise UnknownName(
            f"{scheme}: names no model.", hint=f"Write {scheme}:TARGET; the target is {_module(scheme)[1]}."
        )
    settings = {}
    for name, value in (options or {}).items():
        engine, dot, setting = name.rpartition(".")
        if not dot or engine == scheme:
            settings[setting] = value
    module: Any = import_module(_module(scheme)[0])
    created: Engine = module.create(target, settings)
    return created


def _module(scheme: str) -> tuple[str, str]:
    if scheme not in ENGINES:
        raise UnknownName(f"Unknown engine {scheme!r}.", hint=f"Known: {', '.join(ENGINES)}.")
    return ENGINES[scheme]


def read_settings(model: type[_Settings], engine: str, options: Mapping[str, str]) -> _Settings:
    """`options` as the settings `model` of the engine called `engine`.

    Raises `BadOption` that names the setting and quotes its value; the value of a field declared with `repr=False` is
    not quoted, for it may be a secret put in the wrong place.
    """
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        raise BadOption(f"Engine {engine}: {complaints(model, error)}.") from None
