"""Comments of Word: on each changed sentence its score and what came second."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from lxml import etree

from rewrite.documents.docx.editing import Editor, place_before, place_behind
from rewrite.documents.docx.names import SPACE, kind, made, space_of, value
from rewrite.documents.docx.package import Package, relationships_of
from rewrite.documents.docx.paragraphs import Paragraph
from rewrite.documents.revision import Revision

_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


class Comments:
    """The comments of a file, to which some are added."""

    def __init__(self, package: Package, body: etree._Element, editor: Editor) -> None:
        self._package, self._editor = package, editor
        names = package.related(package.main, "comments")
        self._is_new = not names
        self._name = names[0] if names else posixpath.join(posixpath.dirname(package.main), "comments.xml")
        self._root = package.parse(names[0]) if names else made(body, "comments")
        taken = [int(value(node, "id")) for node in self._root if value(node, "id").isdecimal()]
        self._next = max(taken, default=-1) + 1

    def add(self, paragraph: Paragraph, number: int, revisions: Sequence[Revision]) -> None:
        """A comment on each sentence of a line that is changed; where Word has none, in a text box, none."""
        if any(kind(node) == "txbxContent" for node in paragraph.node.iterancestors()):
            return
        for revision in (revision for revision in revisions if revision.changes):
            name, self._next = str(self._next), self._next + 1
            self._root.append(self._comment(name, revision))
            begin, end, sign = (made(self._root, each) for each in ("commentRangeStart", "commentRangeEnd", "r"))
            sign.append(made(self._root, "commentReference"))
            for node in (begin, end, sign[0]):
                node.set(f"{space_of(node)}id", name)
            place_before(paragraph, number, revision.start, begin)
            place_behind(paragraph, number, revision.stop, (end, sign))

    def parts(self) -> dict[str, bytes]:
        """The parts of the package that comments need, where some were added."""
        if not any(value(node, "author") == self._editor.author for node in self._root):
            return {}
        parts = {self._name: written(self._root)}
        if self._is_new:
            parts |= self._declared()
        return parts

    def _comment(self, name: str, revision: Revision) -> etree._Element:
        comment = made(self._root, "comment", id=name, author=self._editor.author, date=self._editor.date, initials="r")
        score = "" if revision.score is None else f"Score {revision.score:.2f}. "
        second = f"Runner-up: {revision.runner_up}" if revision.runner_up else "No other rewrite was better."
        paragraph, run, text = (made(self._root, each) for each in ("p", "r", "t"))
        text.text = score + second
        text.set(SPACE, "preserve")
        run.append(text)
        paragraph.append(run)
        comment.append(paragraph)
        return comment

    def _declared(self) -> dict[str, bytes]:
        """The content types and the relationships of the body, with a part for comments in them."""
        package = self._package
        types = package.parse("[Content_Types].xml")
        override = etree.SubElement(types, f"{space_of(types)}Override")
        override.set("PartName", f"/{self._name}")
        override.set("ContentType", _CONTENT_TYPE)
        name, roots = relationships_of(package.main), list(package.parse("_rels/.rels"))
        kinds = (node.get("Type", "") for node in roots)
        office = next(each for each in kinds if each.endswith("/officeDocument")).rpartition("/")[0]
        relations = (
            package.parse(name) if name in package.names else etree.fromstring(f'<Relationships xmlns="{_RELATIONS}"/>')
        )
        taken = {node.get("Id") for node in relations}
        relation = etree.SubElement(relations, f"{space_of(relations)}Relationship")
        relation.set("Id", next(each for i in range(len(taken) + 1) if (each := f"rIdComments{i}") not in taken))
        relation.set("Type", f"{office}/comments")
        relation.set("Target", f"/{self._name}")
        return {"[Content_Types].xml": written(types), name: written(relations)}


def written(root: etree._Element) -> bytes:
    """A part as it is stored."""
    text: bytes = etree.tostring(root.getroottree(), xml_declaration=True, encoding="UTF-8", standalone=True)
    return text
