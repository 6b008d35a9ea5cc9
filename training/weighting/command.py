"""What the commands on weights share: flags made from the options, errors as one line, the preset that comes out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin

import yaml
from pydantic.fields import FieldInfo

from rerank.weights import load_preset
from rewrite.declaration import Section, declared
from rewrite.errors import BadOption
from training.command import command_line, run_to_the_end
from training.disk import write_whole
from training.recipe import Recipe, Run, load_recipe
from training.weighting.weight_options import WeightOptions, settled


def weights_command(name: str, run: Callable[[Sequence[str]], None], arguments: Sequence[str] | None = None) -> int:
    """The whole command `python -m training.NAME`, which makes tables; returns the exit status."""
    # The taggers' matrices are small, and processes must not fight over cores.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    given = sys.argv[1:] if arguments is None else arguments
    return run_to_the_end(name, lambda: run(given), stopped="stopped; the tables made so far are kept")


def flags_parser(name: str, description: str | None, section: type[Section]) -> argparse.ArgumentParser:
    """The parser of `python -m training.NAME`, with a flag for each field of `section`."""
    parser = command_line(name, description)
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where everything is written")
    parser.add_argument("--processes", type=int, metavar="N", help="for the tables; all cores without it")
    _add_flags(parser, section)
    return parser


def _add_flags(parser: argparse.ArgumentParser, section: type[Section]) -> None:
    """One flag for each field of `section`; lists and mappings are written as YAML, as in `--fixed "{depth: 1}"`."""
    for name, field in section.model_fields.items():
        default = _shown(field.get_default(call_default_factory=True))
        text = f"{field.description} Default: {default}."
        flag = f"--{name.replace('_', '-')}"
        settings: dict[str, Any] = {"dest": name, "default": argparse.SUPPRESS, "help": text.replace("%", "%%")}
        if field.annotation is bool:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, **settings)
        else:
            parser.add_argument(flag, metavar=_metavar(field), **settings)


def given_flags(arguments: argparse.Namespace, section: type[Section]) -> dict[str, Any]:
    """The fields of `section` that were given on the command line, texts as they are and all else read as YAML."""
    import yaml

    values: dict[str, Any] = {}
    for name, field in section.model_fields.items():
        if not hasattr(arguments, name):
            continue
        value = getattr(arguments, name)
        if isinstance(value, str) and not _is_text(field):
            try:
                value = yaml.safe_load(value)
            except yaml.YAMLError:
                raise BadOption(f"--{name.replace('_', '-')} is {value!r}: not YAML.") from None
        values[name] = value
    return values


def prepare(arguments: argparse.Namespace) -> tuple[Run, WeightOptions]:
    """The run and its options: those of the recipe, where one is given, below those of the command line."""
    flags = given_flags(arguments, WeightOptions)
    recipe = load_recipe(arguments.recipe) if arguments.recipe else Recipe(name="tuned", weights=WeightOptions())
    if recipe.weights is None and not flags:
        raise BadOption(
            f"The recipe {recipe.name!r} has no section 'weights'.", hint="Add one, or give --sources FILE."
        )
    below = recipe.weights.model_dump(exclude_unset=True) if recipe.weights else {}
    options = declared(WeightOptions, {**below, **flags})
    run = Run(recipe, arguments.out, arguments.data)
    return run, settled(options, run)


def _is_text(field: FieldInfo) -> bool:
    kinds = (field.annotation, *get_args(field.annotation))
    return str in kinds and get_origin(field.annotation) not in (dict, tuple)


def _metavar(field: FieldInfo) -> str:
    return "TEXT" if _is_text(field) else "VALUE"


def _shown(value: object) -> str:
    return "none" if value in (None, {}, ()) else str(list(value) if isinstance(value, tuple) else value)


def write_preset(path: Path, name: str, weights: Mapping[str, float], notes: Sequence[str] = ()) -> None:
    """Write a file that `load_preset` takes, each of `notes` a comment line above. Raises `CannotWrite`.

    Every weight is named, zeros too: what a preset leaves out is as in `balanced`.
    """
    lines = [f"# {line}".rstrip() for note in notes for line in note.splitlines()]
    body = yaml.safe_dump({"name": name, "weights": dict(weights)}, allow_unicode=True, sort_keys=False)
    with write_whole(path) as draft:
        draft.write_text("\n".join([*lines, body]), encoding="utf-8")
        load_preset(draft)
