"""What is no plain text, told by its first bytes: packed files, office documents, images, text in another encoding."""

from __future__ import annotations

import codecs

from rewrite.errors import BadInput

_AS_FILE = "Give it by its name: rewrite simplify report.docx -o simple.docx."
_CONVERT = "Save it as .docx first: soffice --headless --convert-to docx FILE."
_PICTURE = "Its text must be read off the picture first, for instance with: tesseract FILE out -l rus+eng."
_UNPACK = "Let its name end in {suffix}, or unpack it first: {command} FILE | rewrite simplify."
_KINDS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "packed with gzip", _UNPACK.format(suffix=".gz", command="gzip -dc")),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", _UNPACK.format(suffix=".zst", command="zstd -dc")),
    (b"\xfd7zXZ\x00", "packed with xz", "Unpack it first: xz -dc FILE | rewrite simplify."),
    (b"BZh", "packed with bzip2", "Unpack it first: bzip2 -dc FILE | rewrite simplify."),
    (b"Rar!\x1a", "a RAR archive", "Unpack it first."),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it first."),
    (b"%PDF-", "PDF", "Take its text out, then: pdftotext FILE.pdf FILE.txt; rewrite simplify FILE.txt -o simple.txt."),
    (rb"{\rtf", "RTF", _CONVERT),
    (b"PAR1", "parquet", "Let its name end in .parquet, and name the column: -i FILE.parquet --column text."),
    (b"\x89PNG\r\n", "an image (PNG)", _PICTURE),
    (b"\xff\xd8\xff", "an image (JPEG)", _PICTURE),
    (b"GIF8", "an image (GIF)", _PICTURE),
    (b"II*\x00", "an image (TIFF)", _PICTURE),
    (b"MM\x00*", "an image (TIFF)", _PICTURE),
    (b"AT&TFORM", "DjVu", "Take its text out first: djvutxt FILE.djvu FILE.txt."),
    (
        b"SQLite format 3\x00",
        "a database of SQLite",
        "Export the table first: sqlite3 -csv FILE 'select …' > FILE.csv.",
    ),
    (b"\x7fELF", "a program", "Give a file of text."),
)
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What the names of files in a zip say, or the type that it begins with.
_ZIPPED: tuple[tuple[bytes, str, str], ...] = (
    (b"word/", "a Word document (.docx)", _AS_FILE),
    (b"xl/", "an Excel workbook (.xlsx)", "Save the sheet as CSV and name the column: -i FILE.csv --column text."),
    (b"ppt/", "a PowerPoint presentation (.pptx)", "Take its text out first."),
    (b"opendocument.text", "an OpenDocument text (.odt)", _CONVERT),
    (
        b"opendocument.spreadsheet",
        "an OpenDocument sheet (.ods)",
        "Save the sheet as CSV and name the column: -i FILE.csv --column text.",
    ),
    (b"application/epub+zip", "an e-book (.epub)", "Take its text out first, for instance with: pandoc FILE -t plain."),
)
_UTF32 = ((codecs.BOM_UTF32_LE, "utf-32le"), (codecs.BOM_UTF32_BE, "utf-32be"))
_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_BYTES_LOOKED_AT = 4_096
_MOST = 0.7
_CYRILLIC = ("cp1251", "koi8-r", "cp866", "iso-8859-5")
_COMMONEST_FIRST = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"
_FEW = 0.3


def refuse(head: bytes, name: str) -> None:
    """Raise `BadInput` where `head`, the first bytes of `name`, is something well known and no text in UTF-8."""
    for sign, kind, advice in _KINDS:
        if head.startswith(sign):
            raise BadInput(f"{name} is {kind}, not plain text.", hint=advice)
    if head.startswith(_ZIP):
        kind, advice = _zipped(head, name)
        raise BadInput(f"{name} is {kind}, not plain text.", hint=advice)
    if head.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16le") in head:
            raise BadInput(f"{name} is a document with a password.", hint="Save it without one first.")
        raise BadInput(f"{name} is an old Office document (.doc, .xls), not plain text.", hint=_CONVERT)
    if encoding := _wide(head):
        raise BadInput(
            f"{name} is text in {encoding.upper()}, not in UTF-8.",
            hint=f"Convert it first: iconv -f {encoding} -t utf-8 FILE.",
        )


def _zipped(head: bytes, name: str) -> tuple[str, str]:
    for sign, kind, advice in _ZIPPED:
        if sign in head:
            return kind, advice
    if b"[Content_Types].xml" in head and name.lower().endswith((".docx", ".docm")):
        return _ZIPPED[0][1:]
    return "a zip archive", "Unpack it first: unzip FILE."


def _wide(head: bytes) -> str:
    """The encoding of text that takes two or four bytes a character, with or without a mark; empty for other text."""
    for sign, encoding in (*_UTF32, *_UTF16):
        if head.startswith(sign):
            return encoding
    looked_at = head[: min(len(head), _BYTES_LOOKED_AT) // 2 * 2]
    # Every second byte of Latin and Cyrillic letters is 0 or 4, which no text in UTF-8 has.
    first, second = (sum(byte in (0, 4) for byte in looked_at[start::2]) for start in (0, 1))
    least = _MOST * len(looked_at) / 2
    if len(looked_at) < 4 or max(first, second) < least or min(first, second) >= least:
        return ""
    letters = looked_at[0 if second > first else 1 :: 2]
    if sum(byte < 0x20 for byte in letters) * 2 > len(letters):  # lines of NUL
        return ""
    return "utf-16le" if second > first else "utf-16be"


def recoding(line: bytes, *, whole: bool) -> str:
    """What to do about a line that is not UTF-8; without `whole`, those before it are."""
    encoding = one_byte_encoding(line)
    advice = f"It looks like {encoding}. Convert the text first: iconv -f {encoding} -t utf-8"
    return advice if whole else f"{advice}; or, as the lines before it are UTF-8, mend this one."


def one_byte_encoding(data: bytes) -> str:
    """What text with a byte a letter is in, a guess from its commonest letters: `cp1251`, `koi8-r`, …, `cp1252`."""
    high = [byte for byte in data if byte > 0x7F]
    letters = sum(byte > 0x7F or chr(byte).isalpha() for byte in data)
    if len(high) < _FEW * letters:
        return "cp1252"
    return max(_CYRILLIC, key=lambda encoding: _likeness(data.decode(encoding, "replace")))


def _likeness(text: str) -> int:
    """How much `text` looks like Russian: common letters, small ones behind small ones, no signs between them."""
    total = 0
    for before, letter in zip(f" {text}", text, strict=False):
        if letter.isascii():
            continue
        rank = _COMMONEST_FIRST.find(letter.lower())
        turned = before.islower() and letter.isupper()
        total += -len(_COMMONEST_FIRST) if rank < 0 or turned else len(_COMMONEST_FIRST) - rank
    return total
