"""Sets of rated texts: what they are, and the sets by name from files that people have.

Newsroom, QAGS, SummEval and REALSumm are in one form in the collection that BARTScore (Yuan et al., 2021) is measured
on (`FORM`); simplifications and sentences are CSV.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from rerank.errors import counted
from rewrite.datasets import csv_number, csv_records, read_text
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate.sets import located
from rewrite.judging.types import Row
from rewrite.judging.words import is_blank

__all__ = ["FORM", "LARGEST", "SETS", "Rated", "RatedSet", "load_rated"]

FORM = 'Expected {"NAME": {"src": "…", "ref_summ": "…", "sys_summs": {"SYSTEM": {"sys_summ": "…", "scores": {…}}}}}.'
"""What a file of ratings looks like, for whoever gave another one."""

LARGEST = 1e100
"""Scores and ratings that are larger, or less than its negative, are refused: their squares are no numbers."""

_COLLECTION = "metaeval_newsroom_qags"
_FILE = "data.json"
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
    """What a file holds: rated texts, what was left out and how often, the aspects that it names, rated or not."""

    items: list[Rated]
    left_out: Counter[tuple[str, str]]
    aspects: tuple[str, ...]


def _shown(text: object) -> object:
    """A text without spaces around it, empty where nothing of it is seen."""
    return text if not isinstance(text, str) else "" if is_blank(text) else text.strip()


def _finite(rating: object) -> object:
    return None if isinstance(rating, float) and not math.isfinite(rating) else rating


_Text = Annotated[str, BeforeValidator(_shown)]
_Texts = Annotated[list[_Text], BeforeValidator(lambda given: [given] if isinstance(given, str) else given or [])]
_Rating = Annotated[Annotated[float, Field(ge=-LARGEST, le=LARGEST, strict=True)] | None, BeforeValidator(_finite)]


class _Summary(BaseModel):
    sys_summ: _Text
    scores: dict[str, _Rating]


class _Document(BaseModel):
    src: _Text
    ref_summ: _Texts = []
    ref_summs: _Texts = []
    sys_summs: dict[str, _Summary]


_DOCUMENTS = TypeAdapter(dict[str, _Document])


def _load_summaries(path: Path) -> _Loaded:
    """The rated summaries of a file in the form `FORM`, or of a list of such documents, and what was left out.

    Left out are documents without a source, summaries without text, ratings that are null, not finite or not there
    though other texts have them, and references that are empty or the source itself (QAGS has no others). `BadInput`
    names the file with the place that is wrong.
    """
    left_out: Counter[tuple[str, str]] = Counter()
    # A dict for the order of the file; nobody may have rated anything in an aspect.
    aspects: dict[str, None] = {}
    items = []
    for name, document in _documents(path).items():
        if not document.src:
            left_out["document without a source", "documents without a source"] += 1
            continue
        references = _references(document, left_out)
        if not any(summary.sys_summ for summary in document.sys_summs.values()):
            left_out["document without any summary", "documents without any summary"] += 1
        for system, summary in document.sys_summs.items():
            aspects |= dict.fromkeys(summary.scores)
            if summary.sys_summ:
                known = {aspect: rating for aspect, rating in summary.scores.items() if rating is not None}
                items.append(Rated(name, system, Row(document.src, summary.sys_summ, references), known))
            else:
                left_out["summary without text", "summaries without text"] += 1
    # Only the whole file tells which aspects there are; one that a text alone has may well be a slip of the pen.
    for aspect in aspects:
        left_out[_rating_of(aspect)] += sum(aspect not in item.ratings for item in items)
    return _Loaded(items, left_out, tuple(aspects))


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; `ValueError` for a name that is there twice: `json` drops the first of two without a word."""
    counts = Counter(name for name, _ in pairs)
    if len(counts) < len(pairs):
        raise ValueError(f"the name {counts.most_common(1)[0][0][:60]!r} is there more than once in one object")
    return dict(pairs)


def _documents(path: Path) -> dict[str, _Document]:
    try:
        given = json.loads(read_text(path), object_pairs_hook=_each_once)
    except json.JSONDecodeError as error:
        place = f"{path}, line {error.lineno}, column {error.colno}"
        raise BadInput(f"{place}: not JSON: {error.msg}.", hint=FORM) from None
    except ValueError as error:
        raise BadInput(f"{path}: {error}.", hint="Give each a name of its own, or take all but one out.") from None
    except RecursionError:
        raise BadInput(f"{path}: lists within lists without end.", hint=FORM) from None
    if isinstance(given, list):
        given = {str(number): document for number, document in enumerate(given, 1)}
    try:
        return _DOCUMENTS.validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ", ".join([str(path), ".".join(map(str, first["loc"]))][: 1 + bool(first["loc"])])
        raise BadInput(f"{place}: {first['msg']}, not {str(first['input'])[:40]!r}.", hint=FORM) from None


