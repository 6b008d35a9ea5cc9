"""The two lists of words that stand against each other, written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = ["Side", "lines_of"]

_HERE = Path(__file__).parent
_RELATIVE = "~"


class Side(NamedTuple):
    """A side (0 or 1) of a line of the list: what stands on the other side of that line is the opposite of this."""

    line: int
    side: int

    @property
    def other(self) -> Side:
        return Side(self.line, 1 - self.side)


def lines_of(language: str) -> list[tuple[list[str], bool]]:
    """Lines of a list by their columns, and whether they have ~."""
    text = (_HERE / f"{language}.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [(line.lstrip(_RELATIVE).split(), line.startswith(_RELATIVE)) for line in lines]
