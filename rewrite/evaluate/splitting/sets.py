"""The sets for split-and-rephrase by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rewrite.datasets import data_folder
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate.splitting.corpora import (
    Borders,
    by_stops,
    load_aligned,
    load_numbered,
    load_websplit,
    load_wikisplit,
    marked_by,
    unmarked,
)
from rewrite.evaluate.splitting.data import SplitExample, SplitSet

__all__ = ["SETS", "load_set"]

_Load = Callable[[Path], list[SplitExample]]


@dataclass(frozen=True, slots=True)
class _Known:
    """A set that lies at `place` in a data folder. Each of `parts` is a file there that ends with its name and
    `ending`, the first the default; a set without parts is its folder.
    """

    place: str
    load: _Load
    parts: tuple[str, ...] = ()
    ending: str = ""


def _pair(path: Path, *, ending: str, target: str, borders: Borders) -> list[SplitExample]:
    if not path.name.endswith(ending):
        raise BadInput(f"{str(path)!r} does not end with {ending}.", hint=f"Name the file that {target} belongs to.")
    return load_aligned(path, path.with_name(path.name.removesuffix(ending) + target), borders)


_SIMPLE = partial(_pair, ending=".complex", target=".simple")

SETS: dict[str, _Known] = {
    "wikisplit": _Known("wikisplit", load_wikisplit, ("validation", "tune", "test"), ".tsv"),
    "websplit": _Known("websplit", load_websplit, ("test", "validation", "train"), ".jsonl"),
    "minwiki": _Known("desse_minwiki/MinWiki", partial(_SIMPLE, borders=by_stops), ("train", "test"), ".complex"),
    "desse": _Known(
        "desse_minwiki/ACL2021", partial(_SIMPLE, borders=unmarked), ("valid", "train", "test"), ".complex"
    ),
    "bisect": _Known(
        "bisect",
        partial(_pair, ending=".src", target=".dst", borders=marked_by("<SEP>")),
        ("valid", "test", "train"),
        ".src",
    ),
    "hsplit": _Known("hsplit", load_numbered),
    "wikibm": _Known("wikibm", load_numbered),
}


def load_set(
    name: str,
    data: str | Path | None = None,
    *,
    part: str | None = None,
    rows: tuple[int, int] | None = None,
    limit: int | None = None,
) -> SplitSet:
    """The set `name` from `data`: its own file or folder, or a data folder that holds it where `SETS` says.

    `data` may be left out where the variable `REWRITE_DATA` names the data folder. `part` is one of the set's;
    `rows` takes the examples from the first to the second number, both counted from 1 and included; `limit` the
    first of those. Raises `UnknownName` for another set, `BadOption` for a part or rows that there are not, `BadInput`
    for files that are missing or broken.
    """
    if name not in SETS:
        raise UnknownName(f"No set {name!r}.", hint=f"Known: {', '.join(SETS)}.")
    known = SETS[name]
    if part is not None and part not in known.parts:
        listed = f"Known: {', '.join(known.parts)}." if known.parts else "Leave --part out."
        raise BadOption(f"The set {name} has no part {part!r}.", hint=listed)
    path = _path(known, data)
    if path.is_file() and part is not None:
        raise BadOption(f"Of the file {str(path)!r} there is no part {part!r}.", hint="Give the folder, or no part.")
    if known.parts and path.is_dir():
        part = part or known.parts[0]
        path = _file(path, part + known.ending)
    examples = known.load(path)
    if not examples:
        raise BadInput(f"{str(path)!r} holds no example.", hint=f"Is this the set {name}?")
    label = " ".join(item for item in (name, part, f"{rows[0]}-{rows[1]}" if rows else None) if item)
    return SplitSet(label, tuple(_rows(examples, rows, path)[:limit]))


def _path(known: _Known, data: str | Path | None) -> Path:
    given = Path(data) if data is not None else data_folder()
    inside = given / known.place
    return inside if inside.exists() else given


def _file(folder: Path, ending: str) -> Path:
    found = sorted(file for file in folder.iterdir() if file.name.endswith(ending))
    if len(found) != 1:
        listed = ", ".join(file.name for file in found) or "none"
        raise BadInput(
            f"{str(folder)!r} should hold one file named *{ending}, there is {listed}.", hint="Check --data."
        )
    return found[0]


def _rows(examples: list[SplitExample], rows: tuple[int, int] | None, path: Path) -> list[SplitExample]:
    if rows is None:
        return examples
    first, last = rows
    if not 1 <= first <= last <= len(examples):
        raise BadOption(f"{path} has no rows {first}:{last}.", hint=f"It has rows 1:{len(examples)}.")
    return examples[first - 1 : last]
