"""Rewriting in the form of OpenAI's chat completions: the last message of the user is the text, the model the task."""

from __future__ import annotations

import difflib
import json
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from starlette.responses import JSONResponse, Response

from rewrite.errors import BadInput
from rewrite.layout import Layout
from rewrite.server.connection import client_of, event_stream
from rewrite.server.forms import count_tokens, no_model
from rewrite.server.schemas import ModelInfo, RewriteRequest, Sentence, SentenceEvent, StartEvent, Text
from rewrite.server.service import Service
from rewrite.version import version

router = APIRouter(tags=["openai"])


def _joined(content: Any) -> Any:
    """Parts of a message as one text; `None` (a message that calls a tool) as an empty one."""
    if not isinstance(content, list):
        return "" if content is None else content
    if any(not isinstance(part, dict) or part.get("type") != "text" for part in content):
        raise ValueError("parts of a message must be texts: {'type': 'text', 'text': …}")
    return "\n".join(str(part.get("text", "")) for part in content)


class ChatMessage(BaseModel):
    role: str
    content: Annotated[Text, BeforeValidator(_joined)] = ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class ChatRequest(BaseModel):
    """What OpenAI's clients send; what has no meaning here, such as `temperature`, is passed over.

    `weights`, `preset`, `control`, and other `options` of the task go into `extra_body`.
    """

    model_config = ConfigDict(extra="allow")

    model: str
    messages: list[ChatMessage] = Field(min_length=1)
    n: int | None = Field(None, ge=1, le=128, description="So many rewrites, best first.")
    seed: int | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    weights: dict[str, Any] = Field(default_factory=dict)
    preset: str | None = None
    control: float | None = None
    options: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _no_slip(self) -> ChatRequest:
        for name in self.model_extra or ():
            meant = difflib.get_close_matches(name, ("weights", "preset", "control", "options"), n=1, cutoff=0.8)
            if meant:
                raise ValueError(f"unknown key {name!r}: did you mean {meant[0]}?")
        return self


@router.post("/v1/chat/completions")
async def complete(body: ChatRequest, request: Request) -> Response:
    """The text of the last message of the user, rewritten; the k-th of `n` takes the k-th best of each sentence."""
    service = request.app.state.service
    models: list[ModelInfo] = service.models()
    model = next((model for model in models if model.id == body.model), None)
    if model is None:
        return no_model(request.url.path, body.model, models)
    text = next((message.content for message in reversed(body.messages) if message.role == "user"), None)
    if text is None:
        raise BadInput("There is no message of the user.", hint="The last one is the text: {'role': 'user', …}.")
    choosing = body.model_dump(include={"seed", "preset", "control"}, exclude_none=True)
    fields = {"task": model.task, "lang": model.lang, "text": text, "weights": body.weights}
    asked = RewriteRequest.model_validate({**fields, "options": {**body.options, **choosing}})
    head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": model.id}
    client, count = client_of(request), body.n or 1
    if body.stream:
        with_usage = body.stream_options is not None and body.stream_options.include_usage
        pieces = _pieces(service, asked, client, count)
        return event_stream(request, _chunks(head, pieces, count, text if with_usage else None))
    result = (await service.rewrite_all(asked, client=client)).results[0]
    best = [_best(sentence) for sentence in result.sentences]
    rewrites = [
        Layout((), tuple(result.gaps)).join(tuple(texts[min(k, len(texts) - 1)] for texts in best))
        for k in range(count)
    ]
    messages = [{"role": "assistant", "content": rewrite, "refusal": None} for rewrite in rewrites]
    choices = [{"index": i, "message": m, "logprobs": None, "finish_reason": "stop"} for i, m in enumerate(messages)]
    whole = {**head, "object": "chat.completion", "choices": choices, "usage": _usage(text, rewrites)}
    return JSONResponse({**whole, "signature": result.signature, "version": version()})


Piece = tuple[int, str]
"""The number of a choice, and what comes next of it."""


async def _pieces(service: Service, asked: RewriteRequest, client: str, count: int) -> AsyncGenerator[Piece, None]:
    """The `count` best rewrites, each sentence as soon as it and all before it are done."""
    gaps: list[str] = []
    done: dict[int, list[str]] = {}
    sent = 0
    async with aclosing(service.rewrite(asked, client=client)) as events:
        async for event in events:
            if isinstance(event, StartEvent):
                gaps = event.results[0].gaps
                for i in range(count):
                    yield i, gaps[0]
            elif isinstance(event, SentenceEvent):
                done[event.index] = _best(event.sentence)
                while sent in done:
                    best = done.pop(sent)
                    sent += 1
                    for i in range(count):
                        yield i, best[min(i, len(best) - 1)] + gaps[sent]


async def _chunks(
    head: dict[str, Any], pieces: AsyncGenerator[Piece, None], count: int, text: str | None
) -> AsyncGenerator[str | dict[str, Any], None]:
    """Events of a stream; with the usage of `text` at the end, where it is asked for."""

    def event(choices: list[dict[str, Any]], **more: Any) -> str:
        return json.dumps({**head, "object": "chat.completion.chunk", "choices": choices, **more}, ensure_ascii=False)

    written = [""] * count
    roles = [{"role": "assistant"} for _ in written]
    async with aclosing(pieces):
        async for i, piece in pieces:
            role, roles[i], written[i] = roles[i], {}, written[i] + piece
            yield event([{"index": i, "delta": {**role, "content": piece}, "finish_reason": None}])
    for i in range(count):
        yield event([{"index": i, "delta": {}, "finish_reason": "stop"}])
    if text is not None:
        yield event([], usage=_usage(text, written))


def _best(sentence: Sentence) -> list[str]:
    """What may stand in a sentence's place, best first, beginning with what does."""
    texts = [sentence.table.candidates[row].text for row in sentence.order] if sentence.table else []
    return list(dict.fromkeys((sentence.text, *texts)))


def _usage(text: str, rewrites: list[str]) -> dict[str, int]:
    read, written = count_tokens(text), sum(map(count_tokens, rewrites))
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


@router.get("/v1/models")
async def models(request: Request) -> dict[str, Any]:
    """Tasks by language, as clients list models."""
    return {"object": "list", "data": [_model(model) for model in request.app.state.service.models(installed=True)]}


@router.get("/v1/models/{name}")
async def one_model(name: str, request: Request) -> Response:
    known = request.app.state.service.models()
    named = [model for model in known if model.id == name]
    return JSONResponse(_model(named[0])) if named else no_model(request.url.path, name, known)


def _model(model: ModelInfo) -> dict[str, Any]:
    return {**model.model_dump(), "object": "model", "created": 0, "owned_by": "rewrite-rerank"}
