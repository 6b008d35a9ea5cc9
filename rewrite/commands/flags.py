"""What every command shares: where text comes from and goes to, how a command ends, and options made from a declaration
such as `rewrite.request.Options`, so that neither can drift.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
import types
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional, Union, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from rewrite.declaration import UserOptions
from rewrite.errors import BadOption, BadWeights, RewriteError, exit_code
from rewrite.request import Options

if TYPE_CHECKING:
    from rewrite.batch import Pace


class OutputFormat(str, Enum):
    """How results are printed."""

    text = "text"
    jsonl = "jsonl"


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
MaybeText = Optional[str]  # noqa: UP045
MaybeTexts = Optional[list[str]]  # noqa: UP045
MaybeNumber = Optional[int]  # noqa: UP045
Texts = Annotated[
    MaybeTexts,
    typer.Argument(
        metavar="[TEXT]...",
        help="A sentence or paragraph each, or the name of one document; without any, standard input is read.",
    ),
]
Input = Annotated[
    MaybeText,
    typer.Option("-i", "--input", metavar="FILE", help="Read lines from FILE; - is standard input."),
]
Output = Annotated[
    MaybeText,
    typer.Option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output."),
]
Format = Annotated[OutputFormat, typer.Option("--format", help="Plain text, or one JSON object a line.")]
Explain = Annotated[bool, typer.Option("--explain", help="Say on standard error why each line was rewritten so.")]
Processes = Annotated[
    MaybeNumber,
    typer.Option("--processes", min=1, help="Worker processes; all cores for a file, else one.", show_default=False),
]


def given_lines(
    texts: Sequence[str] | None, input: str | None, pace: Pace | None
) -> tuple[Iterator[bytes], str | None]:
    """The lines of TEXT or else of --input in chunks, and what `run_chunks` takes for their source.

    Somebody at a terminal is told what is awaited. Raises `BadOption` where both were given.
    """
    from rewrite.batch import NO_FILE, arguments, read_lines

    if texts and input is not None:
        raise BadOption("Both TEXT and --input were given.", hint="Give one of them.")
    if texts:
        return arguments(texts, pace), NO_FILE
    if input is None and sys.stdin is not None and sys.stdin.isatty():
        print("Reading from the terminal, a sentence or paragraph a line; Ctrl-D ends.", file=sys.stderr)
    return read_lines(input, pace), input


@contextmanager
def documented_exits() -> Iterator[None]:
    """Turn `RewriteError`, a closed pipe and Ctrl-C into the exit codes of `rewrite.errors.EXIT_CODES`."""
    try:
        yield
    except RewriteError as error:
        print(f"rewrite: {error}", file=sys.stderr)
        raise typer.Exit(exit_code(error)) from None
    except BrokenPipeError:
        # Nobody reads: what Python still holds for standard output goes nowhere, or its flush at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise typer.Exit(141) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


# typer's own words on a number that is none fill a box of several lines: pydantic reads it, and one line names it.
_AS_TEXT: dict[Any, Any] = {int: str, int | None: str | None, float: str, float | None: str | None}


def with_options(
    skip: Collection[str] = (), *, model: type[UserOptions] = Options, **others: type[UserOptions]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command that takes `options`, a `model`, so that typer sees one flag per field instead.

    `skip` names the fields that mean nothing for this command; `others` are further arguments of it that are made so.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        fields = {name: field for name, field in model.model_fields.items() if name not in skip}
        declared = {"options": (model, fields), **{name: (its, its.model_fields) for name, its in others.items()}}

        @functools.wraps(command)
        def wrapper(context: typer.Context, **arguments: Any) -> None:
            with documented_exits():
                for argument, (its_model, its_fields) in declared.items():
                    values = {name: arguments.pop(name) for name in its_fields}
                    for name, parse in (("weights", parse_weights), ("engine", parse_settings)):
                        if name in values:
                            values[name] = parse(values[name] or ())
                    # What a user has not said may differ from task to task: only what was said is set.
                    origins = {name: context.get_parameter_source(name) for name in its_fields}
                    unsaid = {name for name, origin in origins.items() if getattr(origin, "name", "") == "DEFAULT"}
                    said = {name: value for name, value in values.items() if name not in unsaid}
                    if "keep" in said:
                        said["keep"], named = parse_kept(said["keep"])
                        said["glossary"] = [*said.get("glossary", ()), *named]
                    arguments[argument] = its_model(**said)
                command(**arguments)

        # Not typing.get_type_hints: on Python 3.10 it hides an Annotated that has a default of None from typer.
        signature = inspect.signature(command, eval_str=True)
        parameters = [p for p in signature.parameters.values() if p.name not in declared]
        flags = [_parameter(name, field) for _, its in declared.values() for name, field in its.items()]
        context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        taken = [context, *parameters, *flags]
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


def parse_kept(items: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words of --keep, and its files: what is the name of one, or ends as that of a glossary does."""
    files = [item for item in items if item.endswith(".txt") or os.path.isfile(item)]
    return [item for item in items if item not in files], files


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
        return (str if get_origin(members[0]) is Literal else members[0]) | None
    if annotation not in (int, float, str, bool):
        raise BadOption(f"no command-line form for {annotation!r}")
    return annotation
