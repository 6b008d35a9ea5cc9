"""The forms in which other people's APIs give errors, name models and count: what their clients read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from starlette.responses import JSONResponse, PlainTextResponse, Response

from rewrite.server.schemas import ErrorBody, ErrorResponse, ModelInfo

_TOKEN = re.compile(r"\w+|[^\w\s]")


def error_response(path: str, status: int, error: ErrorBody, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request at `path` that failed, in the form that its clients know.

    Where the API that is spoken there has no 422, it is 400.
    """
    text = f"{error.message} {error.hint}".strip()
    if path.startswith(("/v1/chat/", "/v1/models")):
        return JSONResponse(_openai(status, error, text), _plain(status), headers)
    if path.endswith("/rerank"):  # `message` is Cohere's, `detail` Jina's
        return JSONResponse({"message": text, "detail": text}, _plain(status), headers)
    if path.startswith("/v2/"):
        return PlainTextResponse(f"Error: {text}", _plain(status), headers)
    return JSONResponse(ErrorResponse(error=error).model_dump(), status, headers)


def _plain(status: int) -> int:
    return 400 if status == 422 else status


def _openai(status: int, error: ErrorBody, text: str) -> dict[str, object]:
    kinds = {401: "authentication_error", 429: "rate_limit_error"}
    kind = kinds.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {"error": {"message": text, "type": kind, "param": None, "code": error.type}}


def no_model(path: str, name: str, models: Sequence[ModelInfo]) -> Response:
    """404 for a model that is none of `models`."""
    known = [model.id for model in models]
    hint = f"Known: {', '.join(known)}."
    error = ErrorBody(message=f"The model {name!r} does not exist.", hint=hint, type="model_not_found", known=known)
    return error_response(path, 404, error)


def count_tokens(text: str) -> int:
    """Words and marks: no model's tokens, but what usage is told in."""
    return len(_TOKEN.findall(text))
