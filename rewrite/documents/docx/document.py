"""A Word file that was read, and what is written of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from itertools import cycle

from rerank.errors import counted
from rewrite.documents.docx.comments import Comments, written
from rewrite.documents.docx.editing import Editor, is_possible, make
from rewrite.documents.docx.names import value
from rewrite.documents.docx.package import Package
from rewrite.documents.docx.paragraphs import Paragraph
from rewrite.documents.docx.stories import Story, read_story, read_styles, story_names
from rewrite.documents.docx.structure import structure
from rewrite.documents.revision import Revision
from rewrite.documents.segments import Change, Segment


class DocxDocument:
    """A Word file. `notes` say in plain words what of it stands as it is, or what becomes of it when it is written.

    `refused` are the segments whose changes were not made when it was written last, since a mark would have been lost.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._package = Package(data)
        self._styles = read_styles(self._package)
        self._names = story_names(self._package)
        self.refused: Sequence[int] = ()
        segments: list[Segment] = []
        tracked = controlled = 0
        for story in self._stories():
            segments += (each for paragraph in story.paragraphs for each in paragraph.segments if each is not None)
            tracked += story.tracked
            controlled += story.controlled
        self.segments: Sequence[Segment] = segments
        self.notes = self._notes(tracked, controlled)

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """The file with the changes to each segment; without any it is what was read, byte for byte."""

        def change(paragraph: Paragraph, line: int, segment: int) -> None:
            make(paragraph, line, changes[segment], None)

        return self._package_with(self._made(changes, change))

    def tracked(
        self,
        revisions: Sequence[Sequence[Revision]],
        *,
        author: str = "rewrite",
        date: datetime | None = None,
        comments: bool = False,
    ) -> bytes:
        """The file with the changes of each segment's sentences as tracked changes, which an editor takes or leaves.

        With `comments` there is one on each changed sentence of the body, with its score and what came second.
        """
        changes = [[change for revision in sentence for change in revision.changes] for sentence in revisions]
        moment = date or datetime.now(timezone.utc)
        # Of what is put in at the end of a paragraph and at the beginning of the next, by one author in one minute,
        # LibreOffice makes one change, which takes the end of the paragraph with it.
        moments = cycle(f"{moment - timedelta(minutes=ago):%Y-%m-%dT%H:%M:%SZ}" for ago in (0, 2))
        editor = Editor(author, "", self._highest_id() + 1)
        last: Paragraph | None = None
        body = self._package.parse(self._package.main)
        remarks = Comments(self._package, body, editor) if comments else None

        def change(paragraph: Paragraph, line: int, segment: int) -> None:
            nonlocal last
            if paragraph is not last:
                last, editor.date = paragraph, next(moments)
            if remarks is not None and paragraph.node.getroottree().getroot().tag == body.tag:
                remarks.add(paragraph, line, revisions[segment])
            make(paragraph, line, changes[segment], editor)

        parts = self._made(changes, change)
        return self._package_with(parts | (remarks.parts() if remarks is not None and parts else {}))

    def structure(self) -> str:
        """A hash of everything but words, equal before and after."""
        others = sorted((name, sums) for name, sums in self._package.checksums.items() if name not in self._names)
        return structure(self._stories(), others)

    def _stories(self) -> Iterator[Story]:
        # Read anew each time: who writes changes the tree.
        for name in self._names:
            yield read_story(name, self._package.parse(name), self._styles)

    def _made(
        self, changes: Sequence[Sequence[Change]], change: Callable[[Paragraph, int, int], None]
    ) -> dict[str, bytes]:
        """The parts in which something was changed."""
        parts: dict[str, bytes] = {}
        refused: list[int] = []
        place = 0
        for story in self._stories():
            for paragraph in story.paragraphs:
                for number, line in enumerate(paragraph.lines):
                    if line.segment is None:
                        continue
                    if changes[place] and is_possible(line, changes[place]):
                        change(paragraph, number, place)
                        parts[story.name] = b""
                    elif changes[place]:
                        refused.append(place)
                    place += 1
            if story.name in parts:
                parts[story.name] = written(story.root)
        self.refused = refused
        return parts

    def _package_with(self, parts: dict[str, bytes]) -> bytes:
        return self._package.with_parts(parts) if parts else self._data

    def _highest_id(self) -> int:
        ids = (value(node, "id") for story in self._stories() for node in story.root.iter("{*}*"))
        return max((int(each) for each in ids if each.isdecimal()), default=0)

    def _notes(self, tracked: int, controlled: int) -> list[str]:
        notes: list[str] = []
        if tracked:
            have = counted(tracked, "paragraph has", "paragraphs have")
            notes.append(f"{have} tracked changes of their own and {_stand(tracked)}")
        if controlled:
            are = counted(controlled, "paragraph is", "paragraphs are")
            notes.append(f"{are} in content controls (fields of a form) and {_stand(controlled)}")
        names = [name.lower() for name in self._package.names]
        if any(name.endswith("vbaproject.bin") for name in names):
            notes.append("the file has macros, which are kept as they are")
        if any(name.startswith("_xmlsignatures/") for name in names):
            notes.append("the file is signed, and its signature will not hold where words change")
        return notes


def _stand(count: int) -> str:
    return "stands as it is" if count == 1 else "stand as they are"
