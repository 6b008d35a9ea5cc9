"""What of a Word file may be rewritten: the paragraphs of its body, notes, headers and footers, but for some."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from rewrite.documents.docx.names import child, kind, value
from rewrite.documents.docx.package import Package
from rewrite.documents.docx.paragraphs import Paragraph, read_paragraph

STORIES = ("footnotes", "endnotes", "header", "footer")
_CODE = re.compile(
    r"\b(?:code|preformatted|verbatim|listing|macro|html (?:sample|keyboard|typewriter)|source text|код|листинг)\b"
)
_LIST_OF_PAGES = re.compile(r"(?:toc|index|contents) \d|table of (?:figures|authorities)|toa heading")
_TRACKED = {"ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange", "numberingChange"}
_MOVES = {"ins", "del", "moveFrom", "moveTo"}


class Styles:
    """The names of styles, by which code and lists of pages are known."""

    def __init__(self, root: etree._Element | None) -> None:
        nodes = [] if root is None else [node for node in root if kind(node) == "style"]
        self._names = {value(node, "styleId"): value(child(node, "name")).lower() for node in nodes}
        self._parents = {value(node, "styleId"): value(child(node, "basedOn")) for node in nodes}

    def is_code(self, style: str) -> bool:
        return any(_CODE.search(name) for name in self._line(style))

    def is_left_alone(self, style: str) -> bool:
        return any(_CODE.search(name) or _LIST_OF_PAGES.match(name) for name in self._line(style))

    def _line(self, style: str) -> Iterator[str]:
        """The names of a style and of those that it is based on."""
        seen: set[str] = set()
        while style and style not in seen:
            seen.add(style)
            yield self._names.get(style) or style.lower()
            style = self._parents.get(style, "")


@dataclass(eq=False)
class Story:
    """A part of the file with text, and its paragraphs that may be rewritten.

    Of others are counted: those that have tracked changes, and those in content controls.
    """

    name: str
    root: etree._Element
    paragraphs: list[Paragraph] = field(default_factory=list)
    tracked: int = 0
    controlled: int = 0


def story_names(package: Package) -> list[str]:
    """The parts with text, the body first."""
    return [package.main, *(name for story in STORIES for name in package.related(package.main, story))]


def read_styles(package: Package) -> Styles:
    names = package.related(package.main, "styles")
    return Styles(package.parse(names[0]) if names else None)


def read_story(name: str, root: etree._Element, styles: Styles) -> Story:
    """The paragraphs of a part, in order."""
    story = Story(name, root)
    depths: dict[etree._Element, int] = {}
    of_node: dict[etree._Element, Paragraph] = {}
    for node in [node for node in root.iter() if kind(node) == "p"]:
        parts = list(_of_paragraph(node))
        around = list(node.iterancestors())
        box = next((other for other in around if kind(other) == "txbxContent"), root)
        # A field may begin in one paragraph and end in another, as the table of contents does.
        before = depths.get(box, 0)
        steps = [value(part, "fldCharType") for part in parts if kind(part) == "fldChar"]
        depths[box] = max(before + steps.count("begin") - steps.count("end"), 0)
        is_read = not any(kind(other) == "mc:Fallback" for other in around)
        if _has_changes(parts, around):
            story.tracked += is_read
        elif _is_controlled(around):
            story.controlled += is_read
        elif not (before or depths[box] or styles.is_left_alone(_style_of(node))):
            of_node[node] = read_paragraph(node, styles.is_code)
    _pair_twins(root, of_node)
    story.paragraphs = list(of_node.values())
    return story


def _of_paragraph(node: etree._Element) -> Iterator[etree._Element]:
    """All in a paragraph but what is in its text boxes."""
    for other in node:
        yield other
        if kind(other) != "txbxContent":
            yield from _of_paragraph(other)


def _style_of(node: etree._Element) -> str:
    properties = child(node, "pPr")
    return "" if properties is None else value(child(properties, "pStyle"))


def _has_changes(parts: list[etree._Element], around: list[etree._Element]) -> bool:
    rows = (child(node, "trPr") for node in around if kind(node) == "tr")
    return (
        any(kind(part) in _TRACKED for part in parts)
        or any(kind(node) in _MOVES for node in around)
        or any(child(row, change) is not None for row in rows if row is not None for change in ("ins", "del"))
    )


def _is_controlled(around: list[etree._Element]) -> bool:
    """Whether it is in a content control: a field of a form, or text that is locked or comes from elsewhere.

    LibreOffice neither takes nor leaves tracked changes there. What Word puts around its own cover pages is none.
    """
    controls = (child(node, "sdtPr") for node in around if kind(node) == "sdt")
    return any(control is None or child(control, "docPartObj") is None for control in controls)


def _pair_twins(root: etree._Element, of_node: dict[etree._Element, Paragraph]) -> None:
    """Text boxes are written once for each kind of reader: one is read, and the others change with it.

    Where they do not say the same, all stand as they are.
    """
    for either in [node for node in root.iter() if kind(node) == "mc:AlternateContent"]:
        branches = [[node for node in branch.iter() if kind(node) == "p"] for branch in either if kind(branch)]
        branches = [nodes for nodes in branches if nodes]
        if len(branches) < 2:
            continue
        paragraphs = [[of_node[node] for node in nodes if node in of_node] for nodes in branches]
        first, *others = paragraphs
        say_the_same = all([p.segments for p in first] == [p.segments for p in other] for other in others)
        for node in [node for nodes in branches[1 if say_the_same else 0 :] for node in nodes]:
            of_node.pop(node, None)
        if say_the_same:
            for same in zip(*paragraphs, strict=True):
                same[0].twins.extend(twin for other in same[1:] for twin in (other, *other.twins))
