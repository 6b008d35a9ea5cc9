"""The formats of documents by the endings of their files, and what each is read by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import cast

from rewrite.documents.segments import Document

LINES = "lines"
"""No document: a sentence or paragraph a line, a line out for each."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the endings of its files, what reads it (`module:function`), and how it may show changes.

    `shows` are the endings of the files that it can write with every change to be seen: tracked changes of a Word file,
    CriticMarkup in a text, or a page of HTML.
    """

    suffixes: tuple[str, ...]
    reader: str
    shows: tuple[str, ...]

    def read(self, data: bytes) -> Document:
        """The document that a file holds. Raises `BadInput`, or `MissingExtra` where what reads it is not installed."""
        module, _, name = self.reader.partition(":")
        return cast("Callable[[bytes], Document]", getattr(import_module(module), name))(data)


PAGES = (".html", ".htm")
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "text": Format((".txt", ".text"), "rewrite.documents.plain:read_plain", (".txt", ".text", ".md", *PAGES)),
        "markdown": Format(
            (".md", ".markdown", ".mdown", ".qmd", ".rmd"),
            "rewrite.documents.markdown:read_markdown",
            (".md", ".markdown", *PAGES),
        ),
        "html": Format((*PAGES, ".xhtml"), "rewrite.documents.html:read_html", PAGES),
        "docx": Format((".docx", ".docm"), "rewrite.documents.docx:read_docx", (".docx", ".docm", *PAGES)),
    }
)


def format_of(path: str) -> str:
    """The name of the format that a file's ending tells; empty where it tells none."""
    suffix = Path(path).suffix.lower()
    return next((name for name, format in FORMATS.items() if suffix in format.suffixes), "")
