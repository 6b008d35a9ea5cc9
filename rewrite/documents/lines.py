"""Lines of plain text, and which of them are one paragraph that was wrapped.

A line is wrapped where the first word of the next had no more room, or where a sentence goes on in small letters.
Poems, headings, tables, code and lists have lines that end for another reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from rewrite.documents.passages import Stretch, body_start, lines_of
from rewrite.layout import is_stopped, no_english_sentence

_NARROWEST, _VERSE, _WIDE, _WIDEST = 40, 50, 120, 200
"""Columns: of a wrapped paragraph, at least; of lines with capitals that are verse; where wrapping needs more proof."""
_FILLED = 0.6
"""The share of lines in a wrapped paragraph that are full, at least."""
_PREFIX = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*")
_MARK = re.compile(
    r"(?:[-–—•·*▪●○►✓+→‣◦]+|[-=]>|\(?(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_]|[ivxlc]{1,6})\)|\d{1,3}(?:\.\d{1,3})*\."
    r"|\d{1,3}(?:\.\d{1,3})+|[IVXLC]{2,6}\.|[§№]+\s*\d+(?:\.\d+)*\.?)[ \t]+(?=\S)"
)
STAYS_BEHIND = re.compile(r"[-–—•·*▪●○►✓+→‣◦§№>|=]+|\(?(?:\d[\d.]*|[^\W\d_]|[ivxlcIVXLC]{1,6})[.)]|\d+(?:\.\d+)+")
"""What would be the sign of a list if a line began with it, so that it stays on the line of the word before it."""
_UNSURE_MARK = re.compile(r"[-–—]|\d")
_COLUMNS = re.compile(r"(?<=[^\s.!?:;…»\")])[ ]{2,}(?=\S)")
_WIDE_GAP = re.compile(r"\S {3,}\S")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}|_{3,}")
_PROMPT = re.compile(r"(?:\$|>>>|#!|C:\\>)\s|[;{}]$|</?\w+[^>]*>$")
_RUNS_ON = re.compile(r"[,(«„—–-]$")


@dataclass(frozen=True)
class Line:
    """A line of which `text`, from `start` to `stop`, is what it says, behind its indent and the sign of a list.

    `column` is where that begins, `indent` where its sign does; `width` is where it ends.
    """

    text: str
    start: int
    stop: int
    prefix: str
    mark: str
    is_kept: bool = False

    @property
    def indent(self) -> int:
        return len(self.prefix.expandtabs())

    @property
    def column(self) -> int:
        return len((self.prefix + self.mark).expandtabs())

    @property
    def width(self) -> int:
        return self.column + len(self.text)

    @property
    def is_stopped(self) -> bool:
        return is_stopped(self.text) or self.text.endswith((":", ";"))

    def without_mark(self) -> Line:
        """The line with its sign read as the word or dash that it is."""
        return replace(self, text=self.mark + self.text, start=self.start - len(self.mark), mark="")


def read_lines(source: str) -> list[Line]:
    lines = []
    for start, end in lines_of(source, body_start(source)):
        whole = source[start:end]
        body = whole.rstrip(" \t")
        prefix = (_PREFIX.match(body) or [""])[0]
        mark = (_MARK.match(body, len(prefix)) or [""])[0]
        text = body[len(prefix) + len(mark) :]
        lines.append(Line(text, start + len(body) - len(text), start + len(body), prefix, mark))
    return [replace(line, is_kept=_is_kept(lines, i)) for i, line in enumerate(lines)]


def _is_kept(lines: Sequence[Line], i: int) -> bool:
    """Whether a line is not to be touched: code, a row of columns, of a table or of contents."""
    line = lines[i]
    if line.text.count("|") > 1 or line.text.startswith("|") or _WIDE_GAP.search(line.text):
        return True
    if _LEADERS.search(line.text) or _PROMPT.search(line.text) or no_english_sentence(line.text) == "code":
        return True
    gaps = _gaps(line)
    return any(gaps & _gaps(other) for other in (*lines[max(i - 1, 0) : i], *lines[i + 1 : i + 2])) if gaps else False


def _gaps(line: Line) -> set[int]:
    return {line.column + gap.end() for gap in _COLUMNS.finditer(line.text)}


def cells(source: str, line: Line) -> Iterator[Stretch]:
    """What stands between the tabs of a line."""
    place = line.start
    for cell in line.text.split("\t"):
        start = place + len(cell) - len(cell.lstrip(" "))
        yield start, max(start, place + len(cell.rstrip(" ")))
        place += len(cell) + 1


def paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The paragraphs that may be rewritten, as lines of theirs.

    What looks like a part of a sentence, whose other part is not wrapped with it, is none.
    """
    block: list[Line] = []
    for line in lines:
        if line.text:
            block.append(line)
        else:
            yield from _Block(block).paragraphs()
            block = []
    yield from _Block(block).paragraphs()


