"""One HTTP request from its first byte to its last: who asks, how much may come, how long it may take, who has gone."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import traceback
from collections.abc import AsyncGenerator, MutableMapping, Sequence
from contextlib import aclosing
from typing import Any
from urllib.parse import parse_qsl

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rewrite.errors import BadInput, RewriteError
from rewrite.server.errors import NotAllowed, QueueFull, TimeOver, TooMuch, WrongHost, body_of, headers_of, status_of
from rewrite.server.forms import error_response
from rewrite.server.schemas import ErrorBody
from rewrite.server.settings import Limits

_log = logging.getLogger("rewrite.server")
_BODY_SECONDS = 30.0
_LAST_WORD = 10.0
"""Seconds after its time in which a request may still say that its time is over."""
_BODIES, _SMALL, _LATER = 8, 65_536, 10
"""How many bodies of the largest size there may be at once; bytes of one that is let in all the same; seconds until
one that is not may come again."""
_MOMENT = 2.0
"""Seconds in which the rest of a body that is too large is thrown away."""
_CHECK = "/v2/check"
"""Whose clients send a token in their form, if at all."""
_OPEN = ("/health", "/docs", "/openapi.json", "/favicon.ico")
"""What needs no token, beside the page."""


def client_of(request: Request) -> str:
    """Who asks, for turns to be fair: the address."""
    return request.client.host if request.client else "unknown"


def failure(path: str, error: RewriteError) -> Response:
    """The answer for an error, in the form of the API that is spoken at `path`."""
    return error_response(path, status_of(error), body_of(error), headers_of(error))


def event_stream(request: Request, events: AsyncGenerator[str | dict[str, Any], None]) -> Response:
    """Server-sent events, each with one of `events` (JSON, or what becomes it), ending in `[DONE]`.

    What goes wrong before the first is an ordinary answer; later it is an event, the last before `[DONE]`.
    """
    return _EventStream(request.url.path, events)


class _EventStream(StreamingResponse):
    media_type = "text/event-stream"

    def __init__(self, path: str, events: AsyncGenerator[str | dict[str, Any], None]) -> None:
        super().__init__(_nothing(), headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        self._path, self._events = path, events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._events) as events:
            first = await anext(events, None)
            self.body_iterator = self._lines(first, events)
            await self.stream_response(send)

    async def _lines(self, first: Any, events: AsyncGenerator[str | dict[str, Any], None]) -> AsyncGenerator[str, None]:
        if first is not None:
            yield _event(first)
        try:
            async for event in events:
                yield _event(event)
            yield _DONE
        except RewriteError as error:
            yield _last_words(self._path, error)


_DONE = "data: [DONE]\n\n"


def _last_words(path: str, error: RewriteError) -> str:
    """How a stream ends that an error ends."""
    return _event({"type": "error", **json.loads(bytes(failure(path, error).body))}) + _DONE


def _event(data: str | dict[str, Any]) -> str:
    return f"data: {data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)}\n\n"


async def _nothing() -> AsyncGenerator[str, None]:
    return
    yield


class Guarded:
    """Lets a request in: for one of `hosts`, with the token, a body that is not too large and comes in time; and ends
    it when its client goes away or its time is over.
    """

    def __init__(self, app: ASGIApp, limits: Limits, token: str, hosts: Sequence[str]) -> None:
        self._app, self._limits, self._token, self._hosts = app, limits, token.encode(), hosts
        self._held = 0  # bytes of bodies, of all requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = streams = False
        parts: list[bytes] = []

        async def noting(message: Message) -> None:
            nonlocal started, streams
            started = True
            if message["type"] == "http.response.start":
                streams = _header(message, b"content-type").startswith(b"text/event-stream")
            await send(message)

        try:
            self._check_host(scope)
            if scope["path"] != _CHECK:
                self._check_token(scope)
            body = await self._body(scope, receive, parts)
            if body is not None:
                if scope["path"] == _CHECK:
                    self._check_token(scope, form=(scope["query_string"], body))
                _check_utf8(scope, body)
                await self._run(scope, body, receive, noting)
        except RewriteError as error:
            if isinstance(error, TooMuch):
                await _read_on(receive)
            if not started:
                await failure(scope["path"], error)(scope, receive, send)
            elif streams:
                with anyio.move_on_after(_LAST_WORD):
                    last = _last_words(scope["path"], error).encode()
                    await send({"type": "http.response.body", "body": last, "more_body": False})
        except Exception as error:
            # The message may hold a text of the user's, the trace does not.
            kind, frames = type(error).__name__, "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s in %s %s:\n%s", kind, scope["method"], scope["path"], frames)
            if not started:
                bug = ErrorBody(message=f"The server failed with {kind}.", hint="This is a bug.", type="ServerFailed")
                await error_response(scope["path"], 500, bug)(scope, receive, send)
        finally:
            self._held -= sum(map(len, parts))

    def _check_host(self, scope: Scope) -> None:
        """Raises `WrongHost` for a page of another site whose name has been made to stand for this machine."""
        host = _header(scope, b"host").decode("latin-1").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if self._hosts and name and name not in self._hosts:
            hint = f"Ask {self._hosts[0]}; the flags host and proxy of rewrite serve allow other names."
            raise WrongHost(f"The server is not {name!r}.", hint=hint)

    def _check_token(self, scope: Scope, form: tuple[bytes, ...] = ()) -> None:
        """Raises `NotAllowed` without the token, which is in the header or the apiKey of a `form`."""
        path: str = scope["path"]
        if not self._token or path == "/" or path.startswith(("/static/", "/docs/")) or path in _OPEN:
            return
        kind, _, given = _header(scope, b"authorization").partition(b" ")
        fields = (field for part in form for field in parse_qsl(part.decode(errors="replace")))
        keys = [value.encode() for name, value in fields if name == "apiKey"]
        if not given and keys:
            kind, given = b"bearer", keys[0]
        if kind.lower() != b"bearer" or not hmac.compare_digest(given.strip(), self._token):
            message = "The token is wrong." if given else "A token is needed."
            raise NotAllowed(message, hint="Send the header Authorization: Bearer TOKEN.")

    async def _body(self, scope: Scope, receive: Receive, parts: list[bytes]) -> bytes | None:
        """The whole body, the last of `parts`; `None` where the client has gone.

        Raises `TooMuch`, `TimeOver`, and `QueueFull` where others hold too much.
        """
        most, length = self._limits.body, _header(scope, b"content-length")
        if length.isdigit() and int(length) > most:
            raise self._too_large(int(length))
        size = 0
        try:
            with anyio.fail_after(_BODY_SECONDS):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    self._held += len(parts[-1])
                    if size > most:
                        raise self._too_large(size)
                    if size > _SMALL and self._held > _BODIES * most:
                        raise QueueFull(f"Requests of {self._held:,} bytes are being read or answered.", seconds=_LATER)
                    if not message.get("more_body"):
                        parts[:] = [b"".join(parts)]
                        return parts[0]
        except TimeoutError:
            raise TimeOver(f"The body did not come in {_BODY_SECONDS:g} s.") from None

    def _too_large(self, size: int) -> TooMuch:
        return TooMuch(
            f"The body has {size:,} bytes or more: at most {self._limits.body:,} are taken.", hint="Send less."
        )

    async def _run(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """The app, until it is done, its client has gone or its time is over."""
        replayed = False

        async def again() -> MutableMapping[str, Any]:
            nonlocal replayed
            if not replayed:
                replayed = True
                return {"type": "http.request", "body": body, "more_body": False}
            await asyncio.Event().wait()  # whoever waits for the client to go is ended with the request
            raise AssertionError

        async def watch(app: asyncio.Task[None]) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            await _cancelled(app)

        app = asyncio.ensure_future(self._app(scope, again, send))
        watching = asyncio.ensure_future(watch(app))
        try:
            await asyncio.wait_for(asyncio.shield(app), self._limits.seconds + _LAST_WORD)
        except asyncio.CancelledError:
            if not app.cancelled():  # the server is ending
                app.cancel()
                raise
        except asyncio.TimeoutError:
            await _cancelled(app)
            raise TimeOver("The answer took too long.") from None
        finally:
            watching.cancel()


async def _cancelled(app: asyncio.Task[None]) -> None:
    """Cancel it, and again: until Python 3.12 `wait_for` may take a cancellation for the answer that came with it."""
    for _ in range(9):
        app.cancel()
        if (await asyncio.wait({app}, timeout=0.5))[0]:
            return


async def _read_on(receive: Receive) -> None:
    """Some clients hear an answer only when they have sent all: they are listened to for a moment."""
    with anyio.move_on_after(_MOMENT):
        while (await receive()).get("more_body"):
            pass


def _check_utf8(scope: Scope, body: bytes) -> None:
    if b"json" in _header(scope, b"content-type"):
        try:
            body.decode()
        except UnicodeDecodeError as error:
            message = f"The body is not UTF-8: byte {error.start + 1} is 0x{body[error.start]:02x}."
            raise BadInput(message, hint="Send JSON in UTF-8.") from None


def _header(scope: Scope | Message, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")
