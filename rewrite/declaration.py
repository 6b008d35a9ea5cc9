"""What is declared in pydantic, made from what a user wrote, and pydantic's complaints in one line."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rewrite.errors import BadOption

if TYPE_CHECKING:
    from typing_extensions import Self

Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
_Declared = TypeVar("_Declared", bound=BaseModel)
_SHOWN = 80
# "Input should be a valid integer, unable to parse …", "… a valid dictionary or instance of Name".
_SUBJECT, _ASIDE = re.compile(r"^\w+ should"), re.compile(r", unable| or instance of| after validation")


class Section(BaseModel):
    """A part of a recipe: frozen, and without keys that nobody declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class UserOptions(BaseModel):
    """Options that users make by name: what is wrong is a `BadOption` that names the option and quotes the value."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    # Type checkers know from the fields what may be given.
    if not TYPE_CHECKING:

        def __init__(self, /, **values: Any) -> None:
            try:
                super().__init__(**{name: _without_paths(value) for name, value in values.items()})
            except ValidationError as error:
                raise _refusal(type(self), error) from None

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Options from a request: a `BadOption` names them as they are declared, not as flags."""
        made = cls.__new__(cls)
        try:
            cls.__pydantic_validator__.validate_python(dict(values), self_instance=made)
        except ValidationError as error:
            raise BadOption(f"{complaints(cls, error)}.") from None
        return made


def _without_paths(value: Any) -> Any:
    """A value whose paths are what they are called, as they come from a command line."""
    if isinstance(value, list | tuple):
        return [_without_paths(item) for item in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def declared(model: type[_Declared], values: Mapping[str, Any]) -> _Declared:
    """`model(**values)`, with a `BadOption` that names the option and quotes the value instead of pydantic's own."""
    try:
        return model(**values)
    except ValidationError as error:
        raise _refusal(model, error) from None


def _refusal(model: type[BaseModel], error: ValidationError) -> BadOption:
    return BadOption(f"{complaints(model, error, lambda place: ' '.join([spelled(model, place[0]), *place[1:]]))}.")


def complaints(model: type[BaseModel], error: ValidationError, spell: Callable[[Sequence[str]], str] = ".".join) -> str:
    """All that `model` refused, each with its place as `spell` writes the keys, and with the value.

    The value of a field declared with `repr=False` is not quoted, for it may be a secret put in the wrong place.
    """
    faults = error.errors(include_url=False)
    # A list whose one item is wrong is empty to pydantic: that is no second fault.
    within = {fault["loc"][:length] for fault in faults for length in range(len(fault["loc"]))}
    separate = (fault for fault in faults if fault["type"] != "too_short" or fault["loc"] not in within)
    return "; ".join(dict.fromkeys(_complaint(model, fault, spell) for fault in separate))


def _complaint(model: type[BaseModel], fault: Any, spell: Callable[[Sequence[str]], str]) -> str:
    place, value = [str(part) for part in fault["loc"]], fault["input"]
    raised = fault["ctx"]["error"] if fault["type"] == "value_error" else None
    if not place:
        return str(raised or fault["msg"])
    key = spell(place)
    if fault["type"] == "missing":
        return f"{key}: missing"
    if fault["type"] == "extra_forbidden":
        known = _section(model, place[:-1]).model_fields
        close = difflib.get_close_matches(place[-1], known, n=1)
        return f"{key}: unknown key ({f'did you mean {close[0]}?' if close else 'known: ' + ', '.join(known)})"
    if raised is not None and isinstance(value, (Mapping, BaseModel)):  # of several keys together
        return f"{key}: {raised}"
    words = str(raised) if raised is not None else _SUBJECT.sub("it should", _ASIDE.split(fault["msg"])[0])
    words = words.replace("a valid tuple", "a list")
    field = model.model_fields.get(place[0])
    shown = repr(value) if field is None or field.repr else "something else"
    return f"{key} is {shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + '…'}: {words}"


def _section(model: type[BaseModel], place: Sequence[str]) -> type[BaseModel]:
    """The model at a place below `model`."""
    for part in place:
        if part in model.model_fields:
            model = next(_models(model.model_fields[part].annotation), model)
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


def flags(*names: str) -> dict[str, Any]:
    """`json_schema_extra` of an option with a short spelling on the command line; the long one is the field's name."""
    return {"flags": list(names)}


def spelled(model: type[BaseModel], name: str) -> str:
    """An option as it is written on the command line, its shortest form."""
    field = model.model_fields.get(name)
    extra = field.json_schema_extra if field is not None else None
    short = extra.get("flags") if isinstance(extra, dict) else None
    return str(short[0]) if isinstance(short, list) else f"--{name.replace('_', '-')}"
