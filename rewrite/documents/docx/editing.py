"""Changes to the text of a paragraph, made in its XML: as tracked changes, or as if they had been accepted.

Nothing but text is moved: what stands between words (an image, the edge of a link) parts a change, and what is before
it in the new text is put before it.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from lxml import etree

from rewrite.documents.docx.names import SPACE, kind, made
from rewrite.documents.docx.paragraphs import Group, Item, Line, Paragraph, keeps_space
from rewrite.documents.marks import moved
from rewrite.documents.segments import Change, Segment, changed


@dataclass
class Editor:
    """Who makes tracked changes, and when; `number` is that of the next."""

    author: str
    date: str
    number: int

    def mark(self, like: etree._Element, name: str) -> etree._Element:
        """A new element that says who did it."""
        self.number += 1
        return made(like, name, id=str(self.number - 1), author=self.author, date=self.date)


@dataclass(frozen=True, slots=True)
class _Edge:
    """What parts a change: where it stands in the line, and where in the new text."""

    item: Item
    start: int
    stop: int


def is_possible(line: Line, changes: Sequence[Change]) -> bool:
    """Whether the changes to a line, all together and each alone, lose no mark and leave something of each format."""
    segment = line.segment
    if segment is None or moved(segment, changes) is None:
        return False
    if any(moved(segment, [change]) is None for change in changes):
        return False
    text, origins = changed(segment, changes)
    kept = {line.run_at(origin) for letter, origin in zip(text, origins, strict=True) if not letter.isspace()}
    return line.base is None or line.base in kept or not any(group.run is not None for group in line.groups)


def make(paragraph: Paragraph, number: int, changes: Sequence[Change], editor: Editor | None) -> None:
    """Make `changes` to a line; without an editor as if they had been accepted."""
    for each in (paragraph, *paragraph.twins):
        for change in changes:
            _Edit(each, number, editor).make(change)


def place_before(paragraph: Paragraph, number: int, place: int, node: etree._Element) -> None:
    """Put `node` before the character at `place` of a line."""
    _cut(paragraph, number, place)
    _put_before(paragraph, next(i for i in _line(paragraph, number) if i.text and i.start >= place), [node])


def place_behind(paragraph: Paragraph, number: int, place: int, nodes: Sequence[etree._Element]) -> None:
    """Put `nodes` behind the character that ends at `place` of a line."""
    _cut(paragraph, number, place)
    last = next(item for item in reversed(_line(paragraph, number)) if item.text and item.stop <= place)
    _put_behind(paragraph, last, nodes)


class _Edit:
    def __init__(self, paragraph: Paragraph, number: int, editor: Editor | None) -> None:
        self._paragraph, self._number, self._editor = paragraph, number, editor
        self._line = paragraph.lines[number]

    def make(self, change: Change) -> None:
        """Make the change in parts, between what it may not move."""
        segment = self._line.segment
        assert segment is not None
        edges = self._edges(segment, change)
        place, done, last = change.start, 0, None
        for edge in edges:
            self._replace(place, edge.item.start, change, (done, edge.start), (last, edge.item))
            place, done, last = edge.item.stop, edge.stop, edge.item
        self._replace(place, change.stop, change, (done, len(change.text)), (last, None))

    def _edges(self, segment: Segment, change: Change) -> list[_Edge]:
        marks = moved(segment, [change])
        assert marks is not None
        after = dict(zip(map(id, self._line.groups), marks, strict=True))
        edges: list[_Edge] = []
        ceiling = len(change.text)
        items = [
            item
            for item in _line(self._paragraph, self._number)
            if item.group is not None and change.start <= item.start and item.stop <= change.stop
        ]
        for item in reversed(items):
            mark = after[id(item.group)]
            start = mark.stop if item.closes else mark.start + item.start - _start(item.group)
            start = min(max(start - change.start, 0), ceiling)
            stop = min(start + len(item.text), ceiling)
            # An anchor keeps to its side of a container's edge, not the edge to its side of the anchor.
            ceiling = start if item.kind != "anchor" or item.closes else ceiling
            edges.insert(0, _Edge(item, start, stop))
        floor = 0
        for i, edge in enumerate(edges):
            start = max(edge.start, floor)
            edges[i] = _Edge(edge.item, start, max(edge.stop, start))
            floor = edges[i].stop
        return edges

    def _replace(
        self, a: int, b: int, change: Change, new: tuple[int, int], between: tuple[Item | None, Item | None]
    ) -> None:
        """Put a slice of the change in place of characters `a` to `b`, all of which is between two items."""
        assert self._line.segment is not None
        text, origins = change.text[slice(*new)], change.origins[slice(*new)]
        if text == self._line.segment.text[a:b]:
            return
        paragraph = self._paragraph
        _cut(paragraph, self._number, a)
        _cut(paragraph, self._number, b)
        slot = self._slot(between)
        gone = [item for item in slot if item.kind == "text" and a <= item.start and item.stop <= b]
        added = self._runs(text, origins)
        if self._editor is not None and added:
            insertion = self._editor.mark(added[0], "ins")
            insertion.extend(added)
            added = [insertion]
        if not gone:
            self._insert(slot, a, between, added)
            return
        # What is loose between words that go, goes with them, but for what is outside of runs.
        between_them = slot[slot.index(gone[0]) : slot.index(gone[-1]) + 1]
        gone = [item for item in between_them if item.run is not None]
        _part(paragraph, paragraph.items.index(gone[0]))
        behind = paragraph.items.index(gone[-1]) + 1
        _part(paragraph, behind)
        runs = list(dict.fromkeys(item.run for item in gone if item.run is not None))
        deletion = None if self._editor is None else self._editor.mark(runs[0], "del")
        if deletion is not None:
            # Where all text goes, LibreOffice joins the paragraph to the next unless what is new stands first.
            is_all = not any(item.text for item in self._paragraph.items if item not in gone)
            added.insert(len(added) if is_all else 0, deletion)
        for node in added:
            runs[0].addprevious(node)
        for run in runs:
            if deletion is None:
                run.getparent().remove(run)
            else:
                deletion.append(run)
                for node in [node for node in run if kind(node) == "t"]:
                    node.tag = f"{node.tag[:-1]}delText"
        self._note(added, a, behind)
        for item in gone:
            paragraph.items.remove(item)

    def _slot(self, between: tuple[Item | None, Item | None]) -> list[Item]:
        items = _line(self._paragraph, self._number)
        first, end = between
        return items[0 if first is None else items.index(first) + 1 : len(items) if end is None else items.index(end)]

    def _insert(
        self, slot: Sequence[Item], place: int, between: tuple[Item | None, Item | None], added: list[etree._Element]
    ) -> None:
        paragraph = self._paragraph
        before = [item for item in slot if _holds(item) and item.stop <= place]
        behind = [item for item in slot if _holds(item) and item.start >= place]
        holder = before[-1] if before else None if behind else between[0]
        if holder is not None:
            _put_behind(paragraph, holder, added)
            self._note(added, place, paragraph.items.index(holder) + 1)
            return
        follower = behind[0] if behind else between[1]
        assert follower is not None
        _put_before(paragraph, follower, added)
        self._note(added, place, paragraph.items.index(follower))

    def _note(self, added: Sequence[etree._Element], place: int, index: int) -> None:
        """Take what was put in for an item, so that what is put in next at the same place stands behind it."""
        if added:
            self._paragraph.items.insert(index, Item("loose", added[-1], None, self._number, place, low=-1))

    def _runs(self, text: str, origins: Sequence[int]) -> list[etree._Element]:
        """New runs with the text, each with the format of what its characters stand for."""
        runs: list[etree._Element] = []
        place = 0
        for like, letters in groupby(origins, self._line.run_at):
            assert like is not None
            length = len(list(letters))
            run = _alike(like)
            words = made(like, "t")
            words.text = text[place : place + length]
            words.set(SPACE, "preserve")
            run.append(words)
            runs.append(run)
            place += length
        return runs


def _holds(item: Item) -> bool:
    """Whether it has text, or is some that was put in."""
    return bool(item.text) or item.low < 0


def _start(group: Group | None) -> int:
    return 0 if group is None else group.start


def _line(paragraph: Paragraph, number: int) -> list[Item]:
    return [item for item in paragraph.items if item.line == number]


def _alike(run: etree._Element) -> etree._Element:
    """An empty run with the format of another."""
    new = made(run, "r")
    new.extend(copy.deepcopy(node) for node in run if kind(node) == "rPr")
    return new


def _cut(paragraph: Paragraph, number: int, place: int) -> None:
    """Make an item begin at a place of a line."""
    for i, item in enumerate(paragraph.items):
        if item.line == number and item.kind == "text" and item.start < place < item.stop:
            rest = copy.copy(item)
            length = place - item.start
            rest.start, rest.text, rest.low = place, item.text[length:], item.low + length
            item.text = item.text[:length]
            paragraph.items.insert(i + 1, rest)
            return


def _part(paragraph: Paragraph, index: int) -> None:
    """Make the item at `index` begin a run of its own."""
    if not 0 < index < len(paragraph.items):
        return
    before, item = paragraph.items[index - 1 : index + 1]
    behind, run = paragraph.items[index:], item.run
    if run is None or before.run is None or before.run is not run:
        return
    if before.node is item.node:
        _split(paragraph, index)
    new = _alike(run)
    for name, text in run.attrib.items():
        new.set(name, text)
    new.extend([item.node, *item.node.itersiblings()])
    run.addnext(new)
    for other in behind:
        if other.run is run:
            other.run = new


def _split(paragraph: Paragraph, index: int) -> None:
    """Two `w:t` of one; spaces that were not shown at its edges are still not."""
    node, at = paragraph.items[index].node, paragraph.items[index].low
    rest = made(node, "t")
    text = node.text or ""
    first, rest.text = (text[:at], text[at:]) if keeps_space(node) else (text[:at].lstrip(), text[at:].rstrip())
    node.text = first
    for each in (node, rest):
        each.set(SPACE, "preserve")
    node.addnext(rest)
    for i, item in enumerate(paragraph.items):
        if item.node is node:
            cut = at if i >= index else at - len(first)
            item.node, item.low = (rest if i >= index else node), item.low - cut


def _put_before(paragraph: Paragraph, item: Item, added: Sequence[etree._Element]) -> None:
    if item.kind == "close":
        item.node.extend(added)
        return
    _part(paragraph, paragraph.items.index(item))
    node = item.node if item.run is None else item.run
    for new in added:
        node.addprevious(new)


def _put_behind(paragraph: Paragraph, item: Item, added: Sequence[etree._Element]) -> None:
    if item.kind == "open":
        first = next((i for i, node in enumerate(item.node) if not kind(node).endswith("Pr")), len(item.node))
        item.node[first:first] = added
        return
    _part(paragraph, paragraph.items.index(item) + 1)
    node = item.node if item.run is None else item.run
    for new in reversed(added):
        node.addnext(new)
