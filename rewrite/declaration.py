"""Options made from a declaration in pydantic, with complaints in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from rewrite.errors import BadOption

__all__ = ["declared", "flags", "spelled"]

_Declared = TypeVar("_Declared", bound=BaseModel)
_NUMERIC = re.compile(r"[-+]?\d*\.?\d+|nan|[-+]?inf")
_LIMITS = {"ge": " of {:,} or more", "gt": " above {:,}", "le": " at most {:,}", "lt": " below {:,}"}


def declared(model: type[_Declared], values: Mapping[str, Any]) -> _Declared:
    """`model(**values)`, with a `BadOption` that names the option and quotes the value instead of pydantic's own."""
    try:
        return model(**values)
    except ValidationError as error:
        raise BadOption(f"{'; '.join(_explain(model, item) for item in error.errors())}.") from None


def flags(*names: str) -> dict[str, Any]:
    """`json_schema_extra` of an option with a short spelling on the command line; the long one is the field's name."""
    return {"flags": list(names)}


def spelled(model: type[BaseModel], name: str) -> str:
    """An option as it is written on the command line, its shortest form."""
    extra = model.model_fields[name].json_schema_extra
    short = extra.get("flags") if isinstance(extra, dict) else None
    return str(short[0]) if isinstance(short, list) else f"--{name.replace('_', '-')}"


def _explain(model: type[BaseModel], item: Any) -> str:
    """One of pydantic's errors in plain words: the option as it is written, what it got, what it takes."""
    if item["type"] == "extra_forbidden":
        return f"unknown option {str(item['loc'][0])!r}, known: {', '.join(model.model_fields)}"
    if not item["loc"]:  # of the options together
        return str(item["ctx"]["error"])
    name, *inner = (str(part) for part in item["loc"])
    wanted = str(item["ctx"]["error"]) if item["type"] == "value_error" else f"give {_wanted(model.model_fields[name])}"
    value = item["input"]
    # A number that came as text, from the command line, is shown as the number it was meant to be.
    shown = value if isinstance(value, str) and _NUMERIC.fullmatch(value) else repr(value)
    return f"{spelled(model, name)}{''.join(f' {part}' for part in inner)} is {shown}: {wanted}"


def _wanted(field: FieldInfo) -> str:
    """What an option takes, as its declaration says."""
    annotation = field.annotation
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(a for a in get_args(annotation) if a is not type(None))
    if get_origin(annotation) is Literal:
        return " or ".join(map(str, get_args(annotation)))
    if get_origin(annotation) is dict:
        return "a number" if get_args(annotation)[1] is float else "a text"
    if annotation in (int, float):
        return f"a {'whole ' if annotation is int else ''}number{_range(field)}"
    return "yes or no" if annotation is bool else "a text that is not empty"


def _range(field: FieldInfo) -> str:
    limits = {name: v for item in field.metadata for name in _LIMITS if (v := getattr(item, name, None)) is not None}
    if set(limits) == {"ge", "le"}:
        return f" from {limits['ge']:,} to {limits['le']:,}"
    return " and".join(_LIMITS[name].format(limit) for name, limit in limits.items())
