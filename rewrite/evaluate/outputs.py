"""What systems made of the sources of a set, one output for each, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from rewrite.datasets import json_object, text_lines
from rewrite.errors import BadInput, BadOption
from rewrite.evaluate.sets import SetExample

__all__ = ["by_name", "load_outputs", "require_outputs"]

_Read = TypeVar("_Read")

_HOW = 'Give one text a line, source<TAB>text as .tsv, or {"text": "…"} a line as .jsonl.'


def require_outputs(systems: Mapping[str, Sequence[str]], sources: int) -> None:
    """`BadInput` where there are no sources, or where a system has not one output for each of them."""
    if not sources:
        raise BadInput("There is nothing to evaluate on.", hint="Give a set with at least one example.")
    for system, outputs in systems.items():
        if len(outputs) != sources:
            raise BadInput(
                f"The system {system} gives {len(outputs)} outputs for {sources} sources.",
                hint="Give one output for each source, in order.",
            )


def by_name(given: Sequence[str], load: Callable[[str], _Read], reserved: Collection[str]) -> dict[str, _Read]:
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


def load_outputs(path: str | Path, examples: Sequence[SetExample]) -> list[str]:
    """What a system made of the sources of `examples`, one output for each, in order.

    `.jsonl` holds objects with `text` (and `source`), as `rewrite` prints them, `.tsv` source<TAB>output, any other
    file one output a line, an empty line being an empty output. Sources that are given must be those of the examples.
    `BadInput` names the line, or both counts where they differ.
    """
    path = Path(path)
    read = {".jsonl": _jsonl_output, ".ndjson": _jsonl_output, ".tsv": _tsv_output}.get(
        path.suffix.lower(), _plain_output
    )
    rows = [read(line, f"{path}, line {number}") for number, line in enumerate(text_lines(path), 1)]
    if len(rows) != len(examples):
        raise BadInput(f"{path} holds {len(rows)} outputs, the set has {len(examples)} sources.", hint=_HOW)
    for number, ((source, _), example) in enumerate(zip(rows, examples, strict=True), 1):
        if source is not None and source.split() != example.source.split():
            raise BadInput(
                f"{path}, line {number}: the source {source[:60]!r} is not that of the set, {example.source[:60]!r}.",
                hint="Outputs must stand in the order of the set.",
            )
    return [output for _, output in rows]


def _plain_output(line: str, place: str) -> tuple[str | None, str]:
    return None, line.strip()


def _tsv_output(line: str, place: str) -> tuple[str | None, str]:
    source, tab, output = line.partition("\t")
    if not tab or "\t" in output:
        raise BadInput(f"{place}: {line.count(chr(9))} tabs where source<TAB>output has one: {line[:60]!r}.", hint=_HOW)
    return source, output.strip()


def _jsonl_output(line: str, place: str) -> tuple[str | None, str]:
    row = json_object(line, place)
    output, source = row.get("text"), row.get("source")
    if not isinstance(output, str):
        raise BadInput(f"{place}: no text under 'text', found {', '.join(map(repr, row)) or 'nothing'}.", hint=_HOW)
    return source if isinstance(source, str) else None, output.strip()
