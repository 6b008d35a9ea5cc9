"""Files of examples, which are dataclasses: a JSON line each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import TypeAdapter

from rewrite.errors import BadInput

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Example = TypeVar("_Example", bound="DataclassInstance")
_Any = TypeVar("_Any")


def write_examples(examples: Iterable[_Example], path: Path, kind: Callable[[_Example], str]) -> Counter[str]:
    """Write examples as JSON lines; returns how many there are of each kind."""
    counts: Counter[str] = Counter()
    with path.open("w", encoding="utf-8") as file:
        for example in examples:
            counts[kind(example)] += 1
            print(json.dumps(asdict(example), ensure_ascii=False), file=file)
    return counts


def write_sides(sides: Mapping[str, Iterable[_Example]], folder: Path, kind: Callable[[_Example], str]) -> None:
    """Write a file `SIDE.jsonl` of examples for each side, and tell how many of each kind it has."""
    for side, examples in sides.items():
        counts = write_examples(examples, folder / f"{side}.jsonl", kind)
        print(f"{side}: {', '.join(f'{name} {count:,}' for name, count in counts.most_common())}", flush=True)


def read_examples(kind: type[_Any], path: Path) -> list[_Any]:
    """The examples of the class `kind` in a file that `write_examples` wrote. Raises `BadInput` where it has none."""
    adapter = TypeAdapter(kind)
    with path.open("rb") as file:
        examples = list(map(adapter.validate_json, file))
    if not examples:
        raise BadInput(f"There are no examples for {path.stem}.", hint="Give more good texts, or a larger dev.")
    return examples
