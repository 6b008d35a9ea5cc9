"""Prompts: how a source is put to a language model. They are data, YAML files in `prompts/`; this reads and fills them.

A file holds `name`, `task`, `language`, `kind` and `template`; see `Prompt` for these and what else there may be.
"""

from __future__ import annotations

from rewrite.prompting.files import choose_prompt, fits, known_prompts, load_prompt, require_fit, shipped_prompts
from rewrite.prompting.prompt import Example, Families, Prompt

__all__ = [
    "Example",
    "Families",
    "Prompt",
    "choose_prompt",
    "fits",
    "known_prompts",
    "load_prompt",
    "require_fit",
    "shipped_prompts",
]
