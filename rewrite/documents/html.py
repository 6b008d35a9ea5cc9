"""HTML pages: words change, and every other byte stays.

The page is never parsed and printed again: each segment knows the places in the source that its characters and the
markup between them came from. A rewrite puts other words between the same markup in the same order.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Sequence
from itertools import pairwise

from rewrite.documents.html_segments import FIXED, SPACES, Block, read_blocks
from rewrite.documents.html_tokens import decoded, tokens
from rewrite.documents.marks import moved
from rewrite.documents.segments import Change, Segment, changed
from rewrite.errors import MissingExtra

_VERBATIM = FIXED | {"script", "style", "svg", "template", "textarea"}


def read_html(data: bytes) -> HtmlDocument:
    """The page; `BadInput` where its bytes are not in the encoding that it names."""
    mark, encoding, source = decoded(data)
    return HtmlDocument(mark, encoding, source)


class HtmlDocument:
    """A page; after `written`, `refused` has the numbers of the segments that stand as they were for their markup."""

    def __init__(self, mark: bytes, encoding: str, source: str) -> None:
        self._mark, self._encoding, self._source = mark, encoding, source
        head = source[:2000].lower()
        self._is_xml = head.lstrip().startswith("<?xml") or re.search(r"<html\b[^>]*\sxmlns\s*=", head) is not None
        self._blocks = read_blocks(source, self._is_xml)
        self.refused: Sequence[int] = ()

    @property
    def segments(self) -> Sequence[Segment]:
        return [block.segment for block in self._blocks]

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """The page with the changes to each segment, in the encoding that it had; what that lacks as references."""
        refused: list[int] = []
        pieces: list[str] = []
        place = 0
        for number, (block, of_block) in enumerate(zip(self._blocks, changes, strict=True)):
            if of_block:
                text = self._rewritten(block, of_block)
                if text is None:
                    refused.append(number)
                else:
                    pieces += self._source[place : block.parts[0].start], text
                    place = block.parts[-1].stop
        self.refused = refused
        pieces.append(self._source[place:])
        return self._mark + "".join(pieces).encode(self._encoding, "xmlcharrefreplace")

    def _rewritten(self, block: Block, changes: Sequence[Change]) -> str | None:
        """The source of a segment after `changes`; `None` where its markup would not stay as it is."""
        text, origins = changed(block.segment, changes)
        marks = moved(block.segment, changes)
        if marks is None:
            return None
        places: dict[int, int] = {}
        for found, mark in zip(block.found, marks, strict=True):
            ends = (found.first, mark.start), (found.last, mark.stop)
            places.update({part: place for part, place in ends if part is not None})
        spelled, markup = self._spelled(block, places, len(text))
        if any(place > following for (place, _), (following, _) in pairwise(markup)):
            return None
        characters = [self._character(*both, block.segment.text, spelled) for both in zip(text, origins, strict=True)]
        pieces: list[str] = []
        done = 0
        for place, tag in markup:
            pieces += (*characters[done:place], tag)
            done = place
        pieces += characters[done:]
        written = "".join(pieces)
        again = read_blocks(written, self._is_xml)
        is_read = len(again) == 1 and _folded(again[0].segment.text) == _folded(text)
        return written if is_read else None

    def _spelled(self, block: Block, places: dict[int, int], length: int) -> tuple[list[str], list[tuple[int, str]]]:
        """How each character of a segment is spelled, and all markup with its new place, in order."""
        spelled: list[str] = []
        markup: list[tuple[int, str]] = []
        for number, part in enumerate(block.parts):
            source = self._source[part.start : part.stop]
            if part.text == source:
                spelled += source
            elif part.text:
                spelled += (source, *[""] * (len(part.text) - 1))
            elif source:
                markup.append((places.get(number, length if spelled else 0), source))
        return spelled, markup

    @staticmethod
    def _character(character: str, origin: int, text: str, spelled: Sequence[str]) -> str:
        """A character as it was spelled where it comes from, or escaped."""
        return spelled[origin] if text[origin : origin + 1] == character else html.escape(character, quote=False)

    def structure(self) -> str:
        """A hash of the tree that libxml2 reads, and of all that is markup here, without words."""
        try:
            from lxml import etree
        except ImportError:
            raise MissingExtra(
                "To compare HTML pages lxml is needed.", hint="Run: pip install 'rewrite-rerank[documents]'"
            ) from None
        digest = hashlib.sha256()
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
        tree = etree.fromstring(self._source.encode("utf-8", "xmlcharrefreplace") or b"<html/>", parser)
        # Of comments alone there is no tree.
        for event, node in () if tree is None else etree.iterwalk(tree, events=("start", "end", "comment", "pi")):
            words = node.text or "" if event in ("comment", "pi") else ""
            if event == "start" and node.tag in _VERBATIM:
                words = "".join(node.itertext())
            digest.update(repr((event, str(node.tag), node.attrib.items(), words)).encode("utf-8", "replace"))
        # libxml2 stops where elements are 2,048 deep.
        for start, stop, tag in tokens(self._source, self._is_xml):
            if tag is not None:
                digest.update(self._source[start:stop].encode("utf-8", "replace"))
        return digest.hexdigest()


def _folded(text: str) -> str:
    return re.sub(f"[{SPACES}]+", " ", text).strip(SPACES)
