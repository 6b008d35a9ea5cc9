"""Each API's own form of an error."""

from __future__ import annotations

import json

import pytest

from rewrite.server.forms import error_response, no_model
from rewrite.server.schemas import ErrorBody, ModelInfo

_ERROR = ErrorBody(message="There is no room.", hint="Try again.", type="QueueFull")


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/models/x"])
@pytest.mark.parametrize(
    ("status", "kind"),
    [(422, "invalid_request_error"), (401, "authentication_error"), (429, "rate_limit_error"), (503, "server_error")],
)
def test_openai(path: str, status: int, kind: str) -> None:
    answer = error_response(path, status, _ERROR, {"Retry-After": "3"})
    assert answer.status_code == (400 if status == 422 else status)
    assert answer.headers["retry-after"] == "3"
    error = json.loads(bytes(answer.body))["error"]
    assert error == {"message": "There is no room. Try again.", "type": kind, "param": None, "code": "QueueFull"}


@pytest.mark.parametrize("path", ["/rerank", "/v1/rerank", "/v2/rerank"])
def test_cohere_and_jina(path: str) -> None:
    answer = error_response(path, 422, _ERROR)
    assert answer.status_code == 400
    assert set(json.loads(bytes(answer.body)).values()) == {"There is no room. Try again."}


def test_languagetool() -> None:
    answer = error_response("/v2/check", 413, _ERROR)
    assert (answer.status_code, bytes(answer.body)) == (413, b"Error: There is no room. Try again.")


def test_ours() -> None:
    answer = error_response("/v1/rewrite", 422, _ERROR)
    assert answer.status_code == 422
    assert json.loads(bytes(answer.body))["error"]["hint"] == "Try again."


def test_a_model_that_is_not_there_is_told_with_those_that_are() -> None:
    answer = no_model("/v1/chat/completions", "gpt-4", [ModelInfo(id="simplify-ru", task="simplify", lang="ru")])
    assert answer.status_code == 404
    assert json.loads(bytes(answer.body))["error"] == {
        "message": "The model 'gpt-4' does not exist. Known: simplify-ru.",
        "type": "invalid_request_error",
        "param": None,
        "code": "model_not_found",
    }
