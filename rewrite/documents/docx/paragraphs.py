"""A paragraph of Word as lines of plain text with marks, and where in its XML each part of a line stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from lxml import etree

from rewrite.documents.docx.names import SPACE, child, kind, value
from rewrite.documents.segments import Mark, Segment

Kind = Literal["text", "solid", "anchor", "loose", "open", "close", "break"]
_CONTAINERS = {"hyperlink", "smartTag", "customXml", "sdt", "fldSimple", "dir", "bdo"}
_FIXED = {"sdt", "fldSimple"}
_FIELD = "field"
_LOOSE = {"", "proofErr", "softHyphen", "lastRenderedPageBreak"}
_NO_FORMAT = {"lang", "noProof"}
_SPACE = " \t\r\n"
_PLAIN = str.maketrans(_SPACE, " " * len(_SPACE))
_PIECE = re.compile("\u00ad|[^\u00ad]+")

Format = tuple[object, ...]


@dataclass(eq=False)
class Group:
    """What is to be a mark: characters `start` to `stop` of a line; for a format, a `run` that has it."""

    start: int
    stop: int
    fixed: bool = False
    run: etree._Element | None = None


@dataclass(eq=False)
class Item:
    """A part of a paragraph in the order of the document, from character `start` of a line on.

    `text` is there to be changed, what is `solid` has text that may not be; an `anchor` stands between characters,
    `open` and `close` are the edges of a container, and what is `loose` may go with the words around it. In a `w:t` it
    begins at character `low`. `group` is the mark that it is or is an edge of, `within` are those around it.
    """

    kind: Kind
    node: etree._Element
    run: etree._Element | None
    line: int
    start: int
    text: str = ""
    low: int = 0
    group: Group | None = None
    closes: bool = False
    within: tuple[Group, ...] = ()

    @property
    def stop(self) -> int:
        return self.start + len(self.text)

    @property
    def is_fixed(self) -> bool:
        return self.kind == "solid" or any(group.fixed for group in self.within)


@dataclass(eq=False)
class Line:
    """A paragraph up to a line break; `segment` is `None` where nothing is to be rewritten.

    `groups` are the marks of the segment, in order. What has no mark of its format looks like `base`.
    """

    segment: Segment | None = None
    groups: list[Group] = field(default_factory=list)
    base: etree._Element | None = None

    def run_at(self, place: int) -> etree._Element | None:
        """A run with the format that the character at `place` has."""
        return next((g.run for g in self.groups if g.run is not None and g.start <= place < g.stop), self.base)


@dataclass(eq=False)
class Paragraph:
    """A `w:p` that may be rewritten; `twins` say the same to other readers, and change with it."""

    node: etree._Element
    items: list[Item]
    lines: list[Line]
    twins: list[Paragraph] = field(default_factory=list)

    @property
    def segments(self) -> list[Segment | None]:
        return [line.segment for line in self.lines]


def read_paragraph(node: etree._Element, is_code: Callable[[str], bool]) -> Paragraph:
    """The lines of a `w:p`; runs in a style that `is_code` says yes to are not to be changed."""
    reader = _Reader(is_code)
    reader.walk(node)
    reader.end_line()
    return Paragraph(node, reader.items, reader.lines)


def format_of(run: etree._Element | None) -> Format:
    """What a run looks like; its language and what the spelling checker is told are none of it."""
    properties = None if run is None else child(run, "rPr")
    if properties is None:
        return ()
    looks = (_look(node) for node in properties if kind(node) and kind(node) not in _NO_FORMAT)
    return tuple(look for look in looks if look != ("rFonts", (), ()))


def _look(node: etree._Element) -> Format:
    # The hint of a font is for characters of which it cannot be said what script they are.
    attributes = sorted((key, text) for key, text in node.attrib.items() if not key.endswith("}hint"))
    return kind(node), tuple(attributes), tuple(map(_look, node))


class _Reader:
    """Walks through a paragraph once."""

    def __init__(self, is_code: Callable[[str], bool]) -> None:
        self.items: list[Item] = []
        self.lines: list[Line] = []
        self._is_code = is_code
        self._groups: list[Group] = []
        self._open: dict[object, Group] = {}
        self._text = ""
        # The instructions of fields that are open, each `None` once its result has begun.
        self._fields: list[str | None] = []
        self._is_link = False
        self._gone_back: set[str] = set()

    def walk(self, node: etree._Element) -> None:
        """The content of a paragraph or of a container in it."""
        for other in node:
            name = kind(other)
            if name == "r":
                self._run(other)
            elif name in _CONTAINERS:
                content = child(other, "sdtContent") if name == "sdt" else other
                self._begin(other, fixed=name in _FIXED)
                self._add("open", other, group=self._open[other])
                self.walk([] if content is None else content)
                self._add("close", other, group=self._end(other), closes=True)
            elif name in ("m:oMath", "m:oMathPara"):
                self._solid(other, None, "".join(t.text or "" for t in other.iter() if kind(t) == "m:t"))
            elif name in _LOOSE or self._is_where_word_was(other, name):
                self._add("loose", other)
            elif not name.endswith("Pr"):
                self._anchor(other, None)

    def end_line(self) -> None:
        """End a line, and begin the next inside the same containers."""
        line, number = Line(), len(self.lines)
        for group in self._open.values():
            group.stop = len(self._text)
        if any(map(str.isalpha, self._text)):
            formats = _formats(line, [item for item in self.items if item.line == number and item.text])
            line.groups = [*self._groups, *formats]
            line.segment = Segment(self._text, tuple(Mark(g.start, g.stop, g.fixed) for g in line.groups))
        self.lines.append(line)
        self._open = {key: Group(0, 0, group.fixed) for key, group in self._open.items()}
        self._groups = list(self._open.values())
        self._text = ""

    def _is_where_word_was(self, node: etree._Element, name: str) -> bool:
        """Whether it is the bookmark of where its author left off, which Word sets by itself."""
        if name == "bookmarkStart" and value(node, "name") == "_GoBack":
            self._gone_back.add(value(node, "id"))
        return name in ("bookmarkStart", "bookmarkEnd") and value(node, "id") in self._gone_back

    def _run(self, run: etree._Element) -> None:
        properties = child(run, "rPr")
        style = None if properties is None else child(properties, "rStyle")
        hidden = None if properties is None else child(properties, "vanish")
        is_hidden = hidden is not None and value(hidden) not in ("0", "false", "off")
        is_code = style is not None and self._is_code(value(style))
        for node in run:
            name = kind(node)
            if name == "rPr":
                continue
            if name in ("br", "cr"):
                self._add("break", node, run)
                self.end_line()
            elif name in _LOOSE:
                self._add("loose", node, run)
            elif name in ("fldChar", "instrText"):
                self._field(node, run, name)
            elif is_hidden or any(instruction is not None for instruction in self._fields):
                self._anchor(node, run)
            elif name in ("tab", "ptab"):
                self._solid(node, run, "\t")
            elif name == "noBreakHyphen":
                self._piece(node, run, "\u2011", 0, is_code)
            elif name == "t":
                raw = node.text or ""
                shown = raw if keeps_space(node) else raw.strip(_SPACE)
                before = raw.index(shown)
                for match in _PIECE.finditer(shown):
                    self._piece(node, run, match[0].translate(_PLAIN), before + match.start(), is_code)
            else:
                self._anchor(node, run)

    def _piece(self, node: etree._Element, run: etree._Element, text: str, low: int, is_code: bool) -> None:
        if is_code:
            self._solid(node, run, text, low)
        elif text == "\u00ad":
            self._add("loose", node, run, low=low)
        else:
            self._add("text", node, run, text=text, low=low)

    def _field(self, node: etree._Element, run: etree._Element, name: str) -> None:
        step = value(node, "fldCharType") if name == "fldChar" else ""
        if step == "begin":
            if not self._fields:
                self._begin(_FIELD, fixed=True)
            self._is_link = not self._fields
            self._fields.append("")
        if not self._fields:
            self._anchor(node, run)
            return
        instruction = self._fields[-1]
        if name == "instrText" and instruction is not None:
            self._fields[-1] = instruction + (node.text or "")
        elif step == "separate":
            self._is_link = self._is_link and (instruction or "").split()[:1] == ["HYPERLINK"]
            self._fields[-1] = None
        elif step == "end":
            # A field without a result, or with another in it, stands as it is.
            self._is_link = self._is_link and instruction is None
            self._fields.pop()
        group = self._open[_FIELD]
        if not self._fields:
            self._end(_FIELD)
            group.fixed = not self._is_link
        self._add("anchor", node, run, group=group, closes=not self._fields)

    def _begin(self, key: object, *, fixed: bool) -> None:
        group = Group(len(self._text), len(self._text), fixed)
        self._groups.append(group)
        self._open[key] = group

    def _end(self, key: object) -> Group:
        group = self._open.pop(key)
        group.stop = len(self._text)
        return group

    def _anchor(self, node: etree._Element, run: etree._Element | None) -> None:
        group = Group(len(self._text), len(self._text))
        self._groups.append(group)
        self._add("anchor", node, run, group=group)

    def _solid(self, node: etree._Element, run: etree._Element | None, text: str, low: int = 0) -> None:
        group = Group(len(self._text), len(self._text) + len(text), fixed=True)
        self._groups.append(group)
        self._add("solid", node, run, text=text, low=low, group=group)

    def _add(
        self,
        what: Kind,
        node: etree._Element,
        run: etree._Element | None = None,
        *,
        text: str = "",
        low: int = 0,
        group: Group | None = None,
        closes: bool = False,
    ) -> None:
        place, within = len(self._text), tuple(self._open.values())
        self.items.append(Item(what, node, run, len(self.lines), place, text, low, group, closes, within))
        self._text += text


def keeps_space(node: etree._Element) -> bool:
    """Whether spaces at the edges of a `w:t` are shown."""
    return bool(node.get(SPACE, node.getroottree().getroot().get(SPACE)) == "preserve")


def _formats(line: Line, items: Sequence[Item]) -> list[Group]:
    """What looks other than the plainest text of the line; a space alone is seen by nobody."""

    def look(item: Item) -> tuple[Format, tuple[int, ...]] | None:
        return None if item.is_fixed else (format_of(item.run), tuple(map(id, item.within)))

    stretches: list[tuple[Format, Group]] = []
    for looks, run_items in groupby(items, look):
        parts = list(run_items)
        text = "".join(item.text for item in parts)
        if looks is not None and not text.isspace():
            start = parts[0].start + len(text) - len(text.lstrip())
            stop = parts[-1].stop - len(text) + len(text.rstrip())
            stretches.append((looks[0], Group(start, stop, run=parts[0].run)))
    if not stretches:
        return []
    base = min((look for look, _ in stretches), key=lambda look: (len(look), repr(look)))
    line.base = next(group.run for look, group in stretches if look == base)
    return [group for look, group in stretches if look != base]
