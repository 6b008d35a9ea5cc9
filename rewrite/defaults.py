"""The generator of `rewrite simplify` where none is named."""

from __future__ import annotations

import os

from rewrite.base.package import INSTALL, is_installed

__all__ = ["NAMED", "VARIABLE", "default_generator", "what_is_missing"]

VARIABLE = "REWRITE_GENERATOR"
"""Environment variable that names another default."""
NAMED = f"edits-lm where the extra lm is installed, else edits; or ${VARIABLE}"
"""The default in words."""


def default_generator() -> str:
    """What the user's environment names, else the best that is installed."""
    return os.environ.get(VARIABLE) or ("edits-lm" if is_installed() else "edits")


def what_is_missing(generator: str) -> str:
    """A line for somebody who got `edits` only because the language model is not installed; else an empty string."""
    if generator != "edits" or is_installed() or os.environ.get(VARIABLE):
        return ""
    return f"Long sentences are cut in two by a language model, which is not installed. {INSTALL}"
