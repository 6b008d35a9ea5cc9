"""HTML cut into tags and text by their places, as the HTML standard's tokenizer does, and the encoding of its bytes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rewrite.errors import BadInput

_BOMS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_HEAD = 1 << 16
"""Bytes in which a page says its encoding."""
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_CHARSETS = (
    re.compile(rb"""<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE),
    re.compile(rb"""^\s*<\?xml\b[^>]{0,500}?\bencoding\s*=\s*["']([\w.:-]+)"""),
)
_READ_AS = {
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii"), "windows-1252"),
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16be"), "utf-8"),
    **{"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949", "iso-8859-9": "windows-1254"},
}
"""What browsers take a name for."""

_MARKUP = re.compile(r"<(?:!--|!\[CDATA\[|\?php\b|\?=|[!?]|/?(?=[a-zA-Z])|/)")
_ENDS = {
    "<!--": re.compile(r"--!?>"),
    "<![CDATA[": re.compile(r"\]\]>"),
    "<?php": re.compile(r"\?>"),
    "<?=": re.compile(r"\?>"),
}
_STOP = re.compile(">")
_NAME = re.compile(r"[^ \t\n\r\f/>]+")
# A value that never ends goes to the end of the file.
_ATTRIBUTE = re.compile(
    r"""[ \t\n\r\f/]*(?:(>)|([^ \t\n\r\f/>][^ \t\n\r\f/>=]*)
    (?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^ \t\n\r\f>"'][^ \t\n\r\f>]*)?))?)""",
    re.VERBOSE,
)
_RAW = frozenset("script style textarea title xmp iframe noembed noframes".split())
"""Elements in which nothing but their own end tag is markup."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, or what is no text without a name: a comment, a declaration, the content of a script."""

    name: str = ""
    is_end: bool = False
    is_closed: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)


_NO_TAG = Tag()


def tokens(source: str, is_xml: bool) -> Iterator[tuple[int, int, Tag | None]]:
    """Where each tag and each run of text, which has no tag, begins and ends; together they are the whole source."""
    place = 0
    while found := _MARKUP.search(source, place):
        start, opener = found.span()[0], found.group()
        if start > place:
            yield place, start, None
        tag, place = _NO_TAG, found.end()
        if opener == "</" and not source[place : place + 1].isalpha():
            tag, place = _NO_TAG, _after(_STOP, source, place)
        elif opener in ("<", "</"):
            tag, place = _tag(source, place, opener == "</")
        else:
            # `<!-->` is a comment, too.
            place = _after(_ENDS.get(opener, _STOP), source, start + 2)
        yield start, place, tag
        if tag.name == "plaintext" and place < len(source):
            yield place, len(source), _NO_TAG
            return
        if tag.name in _RAW and not tag.is_end and not (is_xml and tag.is_closed):
            end = re.compile(rf"</{tag.name}(?=[ \t\n\r\f/>])", re.IGNORECASE).search(source, place)
            stop = end.start() if end else len(source)
            if stop > place:
                yield place, stop, None if tag.name == "title" and end else _NO_TAG
            place = stop
    if place < len(source):
        yield place, len(source), None


def _after(end: re.Pattern[str], source: str, place: int) -> int:
    found = end.search(source, place)
    return found.end() if found else len(source)


def _tag(source: str, place: int, is_end: bool) -> tuple[Tag, int]:
    """The tag whose name begins at `place`, and where it ends."""
    name = _NAME.match(source, place)
    assert name is not None
    place, attributes, is_closed = name.end(), dict[str, str](), False
    while found := _ATTRIBUTE.match(source, place):
        place = found.end()
        if found[1]:
            is_closed = "/" in found[0]
            break
        attributes.setdefault(found[2].lower(), found[3] or found[4] or found[5] or "")
    else:
        place = len(source)
    return Tag(name[0].lower(), is_end, is_closed, attributes), place


def decoded(data: bytes) -> tuple[bytes, str, str]:
    """The byte order mark, the name of the encoding, and the text; encoded again it is `data`, byte for byte."""
    mark = next((mark for mark in _BOMS if data.startswith(mark)), b"")
    body, said = data[len(mark) :], _charset(data[:_HEAD])
    if mark:
        said, encodings = _BOMS[mark], [_BOMS[mark]]
    elif data[:2] in (b"<\0", b"\0<"):
        encodings = ["utf-16-le" if data[:1] == b"<" else "utf-16-be"]
    else:
        # A byte that windows-1252 lacks is one of the encoding that the page names, and browsers pass over.
        encodings = [_READ_AS.get(said, said), said] if said and said not in ("utf-16", "utf-16le") else ["utf-8"]
    faults = {encoding: _fault(body, encoding) for encoding in encodings}
    fitting = [encoding for encoding, fault in faults.items() if fault is None]
    if not fitting:
        raise _unreadable(body, *next(iter(faults.items())), said)
    return mark, fitting[0], body.decode(fitting[0])


def _charset(head: bytes) -> str:
    head = _COMMENT.sub(b"", head)
    return next((found[1].decode().lower() for charset in _CHARSETS if (found := charset.search(head))), "")


def _fault(body: bytes, encoding: str) -> Exception | None:
    """What keeps bytes from being read in an encoding, and written in it again as they are."""
    try:
        return None if body.decode(encoding).encode(encoding) == body else UnicodeError()
    except (LookupError, UnicodeError) as error:
        return error


def _unreadable(body: bytes, encoding: str, error: Exception | None, said: str) -> BadInput:
    if isinstance(error, LookupError):
        return BadInput(
            f"The page says that its encoding is {said!r}, which is none that is known.",
            hint="Correct its charset, or convert it to UTF-8.",
        )
    if not isinstance(error, UnicodeDecodeError):
        return BadInput(
            f"The page in {encoding} would not come back byte for byte.", hint="Convert it to UTF-8, charset included."
        )
    line = body.count(b"\n", 0, error.start) + 1
    byte = error.start - body.rfind(b"\n", 0, error.start)
    where = f"line {line}, byte {byte}"
    if said:
        return BadInput(
            f"The page says that it is {said}, but {where}, is not.", hint="Correct its charset, or those bytes."
        )
    return BadInput(
        f"The page names no encoding and is not UTF-8: {where}.",
        hint='Name it in the head, as <meta charset="windows-1251">, or convert the page to UTF-8.',
    )
