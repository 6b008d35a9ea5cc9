"""The sets of rated texts by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rewrite.datasets import data_folder
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate.meta.data import Rated, RatedSet
from rewrite.evaluate.meta.summaries import load_summaries
from rewrite.evaluate.meta.tables import load_rucola, load_simplicity

__all__ = ["SETS", "load_rated"]

_COLLECTION = "metaeval_newsroom_qags"
# Contents before language, as papers print them; other aspects follow in the order of the file.
_ASPECTS = ("informativeness", "relevance", "coherence", "fluency")


@dataclass(frozen=True, slots=True)
class _Known:
    """A set that lies at `place` in a data folder; one without a place is always given by its path."""

    place: str = ""
    load: Callable[[Path], tuple[list[Rated], list[str]]] = load_summaries
    language: str | None = "en"
    binary: bool = False


SETS: dict[str, _Known] = {
    "newsroom": _Known(f"{_COLLECTION}/Newsroom"),
    "qags-cnn": _Known(f"{_COLLECTION}/QAGS_CNN"),
    "qags-xsum": _Known(f"{_COLLECTION}/QAGS_XSUM"),
    "simplicity-da": _Known("simplicity_da/simplicity_DA.csv", load_simplicity),
    "rucola": _Known("rucola/data/out_of_domain_dev.csv", load_rucola, language="ru", binary=True),
    "summaries": _Known(language=None),
}


def load_rated(name: str, data: str | Path | None = None, *, aspects: Sequence[str] = ()) -> RatedSet:
    """The set `name` from `data`: its own file or folder, or a data folder that holds it where `SETS` says.

    `data` may be left out where the variable `REWRITE_DATA` names the data folder, but for `summaries`, which is any
    file in the form of Newsroom's. `aspects` are those to keep, in this order. Raises `UnknownName` for another set,
    `BadOption` for an aspect that there is not, `BadInput` for files that are missing or broken.
    """
    if name not in SETS:
        raise UnknownName(f"No set {name!r}.", hint=f"Known: {', '.join(SETS)}.")
    known = SETS[name]
    if not known.place and data is None:
        raise BadOption(f"The set {name} has no place of its own.", hint="Give --data FILE.")
    path = _path(known, data)
    items, notes = known.load(path)
    if not items:
        raise BadInput(f"{str(path)!r} holds no rated text.", hint=f"Is this the set {name}?")
    found = dict.fromkeys(aspect for item in items for aspect in item.ratings)
    if unknown := [aspect for aspect in aspects if aspect not in found]:
        raise BadOption(f"The set {name} has no aspect {unknown[0]!r}.", hint=f"It has {', '.join(found)}.")
    usual = [aspect for aspect in _ASPECTS if aspect in found]
    chosen = tuple(dict.fromkeys(aspects or [*usual, *found]))
    label = name if known.place else path.stem if path.is_file() else path.name
    return RatedSet(label, chosen, tuple(items), tuple(notes), known.language, known.binary)


def _path(known: _Known, data: str | Path | None) -> Path:
    given = Path(data) if data is not None else data_folder()
    inside = given / known.place
    return inside if inside.exists() else given
