"""Segments as stretches of a source text: each character knows what stands for it there, so that all else stays.

What is written is read again. A segment that would not come back with the words and marks that it was given, or that
would make something else of the document, keeps its source.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import ClassVar

from rewrite.documents.marks import moved
from rewrite.documents.segments import Change, Mark, Segment, changed
from rewrite.errors import BadInput

Stretch = tuple[int, int]
Pair = tuple[str, str]
_BOM = "\ufeff"


@dataclass(frozen=True)
class Passage:
    """A segment, and where it stands in the source.

    `spans` has for each character of its text what stands for it, `edges` for each mark what stands at its beginning
    and at its end; those of a fixed mark, which is copied as a whole, are empty. Together they are all from `start` to
    `stop`. `shape` is what the markup on it is, without where.
    """

    segment: Segment
    start: int
    stop: int
    spans: Sequence[Stretch]
    edges: Sequence[tuple[Stretch, Stretch]] = ()
    shape: str = ""


@dataclass
class Atom:
    """What stands in a file for the `character` at `place` of a text, or, where that is empty, at an edge of a mark.

    `origin` is the place in the segment of a character that is not changed, else -1.
    """

    place: int
    source: str
    character: str = ""
    origin: int = -1


class SourceDocument(ABC):
    """A document that is written by changing its own source.

    After `written` or `pairs`, `refused` has the numbers of the segments that were to be changed and stand as they
    were, since they would have been read as something else.
    """

    format: ClassVar[str]
    refused: Sequence[int] = ()

    def __init__(self, text: str) -> None:
        self.source = text
        self.passages, self._structure = self._read()
        self.segments: Sequence[Segment] = [passage.segment for passage in self.passages]

    @abstractmethod
    def _read(self) -> tuple[Sequence[Passage], str]:
        """The passages of the source, and a hash of everything but their words."""

    def _escaped(self, text: str, place: int) -> str:
        """What stands for a new character in the source."""
        return text[place]

    def _laid(self, passage: Passage, atoms: list[Atom]) -> None:
        """Mend what stands for spaces and for the beginnings of lines, in place."""
        del passage, atoms

    def structure(self) -> str:
        return self._structure

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        return "".join(new for _, new in self.pairs(changes)).encode()

    def pairs(self, changes: Sequence[Sequence[Change]]) -> list[Pair]:
        """The source in pieces, each with what is written in its place."""
        kept = dict(enumerate(changes))
        wanted = {i for i, own in kept.items() if own}
        for i in wanted:
            if moved(self.segments[i], kept[i]) is None:
                kept[i] = ()
        while True:
            pairs = list(self._pairs([kept[i] for i in range(len(changes))]))
            failing = self._failing(kept, "".join(new for _, new in pairs))
            if not failing:
                self.refused = sorted(i for i in wanted if not kept[i])
                return pairs
            kept.update(dict.fromkeys(failing, ()))

    def _failing(self, changes: dict[int, Sequence[Change]], text: str) -> set[int]:
        """Which of the changed segments to leave as they were, so that `text` is read as what it should be."""
        altered = {i for i, own in changes.items() if own}
        if not altered:
            return set()
        other = type(self)(text)
        expected = [self._expected(i, changes[i]) for i in range(len(self.passages))]
        there = [_seen(passage.segment.text, passage.segment.marks, passage.shape) for passage in other.passages]
        blocks = SequenceMatcher(None, expected, there, autojunk=False).get_matching_blocks()
        lost = set(range(len(expected))).difference(*(range(block.a, block.a + block.size) for block in blocks))
        if lost or len(there) != len(expected):
            first = min(lost, default=len(expected))
            return altered & lost or {max((i for i in altered if i <= first), default=min(altered))}
        return altered if other.structure() != self.structure() else set()

    def _expected(self, i: int, changes: Sequence[Change]) -> Hashable:
        segment = self.segments[i]
        marks = (moved(segment, changes) or ()) if changes else segment.marks
        return _seen(changed(segment, changes)[0], marks, self.passages[i].shape)

    def _pairs(self, changes: Sequence[Sequence[Change]]) -> Iterator[Pair]:
        place = 0
        for passage, own in zip(self.passages, changes, strict=True):
            yield (self.source[place : passage.start],) * 2
            yield from self._rewritten(passage, own) if own else [(self.source[passage.start : passage.stop],) * 2]
            place = passage.stop
        yield (self.source[place:],) * 2

    def _rewritten(self, passage: Passage, changes: Sequence[Change]) -> Iterator[Pair]:
        """The passage in pieces: where it is changed, and between."""
        old_places, new_places = _regions(changes)
        old = _cut(self._atoms(passage, ()), old_places)
        atoms = self._atoms(passage, changes)
        self._laid(passage, atoms)
        new = _cut(atoms, new_places)
        if any(len(a) != len(b) for a, b in zip(old[::2], new[::2], strict=True)):
            yield "".join(map(_joined, old)), _joined(atoms)
            return
        for i, (before, after) in enumerate(zip(old, new, strict=True)):
            if i % 2:
                yield from _without_edges(before, after)
            else:
                yield from ((a.source, b.source) for a, b in zip(before, after, strict=True))

    def _atoms(self, passage: Passage, changes: Sequence[Change]) -> list[Atom]:
        segment = passage.segment
        text, origins = changed(segment, changes)
        marks = (moved(segment, changes) if changes else segment.marks) or ()
        is_new = [False] * len(text)
        for start, stop in _regions(changes)[1]:
            is_new[start:stop] = [True] * (stop - start)
        fixed: dict[int, tuple[int, str]] = {}
        signs: list[tuple[int, int, str]] = []
        for before, after, edges in zip(segment.marks, marks, passage.edges, strict=True):
            if before.fixed:
                whole = self.source[passage.spans[before.start][0] : passage.spans[before.stop - 1][1]]
                fixed[after.start] = after.stop, whole
            for at, (start, stop) in zip((after.start, after.stop), edges, strict=True):
                if start < stop:
                    signs.append((at, start, self.source[start:stop]))
        signs.sort(reverse=True)
        atoms: list[Atom] = []
        end = 0
        for i in range(len(text) + 1):
            while signs and signs[-1][0] == i:
                atoms.append(Atom(i, signs.pop()[2]))
            if i == len(text) or i < end:
                continue
            if i in fixed:
                end, whole = fixed[i]
                atoms.append(Atom(i, whole, text[i], origins[i]))
            elif is_new[i]:
                atoms.append(Atom(i, self._escaped(text, i), text[i]))
            else:
                atoms.append(Atom(i, self.source[slice(*passage.spans[origins[i]])], text[i], origins[i]))
        return atoms


def decoded(data: str | bytes) -> str:
    """A text as it is, bytes as UTF-8."""
    if isinstance(data, str):
        return data
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadInput(
            f"Byte {error.start + 1}: 0x{data[error.start]:02x} is not valid UTF-8.",
            hint="Convert the text first, for instance with: iconv -f cp1251 -t utf-8",
        ) from None


def body_start(text: str) -> int:
    """Where a text begins, behind the mark of its byte order."""
    return len(_BOM) if text.startswith(_BOM) else 0


def lines_of(text: str, start: int = 0) -> list[Stretch]:
    """Where each line begins, and where it ends without its break: LF, CR LF, or CR."""
    lines: list[Stretch] = []
    while True:
        breaks = [at for at in (text.find("\n", start), text.find("\r", start)) if at >= 0]
        if not breaks:
            return [*lines, (start, len(text))]
        at = min(breaks)
        lines.append((start, at))
        start = at + (2 if text.startswith("\r\n", at) else 1)


def _seen(text: str, marks: Sequence[Mark], shape: str) -> Hashable:
    return text, tuple(sorted((mark.start, mark.stop, mark.fixed) for mark in marks)), shape


def _regions(changes: Sequence[Change]) -> tuple[list[Stretch], list[Stretch]]:
    """Where the changes are in the old text and in the new, those that touch as one."""
    old: list[Stretch] = []
    new: list[Stretch] = []
    shifts = accumulate((len(c.text) - (c.stop - c.start) for c in changes), initial=0)
    for change, shift in zip(changes, shifts, strict=False):
        start, stop = change.start + shift, change.start + shift + len(change.text)
        if old and change.start <= old[-1][1]:
            old[-1], new[-1] = (old[-1][0], change.stop), (new[-1][0], stop)
        else:
            old.append((change.start, change.stop))
            new.append((start, stop))
    return old, new


def _cut(atoms: Sequence[Atom], regions: Sequence[Stretch]) -> list[list[Atom]]:
    """What stands before the first region, in it, behind it, in the second …; signs at its ends are in a region."""
    parts: list[list[Atom]] = [[] for _ in range(2 * len(regions) + 1)]
    k = 0
    for atom in atoms:
        while k < len(regions) and atom.place + bool(atom.character) > regions[k][1]:
            k += 1
        parts[2 * k + (k < len(regions) and atom.place >= regions[k][0])].append(atom)
    return parts


def _without_edges(before: list[Atom], after: list[Atom]) -> Iterator[Pair]:
    """What is changed, and the signs of markup around it that are not."""

    def same(a: Atom, b: Atom) -> bool:
        return a.source == b.source and not a.character and not b.character

    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if not same(before[i], after[i])), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if not same(before[-1 - i], after[-1 - i])), rest)
    yield (_joined(before[:head]),) * 2
    yield _joined(before[head : len(before) - tail]), _joined(after[head : len(after) - tail])
    yield (_joined(before[len(before) - tail :]),) * 2


def _joined(atoms: Sequence[Atom]) -> str:
    return "".join(atom.source for atom in atoms)
