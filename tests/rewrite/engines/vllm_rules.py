"""What vLLM 0.32 refuses, in its words, for the tests' server; and a little more.

vLLM takes a field that it does not know and says nothing: here such a field is refused, for it is a slip of ours. And
where a prompt fits but leaves too little room for `max_tokens` it shortens the answer: here that is refused, as OpenAI
and older vLLM do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

__all__ = ["Refusal", "refusal"]

_SEEDS = 1 << 63
# What vLLM takes unless its VLLM_MAX_STOP_STRINGS says otherwise; OpenAI takes as many.
_MOST_STOPS = 4
_Stop = str | Annotated[list[str], Field(max_length=_MOST_STOPS)] | None


@dataclass(frozen=True)
class Refusal:
    """An answer with status 400: what it says, and the field that it is about."""

    message: str
    param: str | None = None


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: str
    n: int = 1
    seed: int | None = Field(None, ge=-_SEEDS, lt=_SEEDS)
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: _Stop = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None


class _Completion(_Request):
    prompt: str | None = None
    logprobs: int | None = None


class _Turn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: str
    content: str


class _Chat(_Request):
    messages: list[_Turn]
    logprobs: bool | None = None


def refusal(path: str, payload: Mapping[str, Any], *, context: int) -> Refusal | None:
    """Why a server with so many positions does not answer, or `None` where it does; a word is a token there."""
    chat = path.endswith("/chat/completions")
    if not chat and payload.get("prompt") in (None, ""):
        return Refusal("Either prompt or prompt_embeds must be provided and non-empty.", "prompt")
    try:
        request = (_Chat if chat else _Completion).model_validate(dict(payload))
    except ValidationError as error:
        return _malformed(error)
    if isinstance(request, _Chat):
        words = " ".join(turn.content for turn in request.messages).split()
    else:
        words = str(getattr(request, "prompt", "")).split()
    return _out_of_range(request) or _too_long(len(words), _limit(request), context)


def _malformed(error: ValidationError) -> Refusal:
    found = error.errors(include_url=False)
    places = [".".join(("body", *(str(part) for part in item["loc"] if _is_field(part)))) for item in found]
    lines = [
        f"  {{'type': {item['type']!r}, 'loc': {place!r}, 'msg': {item['msg']!r}}}"
        for item, place in zip(found, places, strict=True)
    ]
    label = "error" if len(found) == 1 else "errors"
    return Refusal("\n".join((f"{len(found)} validation {label}:", *lines)), places[0])


def _is_field(part: str | int) -> bool:
    """Whether it is a place in the request, and not the name of a type that a union tried."""
    return part != "str" and "[" not in str(part)


def _out_of_range(request: _Request) -> Refusal | None:
    temperature = 1.0 if request.temperature is None else request.temperature
    top_p = 1.0 if request.top_p is None else request.top_p
    stops = [request.stop] if isinstance(request.stop, str) else request.stop or []
    limit = _limit(request)
    rules = [
        (request.n < 1, "n", f"n must be at least 1, got {request.n}."),
        (temperature < 0, "temperature", f"temperature must be non-negative, got {temperature}."),
        (temperature > 2, "temperature", f"temperature must be in [0, 2], got {temperature}."),
        (not 0 < top_p <= 1, "top_p", f"top_p must be in (0, 1], got {top_p}."),
        ((request.top_k or 0) < -1, "top_k", f"top_k must be 0 (disable), or at least 1, got {request.top_k}."),
        (limit < 1, "max_tokens", f"max_tokens must be at least 1, got {limit}."),
        ("" in stops, "stop", "stop cannot contain an empty string."),
        (temperature == 0 and request.n > 1, "n", f"n must be 1 when using greedy sampling, got {request.n}."),
    ]
    return next((Refusal(message, param) for broken, param, message in rules if broken), None)


def _limit(request: _Request) -> int:
    told = request.max_completion_tokens if request.max_tokens is None else request.max_tokens
    return 16 if told is None else told


def _too_long(length: int, limit: int, context: int) -> Refusal | None:
    model = f"This model's maximum context length is {context} tokens. However, "
    if limit > context:
        words = f"max_tokens={limit} cannot be greater than max_model_len={context}."
        return Refusal(f"{words} Please request fewer output tokens.", "max_tokens")
    if length > context:
        # It stops counting where it is sure.
        words = f"your prompt contains at least {context + 1} input tokens, which exceeds this limit even without any "
        return Refusal(f"{model}{words}output tokens. Please reduce the length of the input prompt.", "input_tokens")
    if length + limit > context:
        words = f"you requested {length + limit} tokens ({length} in the messages, {limit} in the completion)."
        return Refusal(f"{model}{words}", "max_tokens")
    return None
