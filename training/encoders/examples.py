"""Files of examples: a JSON line each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["write_counted"]

_Example = TypeVar("_Example", bound="DataclassInstance")


def write_counted(examples: Iterable[_Example], path: Path, kind: Callable[[_Example], str]) -> Counter[str]:
    """Write examples, which are dataclasses, as JSON lines; returns how many there are of each kind."""
    counts: Counter[str] = Counter()
    with path.open("w", encoding="utf-8") as file:
        for one in examples:
            counts[kind(one)] += 1
            print(json.dumps(asdict(one), ensure_ascii=False), file=file)
    return counts
