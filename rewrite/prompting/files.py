"""Prompt files: those that are shipped, by name, and any other by its path."""

from __future__ import annotations

import difflib
import os
import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.prompting.prompt import Prompt

if TYPE_CHECKING:
    from importlib.abc import Traversable

__all__ = ["known_prompts", "load_prompt", "prompt_file", "shipped_prompts"]

_LAYOUT = "A prompt holds name, task, language, kind and template: see prompts/ for examples."
_AT = re.compile(r"(.+)@(.*)", re.DOTALL)


def known_prompts() -> tuple[str, ...]:
    """Names of the shipped prompts, sorted."""
    return tuple(sorted(path.name[: -len(".yaml")] for path in _folder().iterdir() if path.name.endswith(".yaml")))


def shipped_prompts() -> tuple[Prompt, ...]:
    """All of them, in the order of `known_prompts`."""
    return tuple(_shipped(name) for name in known_prompts())


def prompt_file(name: str) -> Path | None:
    """The file of a shipped prompt, `None` for any other name."""
    return Path(str(_folder() / f"{name}.yaml")) if name in known_prompts() else None


def load_prompt(name_or_path: str) -> Prompt:
    """A prompt by name or from a YAML file.

    A name may end with `@K`: only the first K of a chat prompt's examples are shown (`chat_simplify_ru@0`: none). Else
    it is a path if it has a folder in it, ends with .yaml or .yml, or is there. Raises `UnknownName` for another name,
    `BadOption` for a K that there is not, `BadInput` naming file and key (or line) for a file that holds no prompt.
    """
    known = known_prompts()
    if name_or_path in known:
        return _shipped(name_or_path)
    if _is_path(name_or_path):
        return _read(Path(name_or_path), str(name_or_path))
    at = _AT.fullmatch(name_or_path)
    if at and at[1] in known:
        return _with_shots(_shipped(at[1]), at[2])
    close = difflib.get_close_matches(at[1] if at else name_or_path, known, n=3)
    guess = f"Did you mean {' or '.join(close)}? " if close else ""
    raise UnknownName(f"Unknown prompt {name_or_path!r}.", hint=f"{guess}Known: {', '.join(known)}; or give a file.")


def _folder() -> Traversable:
    # In a wheel the files lie beside the code, in a checkout in a folder of their own.
    packaged = files("rewrite") / "_prompts"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[2] / "prompts"


def _shipped(name: str) -> Prompt:
    path = _folder() / f"{name}.yaml"
    return _read(path, str(path))


def _is_path(text: str) -> bool:
    return bool({"/", "\\"} & set(text)) or text.endswith((".yaml", ".yml")) or os.path.isfile(text)


def _with_shots(prompt: Prompt, shots: str) -> Prompt:
    there = len(prompt.examples)
    if not (shots.isascii() and shots.isdigit() and int(shots) <= there):
        raise BadOption(
            f"The prompt {prompt.name!r} has {there} examples, asked for {shots!r}.",
            hint=f"After @ give a number from 0 to {there}.",
        )
    return prompt.model_copy(update={"shots": int(shots)}) if there else prompt


def _read(path: Traversable, place: str) -> Prompt:
    import yaml

    try:
        data: Any = yaml.safe_load(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadInput(
            f"Cannot read the prompt {place!r}: {error.strerror or error}.",
            hint="Check the path and its permissions, or name a shipped prompt (rewrite prompts).",
        ) from error
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{place}, byte {error.start}: not UTF-8.", hint="Save it as UTF-8: iconv -f cp1251 -t utf-8."
        ) from error
    except yaml.YAMLError as error:
        raise BadInput(
            f"{place}{_yaml_place(error)}: not YAML: {getattr(error, 'problem', error)}.",
            hint=f"Correct it there: a text with a colon, brace or quotation mark in it stands in quotes. {_LAYOUT}",
        ) from error
    if not isinstance(data, dict):
        raise BadInput(f"{place}: expected a mapping, got {_short(data)}.", hint=_LAYOUT)
    try:
        return Prompt(**{str(key): value for key, value in data.items()})
    except ValidationError as error:
        raise BadInput(f"{place}, {'; '.join(_explain(item) for item in error.errors())}.", hint=_LAYOUT) from None


def _yaml_place(error: Any) -> str:
    mark = getattr(error, "problem_mark", None)
    return f", line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""


def _explain(item: Any) -> str:
    """One of pydantic's errors as `key: what is wrong`; those across several keys name theirs in the message."""
    key = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"{key}: unknown key"
    if item["type"] == "missing":
        return f"{key}: missing"
    if item["type"] == "value_error":
        return ": ".join(part for part in (key, str(item["ctx"]["error"])) if part)
    return f"{key}: {item['msg'][:1].lower()}{item['msg'][1:]}, got {_short(item['input'])}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
