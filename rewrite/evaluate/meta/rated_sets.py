"""Sets of rated texts: what they are, and the sets by name from files that people have.

Newsroom, QAGS, SummEval and REALSumm are in one form in the collection that BARTScore (Yuan et al., 2021) is measured
on (`FORM`); simplifications and sentences are CSV.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from rerank.errors import counted
from rewrite.datasets import csv_number, csv_records, read_text
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate.sets import located
from rewrite.judging.metric_words import is_blank
from rewrite.judging.row_metric import Row

FORM = 'Expected {"NAME": {"src": "…", "ref_summ": "…", "sys_summs": {"SYSTEM": {"sys_summ": "…", "scores": {…}}}}}.'
"""What a file of ratings looks like, for whoever gave another one."""

LARGEST = 1e100
"""Scores and ratings that are larger, or less than its negative, are refused: their squares are no numbers."""

_COLLECTION = "metaeval_newsroom_qags"
_FILE = "data.json"
OWN = "summaries"
"""The name of a set that is any file of the user's, in no data folder."""
# Contents before language, as papers print them; other aspects follow in the order of the file.
_ASPECTS = ("informativeness", "relevance", "coherence", "fluency")
_SIMPLICITY = ("fluency", "meaning", "simplicity")


@dataclass(frozen=True, slots=True)
class Rated:
    """A text that `system` made of `document`, and the mean of people's ratings by aspect; more is better.

    An aspect in which nobody rated it is left out.
    """

    document: str
    system: str
    row: Row
    ratings: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """What `rewrite judge` reads, and where it belongs."""
        row = {"source": self.row.source, "text": self.row.text, "references": self.row.references}
        return {**row, "document": self.document, "system": self.system, "ratings": dict(self.ratings)}


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


class _Loaded(NamedTuple):
    """What a file holds: rated texts, the aspects that it names, rated or not, and notes on what was left out."""

    items: list[Rated]
    aspects: tuple[str, ...]
    notes: tuple[str, ...] = ()


