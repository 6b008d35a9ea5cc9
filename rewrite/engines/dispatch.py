"""HTTP to several like servers: each request to the least busy one, again where it fails. Knows nothing of models.

A request that fails at one server goes to another, or is sent again after a pause. A server that does not answer at all
is set aside while another does, so that a dead one costs the others little. When every server has failed more often in
a row than a request may be repeated, nothing more is sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from rewrite.errors import MissingExtra, ServerError

PAUSE = 0.25
"""Seconds before a request is sent again; twice as long each time, and no longer than `LONGEST_PAUSE`."""
LONGEST_PAUSE = 60.0
ASIDE = 30.0
"""Seconds for which a server that did not answer is left alone, while there is another."""

_START = 200
# Statuses beside 5xx that another try may mend: too slow, too early, too many. 501 is a 5xx that it cannot.
_AGAIN = frozenset({408, 425, 429})
_NOT_IMPLEMENTED = 501
_CONCEALED = "[key]"
# A proxy that the environment names is for the world outside, not for servers on the same machine.
_LOCAL = ("all://localhost", "all://127.0.0.1", "all://[::1]")

_T = TypeVar("_T")
# What to send, given the names of the fields that a server is known to refuse.
Payload = Callable[[AbstractSet[str]], Mapping[str, object]]


class Limits(BaseModel):
    """How far a request may go."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout: float = Field(default=120.0, gt=0, allow_inf_nan=False, description="Seconds for one answer.")
    connect_timeout: float = Field(default=5.0, gt=0, allow_inf_nan=False, description="Seconds for a connection.")
    retries: int = Field(default=5, ge=0, le=100, description="Further tries of a request that fails.")
    in_flight: int = Field(default=64, ge=1, le=4096, description="Requests at once, over all servers.")


