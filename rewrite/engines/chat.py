"""A model's chat template, rendered without transformers: the template is Jinja text in the model's folder."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from rerank.checkpoint import first_line
from rewrite.engines.base import Message, ModelInput, without_system
from rewrite.errors import BadModel, MissingExtra

# Marks what training counts; in the text they leave nothing.
_MARKS = re.compile(r"\{%-?\s*(?:end)?generation\s*-?%\}")


def has_template(folder: Path) -> bool:
    """Whether the model in `folder` brings a chat template."""
    return bool(_read(folder)[0])


def render(folder: Path, messages: Sequence[Message]) -> str:
    """The conversation as the model of `folder` was taught to read it, up to where its own turn begins.

    Templates come with models, so they run in Jinja's sandbox. One that fails on a system turn gets it as part of the
    user's. Raises `BadModel` for a folder without one, or for one that refuses the conversation; `MissingExtra` without
    jinja2.
    """
    template, special = _read(folder)
    if not template:
        raise BadModel(f"{folder}: the model has no chat template.", hint="Give another --prompt.")
    try:
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise MissingExtra("Chat templates need jinja2.", hint="Run: pip install jinja2") from None
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _json
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = lambda pattern: datetime.now().strftime(pattern)

    def rendered(messages: Sequence[Message]) -> str:
        turns = [{"role": message.role, "content": message.content} for message in messages]
        return environment.from_string(_MARKS.sub("", template)).render(
            messages=turns, add_generation_prompt=True, **special
        )

    try:
        try:
            return rendered(messages)
        except Exception:  # a template is a program of its own, and says in its own way that it wants no system turn
            return rendered(without_system(messages))
    except Exception as error:
        raise BadModel(
            f"{folder}: its chat template fails: {first_line(error)}.", hint="Give another --prompt."
        ) from error


def prompt_text(folder: Path, given: ModelInput, begin: str | None) -> tuple[str, bool]:
    """What the model of `folder` reads of an input, and whether its tokenizer is to put special tokens around it.

    A template brings its own, and so may a prompt that starts with `begin`, the token that stands before a text.
    """
    if given.messages:
        return render(folder, given.messages), False
    return given.text, not (begin and given.text.startswith(begin))


def _json(value: Any, **options: Any) -> str:
    """As templates are used to it: letters as they are, the options those of `json.dumps`."""
    return json.dumps(value, **{"ensure_ascii": False, **options})


def _refuse(message: str) -> None:
    raise ValueError(message)


def _read(folder: Path) -> tuple[str, dict[str, str]]:
    """The template's text, empty if there is none, and the special tokens that it may name."""
    config: dict[str, Any] = {}
    path = folder / "tokenizer_config.json"
    try:
        if path.is_file():
            config = json.loads(path.read_text(encoding="utf-8"))
        jinja = folder / "chat_template.jinja"
        template = jinja.read_text(encoding="utf-8") if jinja.is_file() else config.get("chat_template") or ""
    except (OSError, ValueError) as error:
        raise BadModel(f"{folder}: tokenizer_config.json or chat_template.jinja: {error}.") from None
    if isinstance(template, list):  # several, by name
        template = next((t["template"] for t in template if t.get("name") == "default"), "")
    special = {name: _content(value) for name, value in config.items() if name.endswith("_token") and value}
    return template, special


def _content(value: Any) -> str:
    return str(value["content"]) if isinstance(value, dict) else str(value)
