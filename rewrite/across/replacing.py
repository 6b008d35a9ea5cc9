"""Preferred terms (`--replace`): put into sources before anything is drawn, and kept in what is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rerank.analysis import Analyzer
from rewrite.across.parsers import PARSED, parser_of
from rewrite.across.terms import Place, Terms, read_terms
from rewrite.across.writing import Unsafe, Writer, cased, replaced
from rewrite.datasets import csv_rows, placed_lines
from rewrite.errors import BadInput

_HINT = "Write the old term, a tab, and the new one on each line; in a .csv file they are two columns."


@dataclass(frozen=True, slots=True)
class Wording:
    """A text with preferred terms: what was put in the place of what, and which terms stand as they were, and why."""

    text: str
    made: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class Replacements:
    """The preferred terms of a file, in one language.

    `old` and `new` are the terms to replace and those preferred to them. Raises `BadInput` that names the line for one
    that is none, or contradicts another.
    """

    def __init__(self, path: str, language: str) -> None:
        self.pairs = read_replacements(path)
        self.language = language
        self._old, self._new = Terms(self.pairs, language), Terms(self.pairs.values(), language)

    def old_places(self, text: str, kept: Terms | None = None) -> list[Place]:
        """Where terms to replace stand, but for those that are part of a preferred term or one that is `kept`."""
        preferred = [*self._new.places(text), *(kept.places(text) if kept else ())]
        return [
            place
            for place in self._old.places(text)
            if not any(p.start <= place.start and place.stop <= p.stop for p in preferred)
        ]

    def fault(self, source: str, text: str) -> str:
        """The term of the old ones that `text` has more often than `source`, in words; empty where it is none."""
        before, after = (Counter(place.term for place in self.old_places(t)) for t in (source, text))
        back = next(iter(after - before), "")
        return f"says {back!r} instead of {self.pairs[back]!r}" if back else ""


def read_replacements(path: str) -> dict[str, str]:
    """Old terms with the new ones. Raises `BadInput`; see `Replacements`."""
    pairs: dict[str, str] = {}
    places: dict[str, str] = {}
    for place, fields in _rows(Path(path)):
        if len(fields) != 2 or not all(fields):
            raise BadInput(f"{place}: {' | '.join(fields)!r} is no pair of terms.", hint=_HINT)
        old, new = fields
        if pairs.get(old, new) != new:
            raise BadInput(f"{place}: {old!r} is replaced otherwise in {places[old]}.", hint="Keep one of them.")
        pairs[old], places[old] = new, place
    for old, new in pairs.items():
        if new in pairs and new != old:
            raise BadInput(
                f"{places[new]}: {new!r} is to be replaced, and preferred in {places[old]}.", hint="Keep one of them."
            )
    return pairs


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    if path.suffix.lower() == ".csv":
        for number, row in csv_rows(path):
            if (number, row) != (1, ["from", "to"]):
                yield f"{path}, line {number}", row
        return
    for place, line in placed_lines(path):
        if line.strip() and not line.startswith("#"):
            yield place, [field.strip() for field in line.split("\t")]


@lru_cache(maxsize=8)
def replacements(path: str, language: str) -> Replacements:
    """Those of a file, read once."""
    return Replacements(path, language)


@lru_cache(maxsize=8)
def kept_terms(
    glossaries: tuple[str, ...], preferred: str | None, language: str, words: tuple[str, ...] = ()
) -> Terms | None:
    """What is kept in some form: the terms of glossaries, those preferred to others, and `words` beside them."""
    terms = [*words, *(term for path in glossaries for term in read_terms(path))]
    terms += replacements(preferred, language).pairs.values() if preferred is not None else ()
    return Terms(terms, language) if terms else None


def reworded(
    texts: Sequence[tuple[str, str]],
    chosen: Replacements,
    analyzer_in: Callable[[str], Analyzer],
    kept: Terms | None = None,
) -> list[Wording]:
    """Texts, each given with the one that follows it, with preferred terms but in terms that are `kept`."""
    places = [chosen.old_places(text, kept) for text, _ in texts]
    writer = _writer(chosen.language, analyzer_in) if any(places) else None
    return [
        _reworded(text, following, chosen, kept, writer) if found else Wording(text)
        for (text, following), found in zip(texts, places, strict=True)
    ]


def _writer(language: str, analyzer_in: Callable[[str], Analyzer]) -> tuple[Writer, Analyzer] | None:
    if language not in PARSED:
        return None
    parser = parser_of(language, analyzer_in(language))
    if language == "ru":
        from rewrite.across.russian_terms import RussianWriter

        return RussianWriter(parser), parser
    from rewrite.across.english_terms import EnglishWriter

    return EnglishWriter(), parser


def _reworded(
    text: str, following: str, chosen: Replacements, kept: Terms | None, writer: tuple[Writer, Analyzer] | None
) -> Wording:
    analysis = writer[1].analyze_one(text, ("morph", "syntax", "entities")) if writer else None
    changes: dict[tuple[int, int], str] = {}
    made: list[str] = []
    left: list[str] = []
    again = False
    for place in chosen.old_places(text, kept):
        new, old = chosen.pairs[place.term], text[place.start : place.stop]
        try:
            if writer is None or analysis is None:
                asked = [(place.start, place.stop, cased(new, old, place.term, starts=not place.start))]
            else:
                asked = writer[0].changes(analysis, place, new, following)
        except Unsafe as why:
            left.append(f"{old}: {why}")
            continue
        if any(_clash(start, stop, change, changes) for start, stop, change in asked):
            again = True
            continue
        changes.update({(start, stop): change for start, stop, change in asked})
        made.append(f"{old} → {changes[place.start, place.stop]}")
    text = replaced(text, ((start, stop, change) for (start, stop), change in changes.items()))
    if again:
        # A word agrees with one term and is another: it has its turn when the first has been replaced.
        rest = _reworded(text, following, chosen, kept, writer)
        return Wording(rest.text, (*made, *rest.made), rest.left)
    return Wording(text, tuple(made), tuple(left))


def _clash(start: int, stop: int, change: str, changes: dict[tuple[int, int], str]) -> bool:
    """Whether a change and one made before are of the same characters, and not the same change."""
    return any(start < b and a < stop and ((a, b), made) != ((start, stop), change) for (a, b), made in changes.items())
