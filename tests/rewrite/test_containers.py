"""Files that are no plain text are told by their first bytes, with what to do about them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from rewrite.batch import read_lines
from rewrite.containers import one_byte_encoding, refuse
from rewrite.datasets import text_lines
from rewrite.errors import BadInput

TEXT = "Движение по мосту приостановлено, так как начались работы по ремонту дорог.\n"
ENGLISH = "The café on the corner was closed.\n"


def zipped(*names: str, first: str = "") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        if first:
            archive.writestr("mimetype", first)
        for name in names:
            archive.writestr(name, "<x/>")
    return file.getvalue()


FILES = {
    "gzip": (gzip.compress(TEXT.encode()), "packed with gzip.*end in .gz"),
    "zstd": (b"\x28\xb5\x2f\xfd\x04\x00", "packed with zstd.*end in .zst"),
    "xz": (lzma.compress(TEXT.encode()), "packed with xz.*xz -dc"),
    "bzip2": (bz2.compress(TEXT.encode()), "packed with bzip2.*bzip2 -dc"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "PDF.*pdftotext"),
    "rtf": (rb"{\rtf1\ansi Text}", "RTF.*soffice"),
    "doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 100, "old Office document.*soffice"),
    "locked": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16le"), "password"),
    "docx": (zipped("[Content_Types].xml", "word/document.xml"), r"Word document.*rewrite simplify report\.docx -o"),
    "xlsx": (zipped("[Content_Types].xml", "xl/workbook.xml"), "Excel workbook.*CSV"),
    "pptx": (zipped("[Content_Types].xml", "ppt/presentation.xml"), "PowerPoint"),
    "odt": (zipped("content.xml", first="application/vnd.oasis.opendocument.text"), "OpenDocument text.*soffice"),
    "epub": (zipped("content.opf", first="application/epub+zip"), "e-book.*pandoc"),
    "zip": (zipped("text.txt"), "zip archive.*unzip"),
    "parquet": (b"PAR1\x15\x04", "parquet.*--column"),
    "png": (b"\x89PNG\r\n\x1a\n", r"image \(PNG\).*tesseract"),
    "jpeg": (b"\xff\xd8\xff\xe0", r"image \(JPEG\).*tesseract"),
    "marked": (TEXT.encode("utf-16"), "UTF-16LE.*iconv -f utf-16le"),
    "big-endian": (TEXT.encode("utf-16be"), "UTF-16BE.*iconv -f utf-16be"),
    "unmarked": (TEXT.encode("utf-16le"), "UTF-16LE.*iconv -f utf-16le"),
    "unmarked-english": (ENGLISH.encode("utf-16le"), "UTF-16LE.*iconv -f utf-16le"),
    "utf32": (TEXT.encode("utf-32"), "UTF-32LE.*iconv -f utf-32le"),
}


@pytest.mark.parametrize("kind", FILES)
def test_what_is_no_text_is_told_with_advice(kind: str, tmp_path: Path) -> None:
    data, advice = FILES[kind]
    path = tmp_path / "file"
    path.write_bytes(data)
    for read in (read_lines, lambda path: text_lines(Path(path))):
        with pytest.raises(BadInput, match=rf"(?s){path} is .*{advice}"):
            list(read(str(path)))


@pytest.mark.parametrize("kind", ["docx", "doc", "odt"])
def test_real_files_are_told(kind: str, tmp_path: Path) -> None:
    if not shutil.which("soffice"):
        pytest.skip("needs LibreOffice")
    source = tmp_path / "text.txt"
    source.write_text(TEXT, encoding="utf-8")
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", kind]
    subprocess.run([*command, "--outdir", str(tmp_path), str(source)], check=True, capture_output=True, timeout=120)
    with pytest.raises(BadInput, match=f"(?s){FILES[kind][1]}"):
        refuse((tmp_path / f"text.{kind}").read_bytes()[: 1 << 16], "text")


@pytest.mark.parametrize(
    "text", [TEXT, ENGLISH, "", "а\x00б", "PK", "\ufeffТекст", "<p>Текст</p>", "\x00\x00\x00", "BZ"]
)
def test_text_is_let_through(text: str) -> None:
    refuse(text.encode(), "text")


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866", "iso-8859-5"])
@pytest.mark.parametrize("text", [TEXT, TEXT.upper(), "Отчёт за 2020 год (Q3 report, final)"])
def test_encodings_of_one_byte_are_guessed(encoding: str, text: str) -> None:
    assert one_byte_encoding(text.encode(encoding)) == encoding


def test_of_mixed_encodings_the_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_bytes(TEXT.encode() * 2 + TEXT.encode("koi8-r"))
    with pytest.raises(BadInput, match=r"line 3, byte 1 .*looks like koi8-r.*the lines before it are UTF-8"):
        list(read_lines(str(path)))
    assert one_byte_encoding(ENGLISH.encode("cp1252")) == "cp1252"
