"""Sets of rated texts: what they are, and the sets by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rerank.plural import counted
from rewrite.datasets import DATA_VARIABLE, data_folder
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate.meta.corpora import FORM, Loaded, Rated, load_rucola, load_simplicity, load_summaries
from rewrite.judging.types import Row

__all__ = ["SETS", "RatedSet", "load_rated"]

_COLLECTION = "metaeval_newsroom_qags"
_FILE = "data.json"
# Contents before language, as papers print them; other aspects follow in the order of the file.
_ASPECTS = ("informativeness", "relevance", "coherence", "fluency")


@dataclass(frozen=True, slots=True)
class RatedSet:
    """Texts in the order of the file, at most one of each document by each system.

    In some of `aspects` nobody may have rated any text. `notes` say what of the file was left out. `binary`: the
    ratings are 0 and 1, and the area under the curve is what is usually told. `language` of the texts, `None` where it
    may differ.
    """

    name: str
    aspects: tuple[str, ...]
    items: tuple[Rated, ...]
    notes: tuple[str, ...] = ()
    language: str | None = None
    binary: bool = False

    @property
    def documents(self) -> tuple[str, ...]:
        """Names of the documents, each once, in their order."""
        return tuple(dict.fromkeys(item.document for item in self.items))

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, each once, in their order."""
        return tuple(dict.fromkeys(item.system for item in self.items))

    @property
    def rows(self) -> tuple[Row, ...]:
        """What a metric is given."""
        return tuple(item.row for item in self.items)


@dataclass(frozen=True, slots=True)
class _Known:
    """A set whose file lies at `place` in a data folder; with `own` any file of the user's, in no data folder."""

    place: str = _FILE
    load: Callable[[Path], Loaded] = load_summaries
    language: str | None = "en"
    binary: bool = False
    own: bool = False


SETS: dict[str, _Known] = {
    "newsroom": _Known(f"{_COLLECTION}/Newsroom/{_FILE}"),
    "qags-cnn": _Known(f"{_COLLECTION}/QAGS_CNN/{_FILE}"),
    "qags-xsum": _Known(f"{_COLLECTION}/QAGS_XSUM/{_FILE}"),
    "simplicity-da": _Known("simplicity_da/simplicity_DA.csv", load_simplicity),
    "rucola": _Known("rucola/data/out_of_domain_dev.csv", load_rucola, language="ru", binary=True),
    "summaries": _Known(own=True, language=None),
}


def load_rated(name: str, data: str | Path | None = None, *, aspects: Sequence[str] = ()) -> RatedSet:
    """The set `name` from `data`: its own file, or a folder that holds it where `SETS` says, or the end of that.

    `data` may be left out where the variable `REWRITE_DATA` names the data folder, but for `summaries`, which is any
    file in the form of Newsroom's. `aspects` are those to keep, in this order. Raises `UnknownName` for another set,
    `BadOption` for an aspect that there is not, `BadInput` for files that are missing or broken.
    """
    if name not in SETS:
        raise UnknownName(f"No set {name!r}.", hint=f"Known: {', '.join(SETS)}.")
    known = SETS[name]
    if known.own and data is None:
        raise BadOption(f"The set {name} has no place of its own.", hint="Give --data FILE.")
    path = _path(name, data)
    items, notes, found = known.load(path)
    if not items:
        why = f" ({'; '.join(notes)})" if notes else ""
        raise BadInput(f"{str(path)!r} holds no rated text{why}.", hint=_hint(name))
    if unknown := [aspect for aspect in aspects if aspect not in found]:
        raise BadOption(f"The set {name} has no aspect {unknown[0]!r}.", hint=f"It has {', '.join(found)}.")
    if not any(item.ratings for item in items):
        raise BadInput(f"{str(path)!r} has {counted(len(items), 'text')} and no rating of any.", hint=_hint(name))
    usual = [aspect for aspect in _ASPECTS if aspect in found]
    chosen = tuple(dict.fromkeys(aspects or [*usual, *found]))
    label = path.parent.name if path.name == _FILE else path.stem
    label = label if known.own else name
    told = {item.ratings[aspect] for item in items for aspect in chosen if aspect in item.ratings}
    binary = known.binary or (known.own and told == {0.0, 1.0})
    return RatedSet(label, chosen, tuple(items), tuple(notes), known.language, binary)


def _hint(name: str) -> str:
    return FORM if SETS[name].own else f"Is this the set {name}?"


def _path(name: str, data: str | Path | None) -> Path:
    """The set's file: `data`, or the first of its places below; `BadInput` names all places that were looked at."""
    given = Path(data) if data is not None else data_folder()
    if given.is_file():
        return given
    if not given.exists():
        raise BadInput(
            f"{str(given)!r} does not exist.", hint=f"Give --data the file of the set {name}, or its folder."
        )
    parts = Path(SETS[name].place).parts
    places = [given.joinpath(*parts[start:]) for start in range(len(parts))]
    for place in places:
        if place.is_file():
            return place
    origin = "--data" if data is not None else DATA_VARIABLE
    looked = ", ".join(str(place.relative_to(given)) for place in places)
    raise BadInput(
        f"The set {name} is not in {str(given)!r} ({origin}): there is no {looked}.",
        hint="Give --data the set's own file, or the folder that holds it.",
    )
