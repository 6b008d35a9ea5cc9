"""What goes over the wire to an OpenAI-compatible server, and how its answers and refusals are read."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from rewrite.engines.base import Message, ModelInput, Sample, without_system
from rewrite.engines.dispatch import Reply
from rewrite.generators.base import Sampling

# More choices than OpenAI itself gives at once; more are asked for in several requests.
MOST_CHOICES = 128

_STOPPED = frozenset({"stop", "eos", "eos_token", "stop_sequence", "end_turn"})
_CUT_OFF = frozenset({"length", "max_tokens"})
# Bytes of UTF-8 in a token, at least: a tokenizer that knows no Russian takes it letter by letter, at 2 bytes each,
# and even then a limit of 1.5 times the tokens thus counted has room for the whole source.
_BYTES = 3
# Of the protocol; servers refuse more.
_MOST_STOPS = 4
_LONGEST_MESSAGE = 500

_REFUSING = frozenset({400, 422, 500, 501})
# Common words count only where they are quoted, as a name is.
_REFUSALS = {
    "top_k": re.compile(r"(?<![a-z_])top_k(?![a-z_])"),
    "logprobs": re.compile(r"logprobs"),
    "stop": re.compile(r"['\"`]stop['\"`]"),
    "n": re.compile(r"only one completion|n_cmpl|\bn must be 1\b|['\"`]n['\"`]", re.IGNORECASE),
    "max_tokens": re.compile(r"(?s)max_tokens.*max_completion_tokens"),
}
# Whoever finds the value of one of these out of range is right; without it another draw than asked for would be made
# in silence. So a server has to say that it does not take the field. One that takes not both gets the temperature.
_REFUSED_AS_SUCH = ("seed", "top_p", "temperature")
_NOT_TAKEN = re.compile(
    r"unknown|unrecogni[sz]ed|unsupported|unexpected|deprecated|only the default|"
    r"(?:extra|additional) (?:input|field|key|propert|param|argument)|"
    r"(?:not|n't|cannot|can't)(?: both| be| currently)* "
    r"(?:support|permit|allow|recogni[sz]e|implement|specified|used|set)",
    re.IGNORECASE,
)
# Not a field, but left out like one: some chat templates know no system turn.
_SYSTEM = "a system turn"
# How servers say that they have no such model; the name stands beside it.
_NO_MODEL = re.compile(r"(?:unknown|invalid|no such) model|not a valid model", re.IGNORECASE)
_NO_SYSTEM = re.compile(
    r"system role|system (?:message|prompt|turn)s? (?:is|are) not|roles must alternate", re.IGNORECASE
)

# What servers say of a prompt that is too long: vLLM, SGLang, llama.cpp and OpenAI, several versions of each.
_TOO_LONG = re.compile(
    r"maximum context|context[ _](?:length|size|window)|maximum model length|max_model_len|prompt is too long",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Request:
    """One request: `n` texts of `limit` tokens at most."""

    model: str
    input: ModelInput
    sampling: Sampling
    chat: bool
    n: int
    seed: int
    limit: int

    @property
    def path(self) -> str:
        return "/chat/completions" if self.chat else "/completions"

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation; a text without turns is what the user says."""
        return self.input.messages or (Message("user", self.input.text),)

    def payload(self, refused: AbstractSet[str]) -> dict[str, object]:
        """The body, with only what is set, and without the fields that a server has `refused`."""
        sampling = self.sampling
        messages = without_system(self.messages) if _SYSTEM in refused else self.messages
        turns = [{"role": message.role, "content": message.content} for message in messages]
        prompt: dict[str, object] = {"messages": turns} if self.chat else {"prompt": self.input.text}
        optional: dict[str, object] = {
            "temperature": 0.0 if sampling.greedy else sampling.temperature,
            "seed": self.seed,
            "logprobs": True if self.chat else 1,
        }
        if sampling.top_p < 1:
            optional["top_p"] = sampling.top_p
        if self.n > 1:
            optional["n"] = self.n
        if sampling.top_k > 0 and not sampling.greedy:
            optional["top_k"] = sampling.top_k
        if sampling.stop:
            # Cleaning cuts at the others.
            optional["stop"] = list(sampling.stop[:_MOST_STOPS])
        limit = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
        return {
            "model": self.model,
            **prompt,
            limit: self.limit,
            **{name: value for name, value in optional.items() if name not in refused},
        }


def request_seed(seed: int, model_input: ModelInput, part: int) -> int:
    """The seed of the `part`-th request for an input, of 31 bits: it depends on the input, not on its company."""
    turns = [[message.role, message.content] for message in model_input.messages]
    content = json.dumps([seed, model_input.text, turns, part]).encode("ascii")
    return int.from_bytes(hashlib.blake2b(content, digest_size=4).digest(), "big") >> 1


def source_tokens(source: str) -> int:
    """How many tokens a source may have, on the high side: only the server knows, and this is for a limit."""
    return math.ceil(len(source.encode("utf-8", "surrogatepass")) / _BYTES)


