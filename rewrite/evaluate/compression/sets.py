"""The sets for compression by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rewrite.datasets import data_folder
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate.compression.corpora import load_chinese, load_clarke_lapata, load_google
from rewrite.evaluate.compression.data import CompressionExample, CompressionSet, load_sentcomp

__all__ = ["SETS", "load_set"]


@dataclass(frozen=True, slots=True)
class _Known:
    """How a set is read; `place` is where it lies in a data folder, empty where it must be named itself."""

    language: str
    load: Callable[[Path], list[CompressionExample]]
    place: str = ""
    parts: bool = False


SETS: dict[str, _Known] = {
    "broadcast": _Known("en", load_sentcomp, "sentcomp/broadcast.jsonl"),
    "newsroom": _Known("en", load_sentcomp, "sentcomp/newsroom.jsonl"),
    "google": _Known("en", load_google),
    "bnc": _Known("en", load_clarke_lapata),
    "zh": _Known("zh", load_chinese, "som_ncscm_zh", parts=True),
}


def load_set(
    name: str, data: str | Path | None = None, *, part: str | None = None, limit: int | None = None
) -> CompressionSet:
    """The set `name` from `data`: its own file or folder, or a data folder that holds it where `SETS` says.

    `data` may be left out where the variable `REWRITE_DATA` names the data folder. `part` is one of
    `corpora.CHINESE_PARTS` (default `dev`) and only for `zh`. Raises `UnknownName` for another set, `BadOption` for a
    part where there are none, `BadInput` for files that are missing or broken.
    """
    if name not in SETS:
        raise UnknownName(f"No set {name!r}.", hint=f"Known: {', '.join(SETS)}.")
    known = SETS[name]
    if part is not None and not known.parts:
        raise BadOption(f"The set {name} has no parts, and {part!r} was asked for.", hint="Leave --part out.")
    path = _path(name, known, data)
    examples = load_chinese(path, part=part) if part is not None else _load(known, path, limit)
    if not examples:
        raise BadInput(f"{str(path)!r} holds no example.", hint=f"Is this the set {name}?")
    label = f"{name} {part or 'dev'}" if known.parts else name
    return CompressionSet(label, known.language, tuple(examples)).first(limit)


def _load(known: _Known, path: Path, limit: int | None) -> list[CompressionExample]:
    # The Google set's files are large, and their test set is the beginning of one.
    return load_google(path, limit=limit) if known.load is load_google else known.load(path)


def _path(name: str, known: _Known, data: str | Path | None) -> Path:
    if not known.place:
        if data is None:
            raise BadInput(f"The set {name} needs its file.", hint="Give --data with the file or folder of the set.")
        return Path(data)
    given = Path(data) if data is not None else data_folder()
    inside = given / known.place
    return inside if inside.exists() else given
