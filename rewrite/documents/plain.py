"""Plain text: paragraphs whose lines are wrapped are read as one and wrapped again; all else stays as it stood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar

from rewrite.documents.lines import STAYS_BEHIND, Line, cells, paragraphs, read_lines
from rewrite.documents.passages import Atom, Passage, SourceDocument, Stretch, decoded
from rewrite.documents.segments import Segment
from rewrite.layout import begins_told

if TYPE_CHECKING:
    from rerank.morphology import Morphology

_SPACES = re.compile(r"[ \t]+")
_TORN = re.compile(r"([^\W\d_]+)([-\u2010\u00ad])$")
_DASH = re.compile(r"(?:-{1,3}|[–—])[ \t]+")
_WORD = re.compile(r"[^\W\d_]+")


def read_plain(data: str | bytes) -> Plain:
    """The document of a plain text; bytes are UTF-8."""
    return Plain(decoded(data))


@dataclass(frozen=True)
class _Paragraph(Passage):
    """A passage, how wide its lines are, and what parts them; `columns` are where the first and the others begin."""

    width: int = 0
    columns: Stretch = (0, 0)
    joint: str = ""


class Plain(SourceDocument):
    """Plain text whose paragraphs, items and cells may be rewritten.

    Segments that would come back as something else keep their source; `refused` has their numbers after `written`.
    """

    format: ClassVar[str] = "text"

    def _read(self) -> tuple[Sequence[Passage], str]:
        passages = list(self._passages())
        structure = sha256()
        place = 0
        for passage in passages:
            structure.update(repr(self.source[place : passage.start]).encode())
            place = passage.stop
        structure.update(repr(self.source[place:]).encode())
        return passages, structure.hexdigest()

    def _passages(self) -> Iterator[Passage]:
        for paragraph in map(_with_dash, paragraphs(read_lines(self.source))):
            if len(paragraph) == 1:
                for start, stop in cells(self.source, paragraph[0]):
                    if (passage := self._passage([(start, stop)])) is not None:
                        yield passage
            elif (passage := self._passage([(line.start, line.stop) for line in paragraph])) is not None:
                yield self._with_lines(passage, paragraph)

    def _with_lines(self, passage: Passage, paragraph: Sequence[Line]) -> _Paragraph:
        first, second = paragraph[:2]
        return _Paragraph(
            passage.segment,
            passage.start,
            passage.stop,
            passage.spans,
            width=max(line.width for line in paragraph),
            columns=(first.column, second.column),
            joint=self.source[first.stop : second.start],
        )

    def _passage(self, stretches: Sequence[Stretch]) -> Passage | None:
        text: list[str] = []
        spans: list[Stretch] = []
        for i, (start, stop) in enumerate(stretches):
            if i and not self._join(text, spans, start, self.source[start:stop]):
                return None
            place = start
            while place < stop:
                space = _SPACES.match(self.source, place, stop)
                end = space.end() if space else place + 1
                text.append(" " if space else self.source[place])
                spans.append((place, end))
                place = end
        if not any(map(str.isalpha, text)):
            return None
        return Passage(Segment("".join(text)), spans[0][0], spans[-1][1], spans)

    def _join(self, text: list[str], spans: list[Stretch], start: int, line: str) -> bool:
        """Join what was read with its next line, which begins at `start`; `False` where a torn word is unknown."""
        torn, word = _TORN.search("".join(text[-60:])), _WORD.match(line)
        if torn is None:
            text.append(" ")
            spans.append((spans[-1][1], start))
            return True
        is_whole = torn[2] == "\u00ad" or (word is not None and word[0].islower() and _is_known(torn[1] + word[0]))
        if is_whole:
            text.pop()
            spans.pop()
        elif word is not None and word[0].islower() and not _is_known(f"{torn[1]}-{word[0]}"):
            return False
        spans[-1] = spans[-1][0], start
        return True

    def _laid(self, passage: Passage, atoms: list[Atom]) -> None:
        """Fill the lines from each that is changed until one begins with the word that it began with."""
        if not isinstance(passage, _Paragraph):
            return
        lines = _source_lines(atoms, len(passage.segment.text))
        place, column = 0, passage.columns[0]
        while place < len(atoms):
            stop, is_changed = lines[place]
            if not is_changed:
                place, column = stop, passage.columns[1]
                continue
            place = _filled(atoms, place, column, passage, lines)
            column = passage.columns[1]


def _with_dash(paragraph: list[Line]) -> list[Line]:
    """The dash of speech is no sign of a list where the words of who tells it follow: *— Да, — сказал он.*"""
    first = paragraph[0]
    is_told = _DASH.fullmatch(first.mark) and begins_told(first.mark + " ".join(line.text for line in paragraph))
    return [first.without_mark(), *paragraph[1:]] if is_told else paragraph


def _source_lines(atoms: Sequence[Atom], length: int) -> dict[int, tuple[int, bool]]:
    """Where lines of the source begin: where the next begins, and whether this line may have to be filled anew.

    It may where it is changed, or the first word of the next is, which may then have room in it.
    """
    lines: dict[int, tuple[int, bool]] = {}
    before, start, expected = -1, 0, 0
    is_changed = is_first_changed = is_in_first = False
    for i, atom in enumerate([*atoms, Atom(len(atoms), "", "", length)]):
        is_in_first = (i == start or is_in_first) and atom.character != " "
        if atom.origin != expected:
            is_changed = True
            is_first_changed |= is_in_first or i == start
        expected = atom.origin + 1 if atom.origin >= 0 else -1
        if _is_break(atom) or i == len(atoms):
            lines[start] = min(i + 1, len(atoms)), is_changed
            if is_first_changed and before >= 0:
                lines[before] = start, True
            before, start = start, i + 1
            is_changed = is_first_changed = False
    return lines


def _filled(atoms: list[Atom], place: int, column: int, passage: _Paragraph, lines: dict[int, tuple[int, bool]]) -> int:
    """Fill lines from `place`, where one begins; where the source goes on as it stood, or the end."""
    for i, (start, stop) in enumerate(_words(atoms, place)):
        length = 0
        for atom in atoms[start:stop]:
            if _is_break(atom) or atom.character != " ":
                atom.source = atom.character
            length += len(atom.source)
        if i == 0:
            column += length
            continue
        space = atoms[start - 1]
        if column + 1 + length > passage.width:
            if _is_break(space) and start in lines:
                return start
            space.source = passage.joint
            column = passage.columns[1] + length
        else:
            space.source = " " if _is_break(space) else space.source
            column += len(space.source) + length
    return len(atoms)


def _words(atoms: Sequence[Atom], place: int) -> Iterator[Stretch]:
    """What may not be parted at the end of a line: words, with dashes and numbers behind them."""
    start = place
    for i in range(place, len(atoms) + 1):
        if i < len(atoms) and atoms[i].character != " ":
            continue
        behind = "".join(atom.character for atom in atoms[i + 1 : i + 12]).partition(" ")[0]
        if i == len(atoms) or not STAYS_BEHIND.fullmatch(behind):
            yield start, i
            start = i + 1


def _is_break(atom: Atom) -> bool:
    return atom.character == " " and ("\n" in atom.source or "\r" in atom.source)


def _is_known(word: str) -> bool:
    """Whether it is a word of Russian or English."""
    from rerank.frequency import common_words

    if word.isascii():
        return word.casefold() in common_words("en")
    return _morphology().known(word)


@lru_cache(maxsize=1)
def _morphology() -> Morphology:
    from rerank.morphology import Morphology

    return Morphology()
