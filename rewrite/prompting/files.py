"""Prompt files: those that are shipped, by name, any other by its path, and which of them a model is prompted with."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from rerank.weights import yaml_mapping
from rewrite.declaration import complaints
from rewrite.engines.base import ModelInfo
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.prompting.prompt import Prompt

if TYPE_CHECKING:
    from importlib.abc import Traversable

_LAYOUT = "A prompt holds name, task, language, kind and template: see prompts/ for examples."


def known_prompts() -> tuple[str, ...]:
    """Names of the shipped prompts, sorted."""
    return tuple(sorted(path.name[: -len(".yaml")] for path in _folder().iterdir() if path.name.endswith(".yaml")))


def shipped_prompts() -> tuple[Prompt, ...]:
    """All of them, in the order of `known_prompts`."""
    return tuple(_shipped(name) for name in known_prompts())


def load_prompt(name_or_path: str) -> Prompt:
    """A prompt by name or from a YAML file.

    What is no name is a path if it has a folder in it, ends with .yaml or .yml, or is there. Raises `UnknownName` for
    another name, `BadInput` naming file and key (or line) for a file that holds no prompt.
    """
    known = known_prompts()
    if name_or_path in known:
        return _shipped(name_or_path)
    if _is_path(name_or_path):
        return _read(Path(name_or_path), str(name_or_path))
    close = difflib.get_close_matches(name_or_path, known, n=3)
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


def _read(path: Traversable, place: str) -> Prompt:
    try:
        data = yaml_mapping(path.read_bytes(), place, hint=_LAYOUT)
    except OSError as error:
        raise BadInput(
            f"Cannot read the prompt {place!r}: {error.strerror or error}.",
            hint="Check the path and its permissions, or name a shipped prompt (rewrite prompts).",
        ) from error
    try:
        return Prompt(**{str(key): value for key, value in data.items()})
    except ValidationError as error:
        raise BadInput(f"{place}, {complaints(Prompt, error)}.", hint=_LAYOUT) from None


_PROMPT_FILE = "prompt.yaml"
_HOW = "Name one with --prompt NAME or --prompt FILE, or put a prompt.yaml into the model's folder."
_OWN_HOW = "Put a prompt.yaml into the model's folder, or run the models apart, each with its --prompt."


def choose_prompt(model: ModelInfo, *, task: str, language: str, given: Prompt | None = None) -> Prompt:
    """The prompt for `model` to do `task` (simplify, split, rephrase) in `language` (ru, en). The first of these holds:

    1. `prompt.yaml` in the model's folder, which training puts there;
    2. a shipped prompt with a pattern (`families.name`) of the model's name or of its last part;
    3. for a model with a chat template, the shipped chat prompt for task and language;
    4. a shipped prompt for the model's architecture (`families.model_type`). Only such are listed whose fine-tuned
       models are all put to use alike: `bart` is, but `gpt2` and `t5` say nothing of what a model was taught.

    Shipped prompts of another kind than the model's are left aside. Raises `UnknownName` where none holds, or where the
    model that is found so does something else; `BadOption` or `BadInput` for a `prompt.yaml` of another kind, or bad.
    """
    prompt_file = model.folder / _PROMPT_FILE if model.folder else None
    if prompt_file is not None and prompt_file.is_file():
        prompt = load_prompt(str(prompt_file))
        require_fit(prompt, model)
        return _first_that_suits([prompt], model, task, language)
    shipped = [prompt for prompt in shipped_prompts() if fits(prompt, model)]
    named = _named(shipped, model.name)
    if named:
        return _first_that_suits(named, model, task, language)
    for prompt in _guesses(shipped, model):
        if _suits(prompt, task, language):
            return prompt
    architecture = f" (of type {model.model_type})" if model.model_type else ""
    message = f"No prompt is known for the model {model.name!r}{architecture} to {_words(task, language)}"
    if given is not None:
        raise UnknownName(
            f"{message}, and {given.name!r} is of kind {given.kind}: it {_lack(given, model)}.", hint=_OWN_HOW
        )
    raise UnknownName(f"{message}.", hint=_listed(model))


def require_fit(prompt: Prompt, model: ModelInfo) -> None:
    """Raises `BadOption` if `model` is known not to take a prompt of this kind."""
    if not fits(prompt, model):
        start = f"The prompt {prompt.name!r} is of kind {prompt.kind}"
        raise BadOption(f"{start}, but the model {model.name!r} {_lack(prompt, model)}.", hint=_listed(model))


def fits(prompt: Prompt, model: ModelInfo) -> bool:
    """Whether `model` takes a prompt of this kind, as far as is known of it."""
    return model.kind in (prompt.kind, None) or (prompt.kind == "chat" and model.chat)


def _lack(prompt: Prompt, model: ModelInfo) -> str:
    return "has no chat template" if prompt.kind == "chat" else f"is of kind {model.kind}"


def _guesses(prompts: Iterable[Prompt], model: ModelInfo) -> list[Prompt]:
    """The prompts for a model like this, chat first: what a chat model was taught is to do as it is told."""
    chat = model.chat or model.kind == "chat"
    by_type = [prompt for prompt in prompts if model.model_type.lower() in prompt.families.model_type]
    return [prompt for prompt in prompts if chat and prompt.families.chat_template] + by_type


def _named(prompts: Iterable[Prompt], name: str) -> list[Prompt]:
    """The prompts with a pattern of the model's name."""
    whole = name.lower().rstrip("/\\")
    forms = (whole, re.split(r"[/\\#]", whole)[-1])
    return [p for p in prompts if any(fnmatchcase(form, pattern) for form in forms for pattern in p.families.name)]


def _first_that_suits(prompts: Iterable[Prompt], model: ModelInfo, task: str, language: str) -> Prompt:
    for prompt in prompts:
        if _suits(prompt, task, language):
            return prompt
    does = " or ".join(sorted({_words(prompt.task, prompt.language) for prompt in prompts}))
    raise UnknownName(
        f"The model {model.name!r} is known to {does}, not to {_words(task, language)}.", hint=_listed(model)
    )


def _words(task: str, language: str) -> str:
    return f"{'rewrite' if task == 'any' else task} in {'any language' if language == 'any' else repr(language)}"


def _suits(prompt: Prompt, task: str, language: str) -> bool:
    return prompt.task in (task, "any") and prompt.language in (language, "any")


def _listed(model: ModelInfo) -> str:
    """How to give a prompt, and those that the model can take."""
    names = [prompt.name for prompt in shipped_prompts() if fits(prompt, model)]
    return f"{_HOW} Known for its kind: {', '.join(names) or 'none'}."
