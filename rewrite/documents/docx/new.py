"""A new Word file of plain text: its lines are paragraphs, the edits to it tracked changes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from itertools import count, cycle
from xml.sax.saxutils import escape, quoteattr

from rewrite.errors import BadInput

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_TYPE = "application/vnd.openxmlformats-"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
    f'ContentType="{_TYPE}package.relationships+xml"/><Override PartName="/word/document.xml" '
    f'ContentType="{_TYPE}officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" Type="{_OFFICE}" '
    'Target="word/document.xml"/></Relationships>',
}
_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_NO_XML = re.compile(r"[\x00-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Edit = tuple[int, int, str]
"""Characters `start` to `stop` of a text, and what stands in their place."""


def write_docx(text: str, edits: Sequence[Edit], *, author: str = "rewrite", date: datetime | None = None) -> bytes:
    """The lines of `text` as a Word file, with each edit as a tracked change, which an editor takes or leaves.

    A line break in what an edit puts in becomes a space, and a character that XML cannot hold U+FFFD. Raises
    `BadInput` for edits that overlap or go over the end of a line.
    """
    moment = date or datetime.now(timezone.utc)
    # Of what is put in at the end of a paragraph and at the beginning of the next, by one author in one minute,
    # LibreOffice makes one change, which takes the end of the paragraph with it.
    moments = [f"{moment - timedelta(minutes=ago):%Y-%m-%dT%H:%M:%SZ}" for ago in (0, 2)]
    parts = _body(text, _checked(text, edits), [f"w:author={quoteattr(author)} w:date={quoteattr(m)}" for m in moments])
    document = f'<w:document xmlns:w="{_WORD}"><w:body>{"".join(parts)}</w:body></w:document>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, part in {**_PARTS, "word/document.xml": document}.items():
            target.writestr(name, _XML + part)
    return out.getvalue()


def _checked(text: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """The edits that change something, in order."""
    place = 0
    for start, stop, new in sorted(edits, key=lambda edit: edit[:2]):
        where = f"{start:,} to {stop:,}"
        if not 0 <= start <= stop <= len(text):
            raise BadInput(
                f"An edit is of characters {where} of a text that has {len(text):,}.",
                hint="Count code points from the beginning of the text, as Python does; the end is behind the last.",
            )
        if start < place:
            raise BadInput(f"The edit of characters {where} overlaps the one before.", hint="Join them to one.")
        if _BREAK.search(text, start, stop) or text[start - 1 : start + 1] == "\r\n":
            raise BadInput(f"The edit of characters {where} goes over the end of a line.", hint="Cut it there.")
        place = stop
        if (new := _BREAK.sub(" ", new)) != text[start:stop]:
            yield start, stop, new


def _body(text: str, edits: Iterator[Edit], signs: Sequence[str]) -> Iterator[str]:
    """The paragraphs, whose changes have each of `signs` in turn."""
    numbers = count(1)
    edit = next(edits, None)
    place = 0
    lines = [*(match.span() for match in _BREAK.finditer(text)), (len(text), 0)]
    for (stop, following), sign in zip(lines, cycle(signs), strict=False):
        yield "<w:p>"
        while edit is not None and edit[0] <= stop:
            yield _run(text[place : edit[0]])
            for name, words in (("del", text[edit[0] : edit[1]]), ("ins", edit[2])):
                if words:
                    run = _run(words, "delText" if name == "del" else "t")
                    yield f'<w:{name} w:id="{next(numbers)}" {sign}>{run}</w:{name}>'
            place, edit = edit[1], next(edits, None)
        yield f"{_run(text[place:stop])}</w:p>"
        place = following


def _run(text: str, name: str = "t") -> str:
    if not text:
        return ""
    pieces = escape(_NO_XML.sub("\ufffd", text)).split("\t")
    words = (f'<w:{name} xml:space="preserve">{piece}</w:{name}>' if piece else "" for piece in pieces)
    return f"<w:r>{'<w:tab/>'.join(words)}</w:r>"
