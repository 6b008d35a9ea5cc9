"""Any server that speaks OpenAI's protocol: vLLM, SGLang, llama.cpp, OpenAI itself; several with the same model too.

An answer takes as long as it takes, so inputs are asked for side by side, one request each; `rewrite.engines.dispatch`
spreads them. Servers differ in what they take: a field that one refuses and that can be done without is left out for
that server from then on (`rewrite.engines.openai_wire.refused_field`), `top_k` among them, and a server that gives
fewer texts than asked is asked again. What is drawn is as repeatable as the server's own use of a seed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field

from rewrite.engines.base import Drawn, ModelInfo, ModelInput, Sample
from rewrite.engines.dispatch import Limits, Pace, Reply, Server, Session, run_apart
from rewrite.engines.openai_wire import (
    MOST_CHOICES,
    Request,
    missing_model,
    read_choices,
    refused_field,
    request_seed,
    server_message,
    source_tokens,
    too_long,
)
from rewrite.engines.registry import read_settings
from rewrite.errors import BadOption, RewriteError, ServerError
from rewrite.generators.base import Sampling

_LOG = logging.getLogger(__name__)
# What the user loses without a field; the others are made up for.
_LOST = {
    "top_k": "samples come from its whole vocabulary, as far as --top-p lets them",
    "logprobs": "its candidates have no probability",
    "seed": "the same --seed need not draw the same samples",
    "top_p": "samples come from all that it would draw from by itself",
    "temperature": "samples are drawn at its own temperature",
}
_HOW = "Write openai:URL[,URL…]#MODEL, as in openai:http://127.0.0.1:8000/v1#my-model."


class Settings(Limits):
    """What may be set with `-e NAME=VALUE`."""

    # Not shown, for it is easily taken for the key itself; keys have small letters, which are refused here.
    key_env: str = Field(
        default="OPENAI_API_KEY",
        pattern=r"^[A-Z_][A-Z0-9_]*$",
        repr=False,
        description="Name (in capitals) of the environment variable that holds the key for the servers, if any.",
    )
    api: Literal["auto", "completions", "chat"] = Field(
        default="auto", description="How to ask; auto is chat for prompts that are conversations, else completions."
    )


def create(target: str, options: Mapping[str, str]) -> OpenAIEngine:
    """The engine for `openai:TARGET`, TARGET being URL[,URL…]#MODEL; see `Settings` for `options`.

    An address without a path gets `/v1`. Raises `BadOption`.
    """
    addresses, _, model = target.partition("#")
    urls = [_url(address.strip()) for address in addresses.split(",")]
    if not model.strip():
        raise BadOption("No model is named after the addresses.", hint=f"{_HOW} GET {urls[0]}/models lists them.")
    return OpenAIEngine(urls, model.strip(), read_settings(Settings, "openai", options))


class _ForAllError(ServerError):
    """An error that every input would meet."""


class OpenAIEngine:
    """Samples from `model` at the servers `urls`.

    `pace` is for tests. Nothing stays open between calls.
    """

    name = "openai"

    def __init__(
        self, urls: Sequence[str], model: str, settings: Settings | None = None, *, pace: Pace | None = None
    ) -> None:
        self._settings = settings or Settings()
        self._model = model
        self._servers = tuple(Server(url) for url in dict.fromkeys(urls))
        self._pace = pace or Pace()
        self._answered = False

    def __repr__(self) -> str:
        return f"OpenAIEngine({[server.url for server in self._servers]!r}, {self._model!r})"

    @property
    def info(self) -> ModelInfo:
        """The model's name."""
        return ModelInfo(name=self._model)

    def describe(self) -> Mapping[str, object]:
        """The model and how it is asked, not where."""
        return {"model": self._model, "api": self._settings.api}

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        """See `Engine.sample`.

        What a server says of one input is that input's error. Raised is what concerns them all: no server answers, or
        one has no such model, wants another key or sends elsewhere. If servers go away when some inputs have been
        answered, these keep their samples, and the others get errors.
        """
        for model_input in inputs:
            if not self._is_chat(model_input) and model_input.messages and not model_input.text:
                raise BadOption(
                    "api='completions' got a conversation.", hint="Leave api out, or take another --prompt."
                )
        return run_apart(lambda: self._sample(inputs, sampling)) if inputs else []

    def close(self) -> None:
        """Nothing is open between calls; see `Engine.close`."""

    async def _sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        async with self._session() as session:
            drawn = await asyncio.gather(*(self._drawn(session, model_input, sampling) for model_input in inputs))
            errors = [outcome for outcome in drawn if isinstance(outcome, RewriteError)]
            # Servers that have answered before and went away fail the inputs that they leave, not the whole run.
            self._answered |= session.answered
            if errors and not self._answered:
                raise errors[0]
            return drawn

    def _session(self) -> Session:
        return Session(self._servers, self._settings, self._pace, self._key())

    def _key(self) -> str:
        key = os.environ.get(self._settings.key_env, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise BadOption(
                f"The key in ${self._settings.key_env} has characters that cannot be sent.", hint="Set it anew."
            )
        return key

    def _is_chat(self, model_input: ModelInput) -> bool:
        return bool(model_input.messages) if self._settings.api == "auto" else self._settings.api == "chat"

    async def _drawn(self, session: Session, model_input: ModelInput, sampling: Sampling) -> Drawn:
        try:
            return await self._draw(session, model_input, sampling)
        except _ForAllError:
            raise
        except RewriteError as error:
            return error

    async def _draw(self, session: Session, model_input: ModelInput, sampling: Sampling) -> list[Sample]:
        """As many samples as asked for, in as many requests as it takes; greedy ones are all the same text."""
        wanted = 1 if sampling.greedy else sampling.n
        limit = sampling.limit(source_tokens(model_input.source))
        whole = Request(self._model, model_input, sampling, self._is_chat(model_input), 1, 0, limit)
        samples: list[Sample] = []
        at_once, asked = MOST_CHOICES, 0
        while len(samples) < wanted:
            sizes = _sizes(wanted - len(samples), at_once)
            requests = [
                replace(whole, n=size, seed=request_seed(sampling.seed, model_input, asked + i))
                for i, size in enumerate(sizes)
            ]
            answers = await asyncio.gather(*(self._answer(session, request) for request in requests))
            asked += len(requests)
            # Some servers give a few texts, or one, whatever is asked: the rest comes in requests of that size.
            at_once = max(len(answer) for answer in answers)
            for answer in answers:
                samples += answer
        samples = samples[:wanted]
        return samples * sampling.n if sampling.greedy else samples

    async def _answer(self, session: Session, request: Request) -> list[Sample]:
        """The samples of one request: at least one, but not always `request.n`."""
        reply = await self._post(session, request)
        self._require_fine(reply, request.path)
        samples = read_choices(reply.data or {}, request.sampling.stop)
        if not samples:
            raise ServerError(
                f"{reply.server.url} answered other than asked: {reply.start!r}.",
                hint="See whether the server is one for this protocol.",
            )
        return samples

    async def _post(self, session: Session, request: Request) -> Reply:
        while True:
            reply = await session.ask(request.path, request.payload, settled=_is_settled)
            refused = refused_field(reply)
            if refused is None:
                return reply
            if refused in _LOST and refused not in reply.server.refused:
                _LOG.warning("%s refuses the field %r: %s.", reply.server.url, refused, _LOST[refused])
            reply.server.refused.add(refused)

    def _require_fine(self, reply: Reply, path: str) -> None:
        """Raises what a status other than 2xx means."""
        if 200 <= reply.status < 300:
            return
        if missing_model(reply, self._model):
            raise _ForAllError(
                f"{reply.server.url}{path} or the model {self._model!r} is not there (HTTP {reply.status}): "
                f"{server_message(reply)}",
                hint=f"Check the address, most end with /v1, and the name after # (GET {reply.server.url}/models). "
                "A server that takes only the one or the other: -e api=chat, -e api=completions.",
            )
        raise self._key_refused(reply) if reply.status in (401, 403) else _refusal(reply)

    def _key_refused(self, reply: Reply) -> _ForAllError:
        variable = self._settings.key_env
        if not self._key():
            return _ForAllError(
                f"{reply.server.url} wants a key, and ${variable} is not set.",
                hint=f"Set {variable}, or name another variable: -e key_env=NAME.",
            )
        return _ForAllError(
            f"{reply.server.url} refuses the key in ${variable} (HTTP {reply.status}): {server_message(reply)}",
            hint=f"Set {variable} to a key of that server, or name another variable: -e key_env=NAME.",
        )


def _sizes(count: int, at_once: int) -> list[int]:
    """`count` in parts of `at_once`, and a rest."""
    whole, rest = divmod(count, at_once)
    return [at_once] * whole + [rest] * bool(rest)


def _is_settled(reply: Reply) -> bool:
    """Whether a server calls its own failure what is one of the request: another try brings the same."""
    return too_long(reply) or refused_field(reply) is not None


def _refusal(reply: Reply) -> ServerError:
    if reply.status < 400:
        return _ForAllError(
            f"{reply.server.url} sends requests elsewhere (HTTP {reply.status}), which is not followed.",
            hint="Give the address that it sends to, if you trust it.",
        )
    return ServerError(
        f"{reply.server.url} refuses the request (HTTP {reply.status}): {server_message(reply)}",
        hint="Split the text, or ask for fewer --max-tokens." if too_long(reply) else "Correct what it names.",
    )


def _url(address: str) -> str:
    """An address as it is used: with a path, without a slash at its end. Raises `BadOption`."""
    try:
        parts = urlsplit(address)
        fine = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        fine = False
    # A comma or # in a password has cut it off from its @; a port is digits alone.
    if "@" in address or re.search(r"//[^/\[]*:(?!\d*(?:/|$))", address):
        # What stands before it may be a password, and is not to be shown.
        raise BadOption("An address of a server holds a name or password.", hint="Keys go into a variable: key_env.")
    if not fine or parts.query or not address.isprintable() or " " in address:
        # A query may hold a key.
        shown = address.partition("?")[0]
        raise BadOption(
            f"The address {shown!r}{'' if shown == address else ' with its query'} is not one of a server.", hint=_HOW
        )
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") or "/v1", "", ""))
