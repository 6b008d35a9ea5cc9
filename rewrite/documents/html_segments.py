"""What of an HTML page is read as segments: the words of each block across its inline elements, spaces folded."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rewrite.documents.html_tokens import Tag, tokens
from rewrite.documents.segments import Mark, Segment

SPACES = " \t\n\r\f"
_TEXT = re.compile(
    rf"[{SPACES}]+|&(?:#\d+|#[xX][\da-fA-F]+|[A-Za-z][A-Za-z\d]*);?|(?:[^&{SPACES}]+|&)(?: [^&{SPACES}]+)*"
)
_FOOTNOTE = re.compile(r"\s*[\[(]?(?:\d{1,4}|[a-z]|[*†‡§¶#↑↩︎]{1,3})[\])]?\s*")
_BREAKS = frozenset(["br", "hr"])
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_BLOCKS = frozenset(
    """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt fieldset
    figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main
    menu nav noframes noscript ol optgroup option p pre search section select summary table tbody td tfoot th thead
    title tr ul xmp
    """.split()
)
FIXED = frozenset("code kbd listing math pre samp sub sup tt var xmp".split())
_FIXED_CLASSES = frozenset(["notranslate", "math", "katex", "mathjax"])
_OPAQUE = frozenset("annotation annotation-xml audio canvas del object rp rt svg template video".split())
"""Elements whose words are no part of the sentence that they stand in."""
_REOPENED = frozenset(["code", "tt"])
"""Elements that stay open where the block that they began in ends."""
_CELL = frozenset(["td", "th"])
_ENDED_BY = {
    "li": {"li"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "td": _CELL,
    "th": _CELL,
    "tr": _CELL | {"tr"},
    **dict.fromkeys(("tbody", "thead", "tfoot"), _CELL | {"tr", "tbody", "thead", "tfoot"}),
    "option": {"option"},
    "optgroup": {"option", "optgroup"},
}
"""Elements that end where another begins, though there is no end tag."""


@dataclass(slots=True)
class Part:
    """Characters `start` to `stop` of the source: what is read as `text`, or markup, which is read as none."""

    text: str
    start: int
    stop: int


@dataclass(slots=True)
class Found:
    """A mark, and which parts are the tags that it begins and ends with, where they stand in this segment."""

    start: int
    stop: int
    first: int | None
    last: int | None = None
    is_fixed: bool = False
    language: str = ""


@dataclass(slots=True)
class _Element:
    """An element that is open; `mark` is what it has been in segment number `segment`."""

    name: str
    language: str
    is_fixed: bool
    segment: int
    mark: Found


@dataclass(frozen=True, slots=True)
class Block:
    """A segment with the parts that it was read from; `found` are its marks, in the same order."""

    segment: Segment
    parts: Sequence[Part]
    found: Sequence[Found]


def read_blocks(source: str, is_xml: bool) -> list[Block]:
    """The segments of a page, in order."""
    return _Reader(source, is_xml).read()


@dataclass(slots=True)
class _Reader:
    """Reads tokens; what it holds is of the segment that is being read, but for the open elements and `blocks`."""

    source: str
    is_xml: bool
    blocks: list[Block] = field(default_factory=list)
    stack: list[_Element] = field(default_factory=list)
    open: Counter[str] = field(default_factory=Counter)
    opaque: int = 0
    segment: int = 0
    parts: list[Part] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    length: int = 0
    is_spaced: bool = False
    is_free: bool = False
    languages: Counter[str] = field(default_factory=Counter)

    def read(self) -> list[Block]:
        for start, stop, tag in tokens(self.source, self.is_xml):
            if self.opaque:
                self._inside_opaque(stop, tag)
            elif tag is None:
                self._text(start, stop)
            elif not tag.name:
                self._markup(start, stop)
            elif tag.is_end:
                self._end(start, stop, tag.name)
            else:
                self._begin(start, stop, tag)
        self._flush()
        return self.blocks

    def _text(self, start: int, stop: int) -> None:
        top = self.stack[-1] if self.stack else None
        for match in _TEXT.finditer(self.source, start, stop):
            text = match.group()
            if text[0] == "&":
                text = html.unescape(text)
            if not text:
                self._markup(*match.span())
            elif not text.strip(SPACES):
                if self.length and not self.is_spaced:
                    self._add(" ", *match.span())
                elif self.parts:
                    self.parts[-1].stop = match.end()
            else:
                self._add(text, *match.span())
                self.languages[top.language if top else ""] += len(text)
                self.is_free = self.is_free or not ((top and top.is_fixed) or not any(map(str.isalpha, text)))

    def _add(self, text: str, start: int, stop: int) -> None:
        self.parts.append(Part(text, start, stop))
        self.length += len(text)
        self.is_spaced = text == " "

    def _part(self, start: int, stop: int) -> int:
        self.parts.append(Part("", start, stop))
        return len(self.parts) - 1

    def _markup(self, start: int, stop: int) -> None:
        """What stands between two characters."""
        self.found.append(Found(self.length, self.length, self._part(start, stop)))

    def _inside_opaque(self, stop: int, tag: Tag | None) -> None:
        self.parts[-1].stop = stop
        if tag is not None and tag.name == self.stack[-1].name and not (tag.is_closed and not tag.is_end):
            self.opaque += -1 if tag.is_end else 1
            if not self.opaque:
                self._forget(len(self.stack) - 1)

    def _begin(self, start: int, stop: int, tag: Tag) -> None:
        name = tag.name
        is_void = name in _VOID or (self.is_xml and tag.is_closed)
        if name in _BLOCKS:
            self._flush()
            ended = {"p", *_ENDED_BY.get(name, ())}
            while any(self.open[other] for other in ended):
                top = next((i for i in reversed(range(len(self.stack))) if self.stack[i].name in _BLOCKS), None)
                if top is None or self.stack[top].name not in ended:
                    break
                self._forget(top)
            if not is_void:
                self._push(tag, None)
        elif is_void:
            self._markup(start, stop)
        else:
            if name == "a" and self.open["a"]:
                self._ended(self._nearest("a"), None)
            self._push(tag, self._part(start, stop))
            if name in _OPAQUE:
                self.found.append(self.stack[-1].mark)
                self.opaque = 1

    def _push(self, tag: Tag, first: int | None) -> None:
        above = self.stack[-1] if self.stack else None
        said = tag.attributes.get("lang") or tag.attributes.get("xml:lang", "")
        language = re.split("[-_]", said.strip().lower())[0] or (above.language if above else "")
        translate = tag.attributes.get("translate", "").lower()
        classes = tag.attributes.get("class", "").lower().split()
        is_fixed = tag.name in FIXED or translate == "no" or not _FIXED_CLASSES.isdisjoint(classes)
        is_fixed = translate != "yes" and (is_fixed or (above is not None and above.is_fixed))
        mark = Found(self.length, self.length, first, None, is_fixed, language if said else "")
        self.stack.append(_Element(tag.name, language, is_fixed, self.segment, mark))
        self.open[tag.name] += 1

    def _nearest(self, name: str) -> int:
        return next(i for i in reversed(range(len(self.stack))) if self.stack[i].name == name)

    def _end(self, start: int, stop: int, name: str) -> None:
        if name in _BLOCKS:
            self._flush()
            if self.open[name]:
                self._forget(self._nearest(name))
        elif not self.open[name]:
            self._markup(start, stop)
        else:
            self._ended(self._nearest(name), self._part(start, stop))

    def _ended(self, place: int, last: int | None) -> None:
        """The element at `place` of the stack ends here, with the part `last`."""
        element = self.stack[place]
        is_top = place == len(self.stack) - 1
        del self.stack[place]
        self.open[element.name] -= 1
        mark = element.mark
        if element.segment != self.segment:
            mark = Found(0, 0, None, None, mark.is_fixed, mark.language)
        mark.stop, mark.last = self.length, last
        if element.name == "a" and is_top and mark.first is not None and last is not None and self._is_sign(mark.first):
            self._hide(mark)
        self.found.append(mark)

    def _is_sign(self, first: int) -> bool:
        """Whether the link that begins with this part is the sign of a footnote, or of a place on the page."""
        href = re.search(
            r"""\bhref\s*=\s*["']?[^"'\s>]*#""", self.source[self.parts[first].start : self.parts[first].stop]
        )
        return bool(href and _FOOTNOTE.fullmatch("".join(part.text for part in self.parts[first:])))

    def _hide(self, mark: Found) -> None:
        """Makes one part of all that a mark holds, which is read as nothing."""
        first = mark.first or 0
        self.found = [other for other in self.found if max(other.first or 0, other.last or 0) < first]
        self.parts[first:] = [Part("", self.parts[first].start, self.parts[-1].stop)]
        mark.stop, mark.last = mark.start, None
        self.length = mark.start
        self.is_spaced = next((part.text == " " for part in reversed(self.parts) if part.text), False)

    def _forget(self, place: int) -> None:
        """The element at `place` of the stack ends, and with it what is open in it."""
        kept = [element for element in self.stack[place + 1 :] if element.name in _REOPENED]
        self.open.subtract(element.name for element in self.stack[place:])
        self.open.update(element.name for element in kept)
        self.stack[place:] = kept

    def _flush(self) -> None:
        """The segment ends here, if there is one."""
        if self.is_free:
            self._trim()
            for element in reversed(self.stack):
                if element.segment != self.segment or element.mark.first is None:
                    break
                element.mark.stop = self.length
                self.found.append(element.mark)
            self.blocks.append(self._block())
        self.segment += 1
        self.parts, self.found, self.length, self.is_spaced, self.is_free = [], [], 0, False, False
        self.languages.clear()

    def _trim(self) -> None:
        """The space at the end belongs to the markup behind it."""
        if self.is_spaced:
            self.length -= 1
            place = next(i for i in reversed(range(len(self.parts))) if self.parts[i].text)
            start = self.parts[place].start
            self.parts[place] = Part("", start, start)
            if place + 1 < len(self.parts):
                self.parts[place + 1].start = start

    def _block(self) -> Block:
        language = self.languages.most_common(1)[0][0]
        inner: list[Found] = []
        for mark in self.found:
            mark.start, mark.stop = min(mark.start, self.length), min(mark.stop, self.length)
            is_point = mark.start == mark.stop
            # What stands on the whole of a segment, or at its ends, needs no care.
            if mark.stop - mark.start < self.length and not (is_point and mark.start in (0, self.length)):
                mark.is_fixed = not is_point and (mark.is_fixed or mark.language not in ("", language))
                inner.append(mark)
        marks = tuple(Mark(mark.start, mark.stop, mark.is_fixed) for mark in inner)
        text = "".join(part.text for part in self.parts)
        return Block(Segment(text, marks, language), self.parts, inner)
