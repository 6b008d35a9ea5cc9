"""The package of a Word file: a zip of parts, what each is to another, limits, and what is refused."""

from __future__ import annotations

import copy
import io
import posixpath
import shutil
import zipfile
import zlib
from collections.abc import Mapping

from lxml import etree

from rewrite.errors import BadInput

_MEMBERS, _TOTAL, _PART = 10_000, 1 << 30, 128 << 20
"""Members of the zip, bytes of all, and bytes of one part that is parsed: at most."""
_RATIO, _SMALL = 150, 64 << 20
"""How many times its size a file may unpack to, where that is more than `_SMALL` bytes."""
_CFB = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STREAMS = {
    "EncryptedPackage": ("an encrypted document", "Open it in Word or LibreOffice, take its password off and save it."),
    "WordDocument": ("a document of Word 97–2003 (.doc)", "Save it as .docx: soffice --convert-to docx FILE."),
    "Workbook": ("a table of Excel 97–2003 (.xls)", "Save its text as a .docx, .txt or .csv file."),
    "PowerPoint Document": ("slides of PowerPoint 97–2003 (.ppt)", "Save their text as a .docx or .txt file."),
}
_OTHER_ZIPS = {
    b"application/vnd.oasis.opendocument.text": "an OpenDocument text (.odt)",
    b"application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument table (.ods)",
    b"application/vnd.oasis.opendocument.presentation": "OpenDocument slides (.odp)",
    b"application/epub+zip": "an e-book (.epub)",
    b"spreadsheetml": "a table of Excel (.xlsx)",
    b"presentationml": "slides of PowerPoint (.pptx)",
}
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TYPES = "[Content_Types].xml"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
_DAMAGED = "Open it in Word or LibreOffice, which may repair it, and save it again."


class Package:
    """The parts of a Word file by name; `main` is that of the body."""

    def __init__(self, data: bytes) -> None:
        _refuse_containers(data)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise BadInput(f"The file begins as a zip and cannot be read as one: {error}.", hint=_DAMAGED) from None
        members = self._zip.infolist()
        _refuse_bombs(members, len(data))
        self.names = [member.filename for member in members]
        self.checksums = {member.filename: (member.CRC, member.file_size) for member in members}
        self.main = self._main()

    def _main(self) -> str:
        targets = self.related("", "officeDocument")
        if targets and _TYPES in self.names and "word" in self._type_of(targets[0]):
            return targets[0]
        kinds = b"".join(self.read(name) for name in ("mimetype", _TYPES) if name in self.names)
        kind = next((name for sign, name in _OTHER_ZIPS.items() if sign in kinds), "a zip without a Word document")
        raise BadInput(f"The file is {kind}, not a Word document.", hint="Save its text as .docx, or as plain text.")

    def _type_of(self, part: str) -> str:
        """The content type of a part: its own, or that of its suffix."""
        types = list(self.parse(_TYPES))
        named = [
            node.get("ContentType", "") for node in types if node.get("PartName", "").lower() == f"/{part}".lower()
        ]
        suffix = part.rpartition(".")[2].lower()
        common = [node.get("ContentType", "") for node in types if node.get("Extension", "").lower() == suffix]
        return next(iter([*named, *common]), "").lower()

    def read(self, name: str) -> bytes:
        """The bytes of a part that is parsed."""
        try:
            member = self._zip.getinfo(name)
            if member.file_size > _PART:
                raise BadInput(
                    f"The part {name} of the Word file has {member.file_size:,} bytes, more than {_PART:,}.",
                    hint="Save the document in several files.",
                )
            return self._zip.read(member)
        except KeyError:
            raise BadInput(f"The Word file lacks its part {name}.", hint=_DAMAGED) from None
        except _BROKEN as error:
            raise BadInput(f"The part {name} of the Word file cannot be unpacked: {error}.", hint=_DAMAGED) from None

    def parse(self, name: str) -> etree._Element:
        """The root of a part; what declares entities is refused."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            root = etree.fromstring(self.read(name), parser)
        except etree.XMLSyntaxError as error:
            raise BadInput(f"The part {name} of the Word file is not well-formed: {error}.", hint=_DAMAGED) from None
        if root.getroottree().docinfo.internalDTD is not None:
            raise BadInput(f"The part {name} of the Word file declares a document type, which none may.", hint=_DAMAGED)
        return root

    def related(self, source: str, kind: str) -> list[str]:
        """The names of parts that `source` names as its `kind` ("styles"); of the package for an empty source."""
        name = relationships_of(source)
        if name not in self.names:
            return []
        targets = [
            posixpath.normpath(posixpath.join("/", posixpath.dirname(source), node.get("Target", ""))).lstrip("/")
            for node in self.parse(name).iter(_RELATIONSHIP)
            if node.get("Type", "").endswith(f"/{kind}") and node.get("TargetMode") != "External"
        ]
        return [target for target in dict.fromkeys(targets) if target in self.names]

    def with_parts(self, parts: Mapping[str, bytes]) -> bytes:
        """The package with these parts in place of its own; all others are copied."""
        out = io.BytesIO()
        try:
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
                for member in self._zip.infolist():
                    # What is written is noted in the entry itself.
                    entry = copy.copy(member)
                    if member.filename in parts:
                        target.writestr(entry, parts[member.filename])
                        continue
                    with self._zip.open(member) as old, target.open(entry, "w") as new:
                        shutil.copyfileobj(old, new)
                for name in parts.keys() - set(self.names):
                    target.writestr(name, parts[name])
        except _BROKEN as error:
            raise BadInput(f"A part of the Word file cannot be unpacked: {error}.", hint=_DAMAGED) from None
        return out.getvalue()


def relationships_of(part: str) -> str:
    """The name of the part that says what a part is related to."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _refuse_containers(data: bytes) -> None:
    if data.startswith(b"PK"):
        return
    if not data.startswith(_CFB):
        raise BadInput("The file is no Word document: it does not begin as a zip.", hint="Is it text? Name it .txt.")
    for stream, (kind, hint) in _STREAMS.items():
        # Names of streams are UTF-16 in the directory, which may be anywhere in the file.
        if f"{stream}\0".encode("utf-16-le") in data:
            raise BadInput(f"The file is {kind}, which cannot be read.", hint=hint)
    raise BadInput(
        "The file is an encrypted document or one of an old Office (.doc), which cannot be read.",
        hint="Save it as .docx without a password.",
    )


def _refuse_bombs(members: list[zipfile.ZipInfo], packed: int) -> None:
    # `zipfile` reads no more of a member than it declares, so what is declared can be relied on.
    total = sum(member.file_size for member in members)
    fault = (
        f"it has {len(members):,} members, more than {_MEMBERS:,}"
        if len(members) > _MEMBERS
        else f"it unpacks to {total:,} bytes, more than {_TOTAL:,}"
        if total > _TOTAL
        else f"it unpacks to {total // packed:,} times its size, more than {_RATIO}"
        if total > _SMALL and total > _RATIO * packed
        else ""
    )
    if fault:
        raise BadInput(f"The Word file is refused as a zip bomb: {fault}.", hint="Check where it comes from.")
    if any(member.flag_bits & 1 for member in members):
        raise BadInput("The zip of the Word file is encrypted.", hint="Pack it again without a password.")
