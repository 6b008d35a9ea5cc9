"""Reader of rated summaries in the JSON of the collection that BARTScore (Yuan et al., 2021) is measured on.

Newsroom, QAGS, SummEval and REALSumm are there in one form: documents by name, each with `src`, `ref_summ` (or several
`ref_summs`), and `sys_summs`: by the system's name a text under `sys_summ` and numbers by aspect under `scores`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rewrite.datasets import read_text
from rewrite.errors import BadInput
from rewrite.evaluate.meta.data import LARGEST, Loaded, Rated
from rewrite.evaluate.meta.left_out import LeftOut
from rewrite.judging.types import Row
from rewrite.judging.words import is_blank

__all__ = ["FORM", "load_summaries"]

FORM = 'Expected {"NAME": {"src": "…", "ref_summ": "…", "sys_summs": {"SYSTEM": {"sys_summ": "…", "scores": {…}}}}}.'
"""What a file of ratings looks like, for whoever gave another one."""
_REFERENCES = ("ref_summ", "ref_summs")
_COPIES = ("reference that is the source itself", "references that are the source itself")


def load_summaries(path: str | Path) -> Loaded:
    """The rated summaries of a file, and notes on what was left out.

    Left out are documents without a source, summaries without text, ratings that are null, not finite or not there
    though other texts have them, and references that are empty or the source itself (QAGS has no others). `BadInput`
    names the file with the document and the system that is wrong; so it does for a name that is there twice.
    """
    path = Path(path)
    left_out = LeftOut()
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


def _check_once(found: dict[str, Any], what: str, place: str) -> None:
    if isinstance(found, _Named) and found.twice:
        raise BadInput(
            f"{place}: the {what} {found.twice[0][:60]!r} is there more than once.",
            hint="Give each a name of its own, or take all but one out.",
        )


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
    if not isinstance(found, dict):
        raise BadInput(f"{path}: neither an object nor a list of documents.", hint=FORM)
    _check_once(found, "document", str(path))
    for name, document in found.items():
        place = f"{path}, document {name!r}"
        if not isinstance(document, dict):
            raise BadInput(f"{place}: {str(document)[:60]!r} is no object.", hint=FORM)
        _check_once(document, "key", place)
        yield place, name, document


def _summaries(
    place: str, name: str, document: dict[str, Any], left_out: LeftOut, aspects: dict[str, None]
) -> Iterator[Rated]:
    source = _text(document, "src", place)
    if not source:
        left_out.add(("document without a source", "documents without a source"), name)
        return
    references = _references(document, source, place, name, left_out)
    systems = document.get("sys_summs")
    if not isinstance(systems, dict):
        raise BadInput(f"{place}: no summaries under 'sys_summs'.", hint=FORM)
    _check_once(systems, "system", place)
    if not any(isinstance(one, dict) and not is_blank(str(one.get("sys_summ") or "")) for one in systems.values()):
        left_out.add(("document without any summary", "documents without any summary"), name)
    for system, summary in systems.items():
        where = f"{place}, system {system!r}"
        if not isinstance(summary, dict):
            raise BadInput(f"{where}: {str(summary)[:60]!r} is no object.", hint=FORM)
        _check_once(summary, "key", where)
        text = _text(summary, "sys_summ", where)
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


def _references(document: dict[str, Any], source: str, place: str, name: str, left_out: LeftOut) -> tuple[str, ...]:
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
    scores = summary.get("scores")
    if not isinstance(scores, dict):
        raise BadInput(f"{place}: no ratings under 'scores'.", hint=FORM)
    _check_once(scores, "aspect", place)
    ratings: dict[str, float | None] = {}
    for aspect, rating in scores.items():
        if rating is not None and (isinstance(rating, bool) or not isinstance(rating, (int, float))):
            raise BadInput(f"{place}: the rating {aspect!r} is {str(rating)[:40]!r}, which is no number.", hint=FORM)
        if rating is not None and LARGEST < abs(rating) < math.inf:
            raise BadInput(f"{place}: the rating {aspect!r} is {str(rating)[:40]}, which is too large.")
        ratings[aspect] = float(rating) if rating is not None and math.isfinite(rating) else None
    return ratings
