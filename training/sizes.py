"""How many parameters a model has and how many bytes it may take; how sizes and times are told."""

from __future__ import annotations

from typing import Any

from rewrite.errors import BadModel

MEGABYTE = 1_000_000
"""Bytes."""


def million(parameters: float) -> str:
    """A number of parameters: `13.2 M parameters`."""
    return f"{parameters / 1e6:.1f} M parameters"


def parameters_of(model: Any, *, learning: bool = False) -> int:
    """Numbers in a torch module's weights, shared ones once; with `learning`, of those alone that are trained."""
    return sum(part.numel() for part in model.parameters() if part.requires_grad or not learning)


def require_small(size: int, most: float, key: str, *, what: str, hint: str = "") -> None:
    """Raise `BadModel` where `what` was packed takes more bytes than the megabytes that the recipe's `key` allows."""
    if size > round(most * MEGABYTE):
        raise BadModel(f"{what} takes {size / MEGABYTE:.1f} MB, {key} is {most:g}.", hint=hint)


def duration(seconds: float) -> str:
    """A time in words: `42 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
