"""A hash of everything in a Word file but the words that may be rewritten."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from lxml import etree

from rewrite.documents.docx.names import kind
from rewrite.documents.docx.paragraphs import Paragraph, format_of
from rewrite.documents.docx.stories import Story


def structure(stories: Iterable[Story], others: object) -> str:
    """The hash of the parts with text, and of what is said of `others`.

    How text is parted into runs of one format, identifiers of editing sessions and what the spelling checker left
    behind are none of it.
    """
    parts = [list(_Walk(story).node(story.root)) for story in stories]
    return hashlib.sha256(repr((parts, others)).encode()).hexdigest()


class _Walk:
    def __init__(self, story: Story) -> None:
        self._paragraphs = {each.node: each for first in story.paragraphs for each in (first, *first.twins)}

    def node(self, node: etree._Element) -> Iterator[object]:
        if node in self._paragraphs:
            yield from self._paragraph(self._paragraphs[node])
        elif kind(node):
            yield from self._head(node)
            yield (node.text or "").strip()
            for other in node:
                yield from self.node(other)
            yield "end"

    def _head(self, node: etree._Element) -> Iterator[object]:
        yield kind(node)
        yield sorted((key, text) for key, text in node.attrib.items() if "}rsid" not in key)

    def _paragraph(self, paragraph: Paragraph) -> Iterator[object]:
        yield from self._head(paragraph.node)
        for node in paragraph.node:
            if kind(node) == "pPr":
                yield from self.node(node)
        last: object = None
        for item in paragraph.items:
            line = paragraph.lines[item.line]
            if item.kind == "loose":
                continue
            if item.kind == "text":
                is_plain = line.base is not None and format_of(item.run) == format_of(line.base)
                if line.segment is None or item.is_fixed:
                    yield item.text
                elif not (item.text.isspace() or is_plain) and last != (look := format_of(item.run)):
                    yield look
                    last = look
                continue
            last = None
            yield item.kind
            if item.kind in ("open", "close"):
                yield from self._head(item.node)
                continue
            yield item.text, format_of(item.run)
            if item.kind != "solid" or kind(item.node) != "t":
                yield from self.node(item.node)
