"""How times are told."""

from __future__ import annotations

__all__ = ["duration"]


def duration(seconds: float) -> str:
    """A time in words: `42 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
