"""Command-line options made from a declaration such as `rewrite.request.Options`, so that neither can drift."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Collection, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from rewrite.commands.shared import documented_exits
from rewrite.declaration import declared
from rewrite.errors import BadOption, BadWeights
from rewrite.request import Options

# typer's own words on a number that is none fill a box of several lines: pydantic reads it, and one line names it.
_AS_TEXT: dict[Any, Any] = {int: str, int | None: str | None, float: str, float | None: str | None}


def with_options(
    skip: Collection[str] = (), *, model: type[BaseModel] = Options
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command that takes `options`, a `model`, so that typer sees one flag per field instead.

    `skip` names the fields that mean nothing for this command.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        fields = {name: field for name, field in model.model_fields.items() if name not in skip}

        @functools.wraps(command)
        def wrapper(context: typer.Context, **arguments: Any) -> None:
            with documented_exits():
                values = {name: arguments.pop(name) for name in fields}
                for name, parse in (("weights", parse_weights), ("engine", parse_settings)):
                    if name in values:
                        values[name] = parse(values[name] or ())
                # What a user has not said may differ from task to task: only what was said is set.
                told = {name: context.get_parameter_source(name) for name in fields}
                said = {name: value for name, value in values.items() if getattr(told[name], "name", "") != "DEFAULT"}
                command(**arguments, options=declared(model, said))

        # Not typing.get_type_hints: on Python 3.10 it hides an Annotated that has a default of None from typer.
        own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.name != "options"]
        flags = [_parameter(name, field) for name, field in fields.items()]
        context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        taken = [context, *own, *flags]
        del wrapper.__wrapped__  # typer would read the undecorated signature
        wrapper.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in taken}
        return wrapper

    return decorate


def parse_weights(items: Sequence[str]) -> dict[str, float]:
    """`["similarity=2"]` as `{"similarity": 2.0}`; names are checked later, against the scorers in use."""
    weights: dict[str, float] = {}
    for item in items:
        name, separator, value = item.partition("=")
        try:
            if not separator or not name.strip():
                raise ValueError
            weights[name.strip()] = float(value)
        except ValueError:
            raise BadWeights(f"--weight got {item!r}.", hint="Write NAME=NUMBER, as in -w similarity=2.") from None
    return weights


def parse_settings(items: Sequence[str]) -> dict[str, str]:
    """`["device=cuda"]` as `{"device": "cuda"}`; names and values are checked later, by the engine in use."""
    settings: dict[str, str] = {}
    for item in items:
        name, separator, value = item.partition("=")
        if not separator or not name.strip():
            raise BadOption(f"--engine got {item!r}.", hint="Write NAME=VALUE, as in -e device=cuda.")
        settings[name.strip()] = value.strip()
    return settings


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    long = f"--{name.replace('_', '-')}"
    flags = [str(flag) for flag in _list(extra.get("flags"))] or [long]
    if field.annotation is bool:
        flags = [long]
    default = field.get_default(call_default_factory=True)
    plain = _plain_type(field.annotation)
    if plain == bool | None:
        flags = [f"{long}/--no-{long[2:]}"]
    metavar = "NUMBER" if plain in _AS_TEXT else None
    shown = default not in (None, {}, (), False)
    option = typer.Option(*flags, help=field.description, show_default=shown, metavar=metavar)
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=[] if default in ({}, ()) else default,
        annotation=Annotated[_AS_TEXT.get(plain, plain), option],
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _plain_type(annotation: Any) -> Any:
    """The type that typer parses; ranges and choices are pydantic's to check."""
    origin = get_origin(annotation)
    if origin in (dict, tuple):
        return list[str]
    if origin is Literal:
        return str
    if origin in (Union, types.UnionType):
        members = [item for item in get_args(annotation) if item is not type(None)]
        if len(members) > 1:  # a number or a word: pydantic tells which
            return str
        return members[0] | None
    if annotation not in (int, float, str, bool):
        raise BadOption(f"no command-line form for {annotation!r}")
    return annotation