@dataclass(eq=False, slots=True)
class Server:
    """One address and what is known of it. Times are those of `time.monotonic`.

    `refused` are optional fields that it does not take, `given` requests that it got, `busy` those that it has now,
    `failures` how often in a row it did not answer at all, `why` the last of these, at `failed_at`.
    """

    url: str
    refused: set[str] = field(default_factory=set)
    given: int = 0
    busy: int = 0
    failures: int = 0
    why: str = ""
    failed_at: float = float("-inf")

    @property
    def is_aside(self) -> bool:
        """Whether it is to be left alone, if there is another."""
        return self.failures > 0 and time.monotonic() < self.failed_at + ASIDE

    def fail(self, why: str, started: float) -> None:
        """Note that it did not answer; requests that were under way together fail it once."""
        self.why = why
        if started > self.failed_at:
            self.failures += 1
            self.failed_at = time.monotonic()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that no other try would change.

    `text` is its body without the key, `data` that body as a JSON object (`None` if it is none), `sent` what was asked.
    """

    server: Server
    status: int
    text: str
    data: Mapping[str, Any] | None
    sent: Mapping[str, object]

    @property
    def start(self) -> str:
        """How the body begins, on one line, for messages."""
        return _start(self.text)


@dataclass(frozen=True, slots=True)
class _Trouble:
    """What went wrong with one try, and how many seconds the server asked to wait."""

    what: str
    wait: float = 0.0


class Session:
    """Connections to `servers`, open within `async with`; what it learns of them stays with them for the next one.

    `key` goes into the `Authorization` header and nowhere else. `answered` says whether any server gave any answer.
    """

    def __init__(self, servers: Sequence[Server], limits: Limits, key: str = "") -> None:
        self.answered = False
        self._servers = tuple(servers)
        self._limits = limits
        self._key = SecretStr(key)

    async def __aenter__(self) -> Session:
        self._slots = asyncio.Semaphore(self._limits.in_flight)
        self._client = _client(self._limits, self._key)
        for server in self._servers:
            # However it went last time, every server gets a try before it is given up.
            server.failures = min(server.failures, self._limits.retries)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def ask(self, path: str, payload: Payload, *, settled: Callable[[Reply], bool] = lambda _: False) -> Reply:
        """What one of the servers answers to a POST, whatever its status.

        Statuses that may pass (429, 5xx and the like) are tried again, unless the answer is `settled`; so is a body
        that breaks off or, with status 2xx, holds no JSON object. Raises `ServerError` after the last try, and when no
        server answers.
        """
        troubles: dict[str, str] = {}
        tries = 0
        while tries <= self._limits.retries:
            async with self._slots:
                if all(server.failures > self._limits.retries for server in self._servers):
                    raise _unreachable(self._servers)
                server = self._choose(troubles)
                outcome = await self._try(server, path, payload(server.refused), settled)
            if isinstance(outcome, Reply):
                return outcome
            troubles[server.url] = outcome.what
            if all(other.is_aside or other.url in troubles for other in self._servers):
                tries += 1
                if tries <= self._limits.retries:
                    await asyncio.sleep(min(max(PAUSE * 2.0 ** (tries - 1), outcome.wait), LONGEST_PAUSE))
        raise _exhausted(troubles, tries)

    def _choose(self, troubles: Mapping[str, str]) -> Server:
        """The least busy, before others one that is not set aside, or failed less, and has not failed this request."""
        return min(self._servers, key=lambda s: (s.failures if s.is_aside else 0, s.url in troubles, s.busy, s.given))

    async def _try(
        self, server: Server, path: str, sent: Mapping[str, object], settled: Callable[[Reply], bool]
    ) -> Reply | _Trouble:
        import httpx

        limits, started, why = self._limits, time.monotonic(), ""
        server.given += 1
        server.busy += 1
        try:
            # Plain ASCII: text may hold half a character, which has no UTF-8.
            request = self._client.post(server.url + path, content=json.dumps(sent).encode("ascii"))
            # httpx limits the wait for each piece of an answer, not for the whole of it.
            response = await asyncio.wait_for(request, limits.timeout + limits.connect_timeout)
        except httpx.ConnectTimeout:
            why = f"no connection within {limits.connect_timeout:g} s"
        except (asyncio.TimeoutError, httpx.TimeoutException):
            why = f"no answer within {limits.timeout:g} s"
        except (httpx.RequestError, httpx.InvalidURL) as error:
            why = _reason(error)
        finally:
            server.busy -= 1
        if why:
            server.fail(why, started)
            return _Trouble(why)
        self.answered = True
        server.failures = 0
        text, status = response.text, response.status_code
        concealed = _conceal(text, self._key.get_secret_value())
        # A server that refuses may quote the key; what it makes of a text is not touched.
        reply = Reply(server, status, concealed, _object(text if response.is_success else concealed), sent)
        if response.is_success:
            return _Trouble(f"answered other than asked: {reply.start!r}") if reply.data is None else reply
        if not (status in _AGAIN or (status >= 500 and status != _NOT_IMPLEMENTED)) or settled(reply):
            return reply
        asked = response.headers.get("Retry-After", "")
        return _Trouble(f"HTTP {status}: {reply.start!r}", float(asked) if asked.isdecimal() else 0.0)


def _client(limits: Limits, key: SecretStr) -> Any:
    try:
        import httpx
    except ImportError:
        raise MissingExtra("The engine openai needs httpx.", hint="Run: pip install 'rewrite-rerank[openai]'") from None
    headers = {"Content-Type": "application/json"}
    if key.get_secret_value():
        headers["Authorization"] = f"Bearer {key.get_secret_value()}"
    return httpx.AsyncClient(
        headers=headers,
        # Followed, a redirect could carry the key to another host.
        follow_redirects=False,
        timeout=httpx.Timeout(limits.timeout, connect=limits.connect_timeout, pool=None),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=limits.in_flight),
        mounts=dict.fromkeys(_LOCAL),
    )


def _conceal(text: str, key: str) -> str:
    """The text without the key, as it is or in either of the ways in which JSON writes it."""
    written = json.dumps(key)[1:-1]
    for form in {key, written, written.replace("/", "\\/")} - {""}:
        text = text.replace(form, _CONCEALED)
    return text


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _start(text: str) -> str:
    line = " ".join(text[: 4 * _START].split())
    return line if len(line) <= _START else line[: _START - 1] + "…"


def _reason(error: BaseException) -> str:
    """What the system said: the first cause, for the errors above it only say that something failed."""
    cause = error
    while cause.__cause__ or cause.__context__:
        cause = cause.__cause__ or cause.__context__ or cause
    if isinstance(cause, ConnectionError) and cause.errno and not isinstance(cause, ssl.SSLError):
        return os.strerror(cause.errno)
    return _start(str(cause)) or type(cause).__name__


def _unreachable(servers: Sequence[Server]) -> ServerError:
    listed = ", ".join(f"{server.url} ({server.why})" for server in servers)
    return ServerError(f"No server answers: {listed}.", hint="Start the server, or correct its address.")


def _exhausted(troubles: Mapping[str, str], tries: int) -> ServerError:
    listed = ", ".join(f"{url} ({what})" for url, what in troubles.items())
    return ServerError(
        f"No usable answer in {tries} {'try' if tries == 1 else 'tries'}: {listed}.",
        hint="See the server's log, or allow more retries or time for one.",
    )


def run_apart(work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """What `work()` returns or raises; where an event loop is running, as in a notebook, in a thread with its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        in_loop = False
    else:
        in_loop = True
    # Outside of the handler: an error of the work has no other error before it.
    if not in_loop:
        return asyncio.run(work())
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()