def _left_out(noun: str, plural: str, places: Sequence[str]) -> tuple[str, ...]:
    """A note of how many there are and where the first is, or nothing where `places` is empty."""
    first = f"{'the first in ' * (len(places) > 1)}{places[0]}" if places else ""
    return (f"left out: {counted(len(places), noun, plural)} ({first})",) if places else ()


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; of two values of a name `json` would drop the first without a word."""
    given = dict(pairs)
    if len(given) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {name[:60]!r} is there more than once in one object")
    return given


def _seen(text: str) -> str:
    """A text without spaces around it; an error where nothing of it is seen."""
    if is_blank(text):
        raise PydanticCustomError("empty", "Input should be a text of which something is seen")
    return text.strip()


_Text = Annotated[str, AfterValidator(_seen)]
_Rating = Annotated[float, Field(ge=-LARGEST, le=LARGEST, strict=True)]


class _Summary(BaseModel):
    sys_summ: _Text
    scores: dict[str, _Rating | None]


class _Document(BaseModel):
    src: _Text
    ref_summ: str | None = None
    ref_summs: list[str] = []
    sys_summs: dict[str, _Summary]

    @property
    def references(self) -> tuple[str, ...]:
        """Each once, without those that are empty or the source itself (QAGS has no others)."""
        texts = (text.strip() for text in (self.ref_summ or "", *self.ref_summs) if not is_blank(text))
        return tuple(dict.fromkeys(text for text in texts if text != self.src))


_DOCUMENTS = TypeAdapter(dict[str, _Document])


def _load_summaries(path: Path) -> _Loaded:
    """The rated summaries of a file in the form `FORM`, and what was left out.

    Left out are references that are the source itself. `BadInput` names the file with the document and the system that
    is wrong; so it does for a name that is there twice.
    """
    # A dict for the order of the file; nobody may have rated anything in an aspect.
    aspects: dict[str, None] = {}
    items, copies = [], []
    for name, document in _documents(path).items():
        if document.src in map(str.strip, (document.ref_summ or "", *document.ref_summs)):
            copies.append(f"document {name}")
        for system, summary in document.sys_summs.items():
            aspects |= dict.fromkeys(summary.scores)
            known = {aspect: rating for aspect, rating in summary.scores.items() if rating is not None}
            items.append(Rated(name, system, Row(document.src, summary.sys_summ, document.references), known))
    nouns = "reference that is the source itself", "references that are the source itself"
    return _Loaded(items, tuple(aspects), _left_out(*nouns, copies))


def _documents(path: Path) -> dict[str, _Document]:
    try:
        return _DOCUMENTS.validate_python(json.loads(read_text(path), object_pairs_hook=_each_once))
    except json.JSONDecodeError as error:
        place = f"{path}, line {error.lineno}, column {error.colno}"
        raise BadInput(f"{place}: not JSON: {error.msg}.", hint=FORM) from None
    except RecursionError:
        raise BadInput(f"{path}: lists within lists without end.", hint=FORM) from None
    except ValidationError as error:
        first = error.errors()[0]
        instead = "" if first["type"] == "missing" else f", not {str(first['input'])[:40]!r}"
        place = f", document {first['loc'][0]!r}" if first["loc"] else ""
        key = f", {'.'.join(map(str, first['loc'][1:]))}" if first["loc"][1:] else ""
        message = first["msg"].partition(" or instance of ")[0]
        raise BadInput(f"{path}{place}{key}: {message}{instead}.", hint=FORM) from None
    except ValueError as error:
        raise BadInput(f"{path}: {error}.", hint=FORM) from None


def _load_simplicity(path: Path) -> _Loaded:
    """English simplifications rated by Alva-Manchego et al. (2021) from 0 to 100.

    CSV with `sent_id`, `sys_name`, `orig_sent`, `simp_sent`, `fluency`, `meaning`, `simplicity`. `BadInput` names file
    and line.
    """
    items: dict[tuple[str, str], Rated] = {}
    columns = ("sent_id", "sys_name", "orig_sent", "simp_sent", *_SIMPLICITY)
    for line, (document, system, source, text, *numbers) in csv_records(path, columns):
        if not (document and system and source and text):
            raise BadInput(f"{path}, line {line}: no sent_id, sys_name, orig_sent or simp_sent.")
        if (document, system) in items:
            raise BadInput(f"{path}, line {line}: {system!r} has sentence {document!r} a second time.")
        given = (csv_number(number, path, line) for number in numbers)
        ratings = dict(zip(_SIMPLICITY, given, strict=True))
        items[document, system] = Rated(document, system, Row(source, text), ratings)
    return _Loaded(list(items.values()), _SIMPLICITY)


def _load_rucola(path: Path) -> _Loaded:
    """Sentences of RuCoLA (Mikhailov et al., 2022), each its own source: `acceptable` is 1 or 0.

    CSV with `id`, `sentence`, `acceptable`. `BadInput` names file and line.
    """
    items: dict[str, Rated] = {}
    for line, (name, sentence, label) in csv_records(path, ("id", "sentence", "acceptable")):
        if label not in ("0", "1"):
            raise BadInput(f"{path}, line {line}: acceptable is {label[:40]!r}.", hint="It should be 0 or 1.")
        if not sentence or name in items:
            raise BadInput(f"{path}, line {line}: no sentence, or the id {name!r} a second time.")
        items[name] = Rated(name, "", Row(sentence, sentence), {"acceptable": float(label)})
    return _Loaded(list(items.values()), ("acceptable",))


class _Known(NamedTuple):
    """A set whose file lies at `place` in a data folder, in what language its texts are."""

    place: str
    load: Callable[[Path], _Loaded] = _load_summaries
    language: str | None = "en"


SETS: dict[str, _Known] = {
    "newsroom": _Known(f"{_COLLECTION}/Newsroom/{_FILE}"),
    "qags-cnn": _Known(f"{_COLLECTION}/QAGS_CNN/{_FILE}"),
    "qags-xsum": _Known(f"{_COLLECTION}/QAGS_XSUM/{_FILE}"),
    "simplicity-da": _Known("simplicity_da/simplicity_DA.csv", _load_simplicity),
    "rucola": _Known("rucola/data/out_of_domain_dev.csv", _load_rucola, "ru"),
    OWN: _Known(_FILE, language=None),
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
    if name == OWN and data is None:
        raise BadOption(f"The set {name} has no place of its own.", hint="Give --data FILE.")
    path = located(known.place, data)
    if not path.is_file():
        raise BadInput(
            f"The set {name} is not in {str(path)!r}: there is no {known.place}.",
            hint="Give --data the set's own file, or the folder that holds it.",
        )
    items, named_aspects, notes = known.load(path)
    if not any(item.ratings for item in items):
        hint = FORM if name == OWN else f"Is this the set {name}?"
        raise BadInput(f"{str(path)!r} has {counted(len(items), 'text')} and no rating of any.", hint=hint)
    if unknown := [aspect for aspect in aspects if aspect not in named_aspects]:
        raise BadOption(f"The set {name} has no aspect {unknown[0]!r}.", hint=f"It has {', '.join(named_aspects)}.")
    # Only the whole file tells which aspects there are; one that a text alone has may well be a slip of the pen.
    for aspect in named_aspects:
        missing = [f"document {item.document}, system {item.system}" for item in items if aspect not in item.ratings]
        notes += _left_out(f"rating of {aspect}", f"ratings of {aspect}", missing)
    usual = [aspect for aspect in _ASPECTS if aspect in named_aspects]
    chosen = tuple(dict.fromkeys(aspects or [*usual, *named_aspects]))
    label = (path.parent.name if path.name == _FILE else path.stem) if name == OWN else name
    values = {item.ratings[aspect] for item in items for aspect in chosen if aspect in item.ratings}
    return RatedSet(label, chosen, tuple(items), notes, known.language, binary=values == {0.0, 1.0})
