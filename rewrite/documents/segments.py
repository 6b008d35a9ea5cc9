"""What documents of all formats are read as: paragraphs of plain words, and what stands on them.

A format reads a file into `Segment`s, in order, and writes it again with `Change`s to them. Nothing between knows
what a tag is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that characters `start` to `stop` of a segment's text have, as emphasis, a link or a format.

    Where both are the same it stands between characters, as the sign of a footnote or an image does: it belongs to
    the character before it, at the beginning and behind a space to the one after it. What is `fixed` may not change by
    a letter, as code.
    """

    start: int
    stop: int
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """A paragraph, heading, item or cell as its reader reads it: `text` without signs of markup, on one line.

    `marks` stand inside each other or side by side. `language` is what the document says of it ("ru"), or empty.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """An edit that may be taken or left alone: `text` in place of characters `start` to `stop` of the segment.

    `origins` has for each character of `text` the place in the segment whose marks it takes.
    """

    start: int
    stop: int
    text: str
    origins: tuple[int, ...]


class Document(Protocol):
    """A file that was read."""

    @property
    def segments(self) -> Sequence[Segment]:
        """What may be rewritten, in order. Code, links' targets, front matter and the like are none of them."""

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """The file with the changes to each segment; without any it is what was read, byte for byte."""

    def structure(self) -> str:
        """A hash of everything but words, equal before and after."""


def changed(segment: Segment, changes: Iterable[Change]) -> tuple[str, tuple[int, ...]]:
    """The text of a segment after `changes`, and for each of its characters the place whose marks it has."""
    parts: list[str] = []
    origins: list[int] = []
    place = 0
    for change in changes:
        parts += (segment.text[place : change.start], change.text)
        origins += (*range(place, change.start), *change.origins)
        place = change.stop
    parts.append(segment.text[place:])
    return "".join(parts), (*origins, *range(place, len(segment.text)))