class _Block:
    """Lines between empty ones."""

    def __init__(self, lines: Sequence[Line]) -> None:
        free = [line for line in lines if not line.is_kept and "\t" not in line.text]
        self._is_code = 2 * sum(line.is_kept for line in lines) > len(lines) > 1
        self._width = max((line.width for line in free), default=0)
        self._lines = lines
        following = [line for line in free[1:] if not line.mark]
        self._is_verse = all(line.text[0].isupper() or not line.text[0].isalpha() for line in following) and (
            len(following) > 2 or (bool(following) and self._width < _VERSE)
        )
        full = [self._is_full(a, b) for a, b in pairwise(free) if not b.mark and a.indent >= b.indent]
        self._is_wrapped = sum(full) >= max(2, _FILLED * len(full))

    def paragraphs(self) -> Iterator[list[Line]]:
        if self._is_code:
            return
        parts: list[list[Line]] = []
        for line in self._lines:
            if parts and (joined := self._continued(parts[-1], line)) is not None:
                parts[-1].append(joined)
            else:
                parts.append([line])
        for i, part in enumerate(parts):
            before, after = parts[i - 1][-1] if i else None, parts[i + 1][0] if i + 1 < len(parts) else None
            torn = (before and self._runs_on(before, part[0])) or (after and self._runs_on(part[-1], after))
            if not part[0].is_kept and not torn:
                yield part

    def _is_full(self, line: Line, following: Line) -> bool:
        """Whether the first word of the next line had no more room."""
        first, *others = (following.mark + following.text).split()
        behind = (1 + len(word) for word in takewhile(STAYS_BEHIND.fullmatch, others))
        return line.width + 1 + len(first) + sum(behind) > self._width

    def _continued(self, part: Sequence[Line], line: Line) -> Line | None:
        """The line as what goes on with a paragraph, or `None`."""
        last = part[-1]
        if last.is_kept or line.is_kept or "\t" in last.text + line.text or not self._is_aligned(part, line):
            return None
        if not _NARROWEST <= self._width <= _WIDEST or (self._width > _WIDE and not self._is_wrapped):
            return None
        is_full = self._is_full(last, line)
        if line.mark:
            unsure = _UNSURE_MARK.match(line.mark) and (line.mark[0].isdigit() or line.text[0].islower())
            is_item = last.is_stopped or (last.text.endswith(",") and line.mark[0] == "-")
            return line.without_mark() if unsure and is_full and not is_item else None
        if last.is_stopped and not line.text[0].islower():
            return line if is_full and self._is_wrapped and not self._is_verse else None
        if is_full and not self._is_verse:
            return line
        return line if line.text[0].islower() and not last.is_stopped and 2 * last.width >= self._width else None

    def _is_aligned(self, part: Sequence[Line], line: Line) -> bool:
        first = part[0]
        if line.prefix.count(">") != first.prefix.count(">"):
            return False
        if len(part) > 1:
            return line.prefix == part[1].prefix
        if first.mark:
            return first.indent <= line.indent <= first.column + 2
        return line.prefix == first.prefix or line.indent < first.indent

    def _runs_on(self, line: Line, following: Line) -> bool:
        """Whether a sentence may go on from one line to the next."""
        if following.mark or line.is_kept or following.is_kept or line.is_stopped or "\t" in line.text + following.text:
            return False
        return self._is_verse or following.text[0].islower() or _RUNS_ON.search(line.text) is not None
