"""Settings of an engine, from text such as `-e timeout=60`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rewrite.errors import BadOption

__all__ = ["MOST_THREADS", "read_settings"]

MOST_THREADS = 1024
"""Threads that may be asked for: libraries end the whole process where the system has no room for as many."""

_Settings = TypeVar("_Settings", bound=BaseModel)
_LIBRARY_WORDS = re.compile(r"^(Input|String) should")


def read_settings(model: type[_Settings], engine: str, options: Mapping[str, str]) -> _Settings:
    """`options` as the settings `model` of the engine called `engine`.

    Raises `BadOption` that names the setting and quotes its value; the value of a field declared with `repr=False` is
    not quoted, for it may be a secret put in the wrong place.
    """
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        problems = [_explain(model, item) for item in error.errors(include_url=False, include_context=False)]
        raise BadOption(f"Engine {engine}: {'; '.join(problems)}.", hint=_hint(model)) from None


def _explain(model: type[BaseModel], item: Any) -> str:
    name = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"unknown setting {name!r}"
    field = model.model_fields.get(str(item["loc"][0])) if item["loc"] else None
    got = repr(item["input"]) if field is None or field.repr else "something else"
    wanted = _LIBRARY_WORDS.sub("it should", item["msg"]).partition(", unable")[0]
    return f"setting {name!r} got {got}: {wanted}"


def _hint(model: type[BaseModel]) -> str:
    return f"Its settings: {', '.join(model.model_fields)}." if model.model_fields else "It has no settings."