def read_choices(data: Mapping[str, Any], stop: Sequence[str]) -> list[Sample]:
    """The samples in an answer, in the order of their indexes; choices without a text are left out."""
    listed = data.get("choices")
    choices = [choice for choice in listed if isinstance(choice, dict)] if isinstance(listed, list) else []
    if all(isinstance(choice.get("index"), int) for choice in choices):
        choices.sort(key=lambda choice: int(choice["index"]))
    return [_sample(choice, text, stop) for choice in choices if (text := _text(choice)) is not None]


def server_message(reply: Reply) -> str:
    """What a server says is wrong, in its own words, shortened, with a mark at the end."""
    words = ("; ".join(_messages(_error(reply))) or reply.start).rstrip()
    if len(words) > _LONGEST_MESSAGE:
        return words[: _LONGEST_MESSAGE - 1] + "…"
    return words if words.endswith((".", "!", "?", "…")) else f"{words.rstrip(',;:')}."


def refused_field(reply: Reply) -> str | None:
    """A field (or a system turn) that was sent, that the server does not take, and that can be done without."""
    if reply.status not in _REFUSING or too_long(reply):
        return None
    error = _error(reply)
    named = _fields(error)
    words = "; ".join(_messages(error)) or reply.text
    for name, pattern in _REFUSALS.items():
        # llama.cpp calls what it refuses an error of its own, status 5xx; of others such an error may be anything.
        if name in reply.sent and (reply.status < 500 or name == "n") and (name in named or pattern.search(words)):
            return name
    for name in _REFUSED_AS_SUCH:
        is_meant = name in named or re.search(rf"(?<![a-z_]){name}(?![a-z_])", words)
        if name in reply.sent and reply.status < 500 and is_meant and _NOT_TAKEN.search(words):
            return name
    turns = reply.sent.get("messages")
    if isinstance(turns, list) and any(turn["role"] == "system" for turn in turns) and _NO_SYSTEM.search(words):
        return _SYSTEM
    return None


def too_long(reply: Reply) -> bool:
    """Whether a server says that a prompt does not fit its context."""
    error = _error(reply)
    fields = error if isinstance(error, dict) else {}
    words = "; ".join([*_messages(error), *(str(fields.get(key, "")) for key in ("type", "code"))])
    return reply.status >= 400 and _TOO_LONG.search(words) is not None


def missing_model(reply: Reply, model: str) -> bool:
    """Whether a server says that it has no model of that name, or that what was asked for is not there."""
    if not 400 <= reply.status < 500:
        return False
    error = _error(reply)
    is_coded = isinstance(error, dict) and error.get("code") == "model_not_found"
    words = "; ".join(_messages(error)) or reply.text
    return reply.status == 404 or is_coded or (model in words and _NO_MODEL.search(words) is not None)


def _error(reply: Reply) -> object:
    """The part of an answer that tells of an error: each server has its own place for it."""
    data = reply.data or {}
    return data.get("error") or data.get("detail") or data


def _messages(error: object) -> Iterator[str]:
    if isinstance(error, str):
        yield " ".join(error.split())
    elif isinstance(error, list):
        for item in error:
            yield from _messages(item)
    elif isinstance(error, dict):
        place = f"{'.'.join(map(str, error['loc']))}: " if isinstance(error.get("loc"), list) else ""
        for key in ("message", "msg"):
            if isinstance(error.get(key), str):
                yield place + " ".join(error[key].split())


def _fields(error: object) -> set[str]:
    """Names of the fields that an error says it is about."""
    if isinstance(error, list):
        return set().union(*(_fields(item) for item in error))
    if not isinstance(error, dict):
        return set()
    place = error["loc"] if isinstance(error.get("loc"), list) else []
    # vLLM says "body.stop".
    return {str(name).rpartition(".")[2] for name in (error.get("param"), *place) if name}


def _text(choice: Mapping[str, Any]) -> str | None:
    message = choice.get("message")
    if not isinstance(message, dict):
        text = choice.get("text")
    elif "content" in message:
        # A model that spent its tokens on thinking, or declined, has said nothing.
        text = message["content"] if message["content"] is not None else ""
    else:
        return None
    return text if isinstance(text, str) else None


def _sample(choice: Mapping[str, Any], text: str, stop: Sequence[str]) -> Sample:
    reason = choice.get("finish_reason")
    finish_reason = "stop" if reason in _STOPPED else "length" if reason in _CUT_OFF else None
    logprobs = _logprobs(choice.get("logprobs"))
    end = min(((place, place + len(string)) for string in stop if (place := text.find(string)) >= 0), default=None)
    if end is not None:
        if end[1] < len(text):
            # The server went on, so its probabilities are those of a longer text.
            logprobs = []
        text, finish_reason = text[: end[0]], "stop"
    return Sample(
        text,
        logprob=math.fsum(logprobs) if logprobs else None,
        tokens=len(logprobs) if logprobs else None,
        least_logprob=min(logprobs, default=None),
        finish_reason=finish_reason,
    )


def _logprobs(given: object) -> list[float]:
    """Of each token, in either of the two layouts; empty if any is missing."""
    if not isinstance(given, dict):
        return []
    if isinstance(given.get("content"), list):
        values = [item.get("logprob") if isinstance(item, dict) else None for item in given["content"]]
    else:
        values = given.get("token_logprobs") or []
    if not isinstance(values, list) or not all(_is_number(value) for value in values):
        return []
    return [float(value) for value in values]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
