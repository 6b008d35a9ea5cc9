"""Word files (.docx, .docm, .dotx): words change, everything else of the package stays.

Paragraphs of the body, of tables, text boxes, footnotes, endnotes, headers and footers are read. Contents, indices,
code, results of fields, formulas, bound or locked content controls and paragraphs with tracked changes of their own
are not.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from rewrite.errors import MissingExtra

if TYPE_CHECKING:
    from rewrite.documents.docx.document import DocxDocument


def read_docx(data: bytes) -> DocxDocument:
    """A Word file; `BadInput` says what else it is, or what is wrong with it."""
    if find_spec("lxml") is None:
        raise MissingExtra("Word files need lxml.", hint="Run: pip install 'rewrite-rerank[documents]'")
    from rewrite.documents.docx.document import DocxDocument

    return DocxDocument(data)