def _references(document: _Document, left_out: Counter[tuple[str, str]]) -> tuple[str, ...]:
    texts = [*document.ref_summ, *document.ref_summs]
    copies = "reference that is the source itself", "references that are the source itself"
    left_out[copies] += texts.count(document.src)
    left_out["reference without text", "references without text"] += texts.count("")
    return tuple(dict.fromkeys(text for text in texts if text and text != document.src))


def _rating_of(aspect: str) -> tuple[str, str]:
    return f"rating of {aspect}", f"ratings of {aspect}"


def _load_simplicity(path: Path) -> _Loaded:
    """English simplifications rated by Alva-Manchego et al. (2021) from 0 to 100.

    CSV with `sent_id`, `sys_name`, `orig_sent`, `simp_sent`, `fluency`, `meaning`, `simplicity`. An empty rating or
    simplification is left out. `BadInput` names file and line.
    """
    items: dict[tuple[str, str], Rated] = {}
    left_out: Counter[tuple[str, str]] = Counter()
    columns = ("sent_id", "sys_name", "orig_sent", "simp_sent", *_SIMPLICITY)
    for line, (document, system, source, text, *numbers) in csv_records(path, columns):
        if not document or not system or not source:
            raise BadInput(f"{path}, line {line}: no sent_id, sys_name or orig_sent.")
        if (document, system) in items:
            raise BadInput(f"{path}, line {line}: {system!r} has sentence {document!r} a second time.")
        if not text:
            left_out["simplification without text", "simplifications without text"] += 1
            continue
        given = {aspect: number for aspect, number in zip(_SIMPLICITY, numbers, strict=True) if number}
        left_out.update(_rating_of(aspect) for aspect in _SIMPLICITY if aspect not in given)
        ratings = {aspect: csv_number(number, path, line) for aspect, number in given.items()}
        items[document, system] = Rated(document, system, Row(source, text), ratings)
    return _Loaded(list(items.values()), left_out, _SIMPLICITY)


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
    return _Loaded(list(items.values()), Counter(), ("acceptable",))


class _Known(NamedTuple):
    """A set whose file lies at `place` in a data folder; with `own` any file of the user's, in no data folder."""

    place: str = _FILE
    load: Callable[[Path], _Loaded] = _load_summaries
    language: str | None = "en"
    binary: bool = False
    own: bool = False


SETS: dict[str, _Known] = {
    "newsroom": _Known(f"{_COLLECTION}/Newsroom/{_FILE}"),
    "qags-cnn": _Known(f"{_COLLECTION}/QAGS_CNN/{_FILE}"),
    "qags-xsum": _Known(f"{_COLLECTION}/QAGS_XSUM/{_FILE}"),
    "simplicity-da": _Known("simplicity_da/simplicity_DA.csv", _load_simplicity),
    "rucola": _Known("rucola/data/out_of_domain_dev.csv", _load_rucola, language="ru", binary=True),
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
    path = located(known.place, data)
    if not path.is_file():
        raise BadInput(
            f"The set {name} is not in {str(path)!r}: there is no {known.place}.",
            hint="Give --data the set's own file, or the folder that holds it.",
        )
    items, left_out, found = known.load(path)
    notes = tuple(f"left out: {counted(count, *kind)}" for kind, count in left_out.items() if count)
    hint = FORM if known.own else f"Is this the set {name}?"
    if not items:
        why = f" ({'; '.join(notes)})" if notes else ""
        raise BadInput(f"{str(path)!r} holds no rated text{why}.", hint=hint)
    if unknown := [aspect for aspect in aspects if aspect not in found]:
        raise BadOption(f"The set {name} has no aspect {unknown[0]!r}.", hint=f"It has {', '.join(found)}.")
    if not any(item.ratings for item in items):
        raise BadInput(f"{str(path)!r} has {counted(len(items), 'text')} and no rating of any.", hint=hint)
    usual = [aspect for aspect in _ASPECTS if aspect in found]
    chosen = tuple(dict.fromkeys(aspects or [*usual, *found]))
    label = (path.parent.name if path.name == _FILE else path.stem) if known.own else name
    values = {item.ratings[aspect] for item in items for aspect in chosen if aspect in item.ratings}
    binary = known.binary or (known.own and values == {0.0, 1.0})
    return RatedSet(label, chosen, tuple(items), notes, known.language, binary)
