"""What every section of a recipe shares, and pydantic's errors in plain words: key, value, what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

__all__ = ["Count", "Name", "Refusal", "Section", "Share", "keys_at", "refusals", "takes"]

Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
_SHOWN = 60
_LIMITS = {"ge": "of {} or more", "gt": "above {}", "le": "at most {}", "lt": "below {}"}
_Declared = tuple[Any, Sequence[Any]]


class Section(BaseModel):
    """A part of a recipe: frozen, and without keys that nobody declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is wrong at `key` (parts joined by a dot, empty for the whole): in words, with the value quoted."""

    key: tuple[str, ...]
    kind: Literal["unknown", "missing", "rule", "value"]
    told: str
    value: str = ""

    def __str__(self) -> str:
        key = ".".join(self.key)
        if self.kind == "value":
            return f"{key} is {self.value}: {self.told}"
        return f"{key}: {self.told}" if key else self.told


def refusals(model: type[BaseModel], error: ValidationError) -> tuple[Refusal, ...]:
    """All that `model` refuses, one for each key, in the order in which pydantic found it."""
    by_key: dict[tuple[str, ...], Refusal] = {}
    for item in error.errors(include_url=False):
        refusal = _refusal(model, item)
        by_key.setdefault(refusal.key, refusal)
    # A list whose one item is wrong is empty to pydantic: that is no second fault.
    within = {key[:length] for key in by_key for length in range(len(key))}
    return tuple(one for key, one in by_key.items() if one.kind != "value" or key not in within)


def _refusal(model: type[BaseModel], item: Any) -> Refusal:
    key, field = _place(model, item["loc"])
    if item["type"] == "extra_forbidden":
        return Refusal((*key, str(item["loc"][-1])), "unknown", "unknown key")
    if item["type"] == "missing":
        return Refusal(key, "missing", "missing")
    if item["type"] == "value_error":
        return Refusal(key, "rule", str(item["ctx"]["error"]))
    shown = repr(item["input"])
    shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 1]}…"
    return Refusal(key, "value", f"give {_takes(*field)}" if field else str(item["msg"]), shown)


def _place(model: type[BaseModel], place: Sequence[int | str]) -> tuple[tuple[str, ...], _Declared | None]:
    """The keys of an error's place, and how the last of them is declared.

    Pydantic names the branches of a union in the place, which no recipe does: they are left out.
    """
    keys: list[str] = []
    here: _Declared = (model, ())
    for part in place:
        inner = _inside(here, part)
        if inner is not None:
            keys.append(str(part))
            here = inner
    return tuple(keys), (here if keys else None)


def _inside(declared: _Declared, part: int | str) -> _Declared | None:
    """How the value at `part` of a section, a list or a mapping is declared; `None` for what is no such place."""
    for kind, _ in _branches(declared[0]):
        if isinstance(kind, type) and issubclass(kind, BaseModel) and part in kind.model_fields:
            field = kind.model_fields[str(part)]
            return field.annotation, field.metadata
        origin: Any = get_origin(kind)
        if isinstance(part, int) and origin in (tuple, list):
            return _unwrapped(get_args(kind)[0])
        if isinstance(part, str) and origin is dict and part != "[key]":
            return _unwrapped(get_args(kind)[1])
    return None


def _branches(annotation: Any) -> Iterator[_Declared]:
    """The kinds that a union is made of, each with its own bounds, without `None`; of anything else itself."""
    kind, marks = _unwrapped(annotation)
    origin: Any = get_origin(kind)
    if origin is Union or origin is UnionType:
        for branch in get_args(kind):
            yield from _branches(branch)
    elif kind is not type(None):
        yield kind, marks


def _unwrapped(annotation: Any) -> _Declared:
    if get_origin(annotation) is not Annotated:
        return annotation, ()
    kind, *marks = get_args(annotation)
    return kind, [one for mark in marks for one in (mark.metadata if isinstance(mark, FieldInfo) else [mark])]


def keys_at(model: type[BaseModel], place: Sequence[str]) -> list[str]:
    """The keys that the section at `place` knows; none where there is no section."""
    here: _Declared = (model, ())
    for part in place:
        here = _inside(here, int(part) if part.isdigit() else part) or (None, ())
    sections = (kind for kind, _ in _branches(here[0]) if isinstance(kind, type) and issubclass(kind, BaseModel))
    return [key for kind in sections for key in kind.model_fields]


def takes(field: FieldInfo) -> str:
    """What a field takes, in words: `a whole number of 320 or more, a multiple of 64`."""
    return _takes(field.annotation, field.metadata)


def _takes(annotation: Any, marks: Sequence[Any]) -> str:
    branches = [_one(kind, {**_limits(marks), **_limits(bounds)}) for kind, bounds in _branches(annotation)]
    return " or ".join(dict.fromkeys(branches))


def _limits(marks: Sequence[Any]) -> Mapping[str, Any]:
    names = (*_LIMITS, "multiple_of", "min_length", "pattern")
    return {name: value for mark in marks for name in names if (value := getattr(mark, name, None)) is not None}


def _one(kind: Any, limits: Mapping[str, Any]) -> str:
    if get_origin(kind) is Literal:
        return _either([str(value) for value in get_args(kind)])
    if get_origin(kind) in (tuple, list):
        return "a list that is not empty" if limits.get("min_length") else "a list"
    if kind is bool:
        return "true or false"
    if kind in (int, float):
        return f"a {'whole ' if kind is int else ''}number{_range(limits)}"
    if kind is str:
        return f"a text{_letters(limits['pattern'])}" if "pattern" in limits else "a text that is not empty"
    return "keys with their values"


def _letters(pattern: str) -> str:
    """What a pattern such as `^[a-z0-9][a-z0-9.-]*$` allows."""
    marks = " ".join(mark for mark in "._+-" if mark in pattern.rpartition("0-9")[2])
    return f" of {'' if 'A-Z' in pattern else 'small '}letters, digits and {marks}, not beginning with these"


def _range(limits: Mapping[str, Any]) -> str:
    step = f", a multiple of {limits['multiple_of']:g}" if "multiple_of" in limits else ""
    if "ge" in limits and "le" in limits:
        return f" from {_number(limits['ge'])} to {_number(limits['le'])}{step}"
    bounds = " and ".join(words.format(_number(limits[name])) for name, words in _LIMITS.items() if name in limits)
    return f" {bounds}{step}" if bounds else step


def _number(limit: float) -> str:
    return f"{int(limit):,}" if limit == int(limit) else f"{limit:,}"


def _either(values: Sequence[str]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else values[0]
