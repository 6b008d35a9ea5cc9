"""Readers of rated texts: summaries in JSON, simplifications and sentences in CSV.

Newsroom, QAGS, SummEval and REALSumm are in one form in the collection that BARTScore (Yuan et al., 2021) is measured
on: documents by name, each with `src`, `ref_summ` (or several `ref_summs`), and `sys_summs`: by the system's name a
text under `sys_summ` and numbers by aspect under `scores`.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from rerank.plural import counted
from rewrite.datasets import csv_number, csv_records, read_text
from rewrite.errors import BadInput
from rewrite.judging.types import Row
from rewrite.judging.words import is_blank

__all__ = [
    "FORM",
    "LARGEST",
    "Loaded",
    "Rated",
    "first_few",
    "load_rucola",
    "load_simplicity",
    "load_summaries",
]

FORM = 'Expected {"NAME": {"src": "…", "ref_summ": "…", "sys_summs": {"SYSTEM": {"sys_summ": "…", "scores": {…}}}}}.'
"""What a file of ratings looks like, for whoever gave another one."""
_REFERENCES = ("ref_summ", "ref_summs")
_COPIES = ("reference that is the source itself", "references that are the source itself")

LARGEST = 1e100
"""Scores and ratings that are larger, or less than its negative, are refused: their squares are no numbers."""


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


class Loaded(NamedTuple):
    """What a file holds: rated texts, notes on what was left out, and the aspects that it names, rated or not."""

    items: list[Rated]
    notes: list[str]
    aspects: tuple[str, ...]


_Kind = tuple[str, str]
"""What one thing that is left out is called, and what several are."""

_FEW = 3
_LONGEST = 40


class _LeftOut:
    """Counts by kind, with the names of the first places of each."""

    def __init__(self) -> None:
        self._counts: Counter[_Kind] = Counter()
        # A dict, since of one document several things may be left out.
        self._places: defaultdict[_Kind, dict[str, None]] = defaultdict(dict)

    def add(self, what: _Kind, document: str, system: str | None = None, *, count: int = 1) -> None:
        """`count` more of `what`, in a document or in what a system made of it; none is no word."""
        if count:
            self._counts[what] += count
            if len(self._places[what]) <= _FEW:
                place = f"document {_short(document)}"
                self._places[what][place if system is None else f"{place}, system {_short(system)}"] = None

    def notes(self) -> list[str]:
        """A line for each kind, in the order in which they were met: how much of it, and at most three places."""
        return [
            f"left out: {counted(count, *what)} ({first_few(self._places[what])})"
            for what, count in self._counts.items()
        ]


def first_few(names: Iterable[str], *, between: str = "; ") -> str:
    """At most three of `names`, and whether there are more."""
    found: Sequence[str] = list(islice(names, _FEW + 1))
    return between.join([*found[:_FEW], *("…" for _ in found[_FEW:])])


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def load_summaries(path: str | Path) -> Loaded:
    """The rated summaries of a file, and notes on what was left out.

    Left out are documents without a source, summaries without text, ratings that are null, not finite or not there
    though other texts have them, and references that are empty or the source itself (QAGS has no others). `BadInput`
    names the file with the document and the system that is wrong; so it does for a name that is there twice.
    """
    path = Path(path)
    left_out = _LeftOut()
    # A dict for the order of the file; nobody may have rated anything in an aspect.
    aspects: dict[str, None] = {}
    items = [item for place, name, one in _documents(path) for item in _summaries(place, name, one, left_out, aspects)]
    # Only the whole file tells which aspects there are; one that a text alone has may well be a slip of the pen.
    for item in items:
        for aspect in aspects:
            kind = f"rating of {aspect}", f"ratings of {aspect}"
            left_out.add(kind, item.document, item.system, count=aspect not in item.ratings)
    return Loaded(items, left_out.notes(), tuple(aspects))


class _Named(dict[str, Any]):
    """A JSON object that knows which names it has `twice`: of two values `json` drops the first without a word."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = Counter(name for name, _ in pairs) if len(self) < len(pairs) else {}
        self.twice = [name for name, count in names.items() if count > 1]


def _object(given: object, what: str, place: str, wrong: str = "") -> dict[str, Any]:
    """`given` as a JSON object that has each name, of a `what`, once; `BadInput` where it is `wrong`, or has not."""
    if not isinstance(given, dict):
        raise BadInput(f"{place}: {wrong or f'{str(given)[:60]!r} is no object.'}", hint=FORM)
    if isinstance(given, _Named) and given.twice:
        raise BadInput(
            f"{place}: the {what} {given.twice[0][:60]!r} is there more than once.",
            hint="Give each a name of its own, or take all but one out.",
        )
    return given


