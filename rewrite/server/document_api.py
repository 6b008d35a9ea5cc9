"""A text with its edits as a Word file, where an editor takes or leaves each."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from rewrite.documents.docx.new import write_docx
from rewrite.server.schemas import ErrorResponse, Message, Text

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

router = APIRouter(tags=["rewrite"], responses={422: {"model": ErrorResponse}})


class TextEdit(Message):
    """Code points `start` to `end` of the text become `replacement`, in which a line break is a space."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    replacement: Text


class DocumentRequest(Message):
    """A text as it was, and the edits to it, none over another or over the end of a line."""

    text: Text
    edits: list[TextEdit] = Field(default_factory=list)


@router.post(
    "/v1/document",
    response_class=Response,
    responses={200: {"content": {_TYPE: {"schema": {"type": "string", "format": "binary"}}}}},
)
def document(body: DocumentRequest, request: Request) -> Response:
    """A Word file (.docx) whose paragraphs are the lines of the text, with each edit as a tracked change."""
    check_length = request.app.state.service.check_length
    check_length(len(body.text))
    check_length(sum(len(edit.replacement) for edit in body.edits))
    data = write_docx(body.text, [(edit.start, edit.end, edit.replacement) for edit in body.edits])
    return Response(data, media_type=_TYPE, headers={"Content-Disposition": 'attachment; filename="rewrite.docx"'})
