"""Outputs of systems by name, as the commands of `rewrite evaluate` take them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

from rewrite.errors import BadOption

__all__ = ["named_outputs"]


_Read = TypeVar("_Read")


def named_outputs(given: Sequence[str], load: Callable[[str], _Read], reserved: Collection[str]) -> dict[str, _Read]:
    """What `load` reads of each file, by `NAME=FILE` or the file's name without its ending.

    Raises `BadOption` for a name that is empty, given twice or `reserved`.
    """
    systems: dict[str, _Read] = {}
    for item in given:
        name, separator, path = item.partition("=")
        if not separator or Path(item).exists():
            name, path = Path(item).stem, item
        if not name or name in systems or name in reserved:
            raise BadOption(f"The name {name!r} of {path!r} is empty or taken.", hint="Give another, as NAME=FILE.")
        systems[name] = load(path)
    return systems