def _documents(path: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Where each document stands, its name and the document."""
    try:
        found = json.loads(read_text(path), object_pairs_hook=_Named)
    except json.JSONDecodeError as error:
        place = f"{path}, line {error.lineno}, column {error.colno}"
        raise BadInput(f"{place}: not JSON: {error.msg}.", hint=FORM) from None
    except RecursionError:
        raise BadInput(f"{path}: lists within lists without end.", hint=FORM) from None
    if isinstance(found, list):
        found = {str(number): one for number, one in enumerate(found, 1)}
    found = _object(found, "document", str(path), "neither an object nor a list of documents.")
    for name, document in found.items():
        place = f"{path}, document {name!r}"
        yield place, name, _object(document, "key", place)


def _summaries(
    place: str, name: str, document: dict[str, Any], left_out: _LeftOut, aspects: dict[str, None]
) -> Iterator[Rated]:
    source = _text(document, "src", place)
    if not source:
        left_out.add(("document without a source", "documents without a source"), name)
        return
    references = _references(document, source, place, name, left_out)
    systems = _object(document.get("sys_summs"), "system", place, "no summaries under 'sys_summs'.")
    if not any(isinstance(one, dict) and not is_blank(str(one.get("sys_summ") or "")) for one in systems.values()):
        left_out.add(("document without any summary", "documents without any summary"), name)
    for system, summary in systems.items():
        where = f"{place}, system {system!r}"
        text = _text(_object(summary, "key", where), "sys_summ", where)
        ratings = _ratings(summary, where)
        aspects |= dict.fromkeys(ratings)
        if text:
            known = {aspect: rating for aspect, rating in ratings.items() if rating is not None}
            yield Rated(name, system, Row(source, text, references), known)
        else:
            left_out.add(("summary without text", "summaries without text"), name, system)


def _text(found: dict[str, Any], key: str, place: str) -> str:
    text = found.get(key)
    if not isinstance(text, str):
        raise BadInput(f"{place}: no text under {key!r}.", hint=FORM)
    return "" if is_blank(text) else text.strip()


def _references(document: dict[str, Any], source: str, place: str, name: str, left_out: _LeftOut) -> tuple[str, ...]:
    texts: list[str] = []
    for key in _REFERENCES:
        given = document.get(key) or []
        given = [given] if isinstance(given, str) else given
        if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
            raise BadInput(f"{place}: no text, or list of texts, under {key!r}.", hint=FORM)
        texts += ["" if is_blank(text) else text.strip() for text in given]
    left_out.add(_COPIES, name, count=texts.count(source))
    left_out.add(("reference without text", "references without text"), name, count=texts.count(""))
    return tuple(dict.fromkeys(text for text in texts if text and text != source))


def _ratings(summary: dict[str, Any], place: str) -> dict[str, float | None]:
    """By aspect, `None` for what is null or not finite."""
    scores = _object(summary.get("scores"), "aspect", place, "no ratings under 'scores'.")
    ratings: dict[str, float | None] = {}
    for aspect, rating in scores.items():
        if rating is not None and (isinstance(rating, bool) or not isinstance(rating, (int, float))):
            raise BadInput(f"{place}: the rating {aspect!r} is {str(rating)[:40]!r}, which is no number.", hint=FORM)
        if rating is not None and LARGEST < abs(rating) < math.inf:
            raise BadInput(f"{place}: the rating {aspect!r} is {str(rating)[:40]}, which is too large.")
        ratings[aspect] = float(rating) if rating is not None and math.isfinite(rating) else None
    return ratings


_SIMPLICITY = ("fluency", "meaning", "simplicity")


def load_simplicity(path: str | Path) -> Loaded:
    """English simplifications rated by Alva-Manchego et al. (2021) from 0 to 100.

    CSV with `sent_id`, `sys_name`, `orig_sent`, `simp_sent`, `fluency`, `meaning`, `simplicity`. An empty rating or
    simplification is left out. `BadInput` names file and line.
    """
    path = Path(path)
    items: dict[tuple[str, str], Rated] = {}
    left_out = _LeftOut()
    columns = ("sent_id", "sys_name", "orig_sent", "simp_sent", *_SIMPLICITY)
    for line, (document, system, source, text, *numbers) in csv_records(path, columns):
        if not document or not system or not source:
            raise BadInput(f"{path}, line {line}: no sent_id, sys_name or orig_sent.")
        if (document, system) in items:
            raise BadInput(f"{path}, line {line}: {system!r} has sentence {document!r} a second time.")
        given = {aspect: number for aspect, number in zip(_SIMPLICITY, numbers, strict=True) if number}
        for aspect in _SIMPLICITY:
            left_out.add((f"rating of {aspect}", f"ratings of {aspect}"), document, system, count=aspect not in given)
        ratings = {aspect: csv_number(number, path, line) for aspect, number in given.items()}
        if text:
            items[document, system] = Rated(document, system, Row(source, text), ratings)
        else:
            left_out.add(("simplification without text", "simplifications without text"), document, system)
    return Loaded(list(items.values()), left_out.notes(), _SIMPLICITY)


def load_rucola(path: str | Path) -> Loaded:
    """Sentences of RuCoLA (Mikhailov et al., 2022), each its own source: `acceptable` is 1 or 0. No notes.

    CSV with `id`, `sentence`, `acceptable`. `BadInput` names file and line.
    """
    path = Path(path)
    items: dict[str, Rated] = {}
    for line, (name, sentence, label) in csv_records(path, ("id", "sentence", "acceptable")):
        if label not in ("0", "1"):
            raise BadInput(f"{path}, line {line}: acceptable is {label[:40]!r}.", hint="It should be 0 or 1.")
        if not sentence or name in items:
            raise BadInput(f"{path}, line {line}: no sentence, or the id {name!r} a second time.")
        items[name] = Rated(name, "", Row(sentence, sentence), {"acceptable": float(label)})
    return Loaded(list(items.values()), [], ("acceptable",))
