"""HTTP to several like servers: each request to the least busy one, again where it fails. Knows nothing of models.

A request that fails at one server goes to another, or waits, ever longer. A server that does not answer at all is set
aside, ever longer too, so that a dead one costs the others little. When every server has failed more often in a row
than a request may be repeated, nothing more is sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from rewrite.errors import MissingExtra, ServerError

_START = 200
_TOO_MANY = 429
# Statuses beside 5xx that another try may mend: too slow, too early, too many. 501 is a 5xx that it cannot.
_AGAIN = frozenset({408, 425, _TOO_MANY})
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


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait, in seconds, and by which clock. `jitter` gives numbers in [0, 1)."""

    first: float = 0.25
    longest: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random

    def pause(self, failures: int) -> float:
        """Before the next try after so many (≥ 1) failures: twice as long each time, less up to half by chance."""
        # The exponent is bounded, for a server may fail thousands of times.
        doubled = self.first * 2.0 ** min(failures - 1, 32)
        return min(self.longest, doubled) * (1 - self.jitter() / 2)


@dataclass(eq=False, slots=True)
class Server:
    """One address and what is known of it. Times are those of `Pace.clock`.

    `refused` are optional fields that it does not take, `failures` how often in a row it did not answer at all, `why`
    the last of these; it is left alone until `resumes`.
    """

    url: str
    refused: set[str] = field(default_factory=set)
    failures: int = 0
    why: str = ""
    failed_at: float = float("-inf")
    resumes: float = float("-inf")


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
    """What went wrong with one try. `counts` is false where the request never reached the server."""

    server: Server
    what: str
    counts: bool = True


class Session:
    """Connections to `servers`, open within `async with`; what it learns of them stays with them for the next one.

    `key` goes into the `Authorization` header and nowhere else. `answered` says whether any server gave any answer.
    """

    def __init__(self, servers: Sequence[Server], limits: Limits, pace: Pace, key: str = "") -> None:
        self.answered = False
        self._servers = tuple(servers)
        self._limits = limits
        self._pace = pace
        self._key = SecretStr(key)
        self._busy: Counter[str] = Counter()
        self._given: Counter[str] = Counter()

    async def __aenter__(self) -> Session:
        self._slots = asyncio.Semaphore(self._limits.in_flight)
        self._client = _client(self._limits, self._key)
        now = self._pace.clock()
        idle = all(server.resumes > now for server in self._servers)
        for server in self._servers:
            # However it went last time, every server gets a try before it is given up.
            server.failures = min(server.failures, self._limits.retries)
            if idle and server.failures:
                server.resumes = now
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
        troubles: list[_Trouble] = []
        while len(troubles) <= self._limits.retries:
            await self._wait_for_one()
            async with self._slots:
                server = self._choose(troubles)
                if server is None:  # while this waited for its turn all were set aside
                    continue
                outcome = await self._try(server, path, payload(server.refused), settled)
            if isinstance(outcome, Reply):
                return outcome
            if outcome.counts:
                troubles.append(outcome)
                await self._back_off(troubles)
        raise _exhausted(troubles)

    async def _back_off(self, troubles: Sequence[_Trouble]) -> None:
        """Wait after a failure, unless there is a server to turn to, or the last one is to be left alone anyway."""
        now = self._pace.clock()
        tried = {trouble.server.url for trouble in troubles}
        fresh = any(server.url not in tried and server.resumes <= now for server in self._servers)
        if not fresh and troubles[-1].server.resumes <= now:
            await self._pace.sleep(self._pace.pause(len(troubles)))

    async def _wait_for_one(self) -> None:
        """Until one of the servers is not to be left alone. Raises `ServerError` if all have failed for good."""
        while True:
            if all(server.failures > self._limits.retries for server in self._servers):
                raise _unreachable(self._servers)
            wait = min(server.resumes for server in self._servers) - self._pace.clock()
            if wait <= 0:
                return
            await self._pace.sleep(wait + self._pace.first * self._pace.jitter())

    def _choose(self, troubles: Sequence[_Trouble]) -> Server | None:
        """Of the servers that are not left alone the one that failed this request least, with the fewest others."""
        failed = Counter(trouble.server.url for trouble in troubles)
        now = self._pace.clock()
        ready = [server for server in self._servers if server.resumes <= now]
        return min(ready, key=lambda s: (failed[s.url], self._busy[s.url], self._given[s.url]), default=None)

    def _leave_alone(self, server: Server, seconds: float) -> None:
        server.resumes = max(server.resumes, self._pace.clock() + seconds)

    async def _try(
        self,
        server: Server,
        path: str,
        sent: Mapping[str, object],
        settled: Callable[[Reply], bool],
    ) -> Reply | _Trouble:
        import httpx

        limits = self._limits
        started = self._pace.clock()
        self._busy[server.url] += 1
        self._given[server.url] += 1
        try:
            # Plain ASCII: text may hold half a character, which has no UTF-8.
            request = self._client.post(server.url + path, content=json.dumps(sent).encode("ascii"))
            # httpx limits the wait for each piece of an answer, not for the whole of it.
            response = await asyncio.wait_for(request, limits.timeout + limits.connect_timeout)
        except (httpx.ConnectTimeout, httpx.ConnectError, httpx.ProxyError, httpx.InvalidURL) as error:
            late = isinstance(error, httpx.ConnectTimeout)
            why = f"no connection within {limits.connect_timeout:g} s" if late else _reason(error)
            return self._fail(server, started, why, counts=False)
        except (asyncio.TimeoutError, httpx.TimeoutException):
            return self._fail(server, started, f"no answer within {limits.timeout:g} s")
        except httpx.RequestError as error:
            return self._fail(server, started, f"broke off: {_reason(error)}")
        finally:
            self._busy[server.url] -= 1
        self.answered = True
        server.failures = 0
        reply = self._read(server, response.status_code, response.content, sent)
        return self._judge(reply, response.headers, settled)

    def _fail(self, server: Server, started: float, why: str, *, counts: bool = True) -> _Trouble:
        """Set a server aside that did not answer; requests that were under way together fail it once."""
        server.why = why
        if started > server.failed_at:
            server.failures += 1
            server.failed_at = self._pace.clock()
            self._leave_alone(server, self._pace.pause(server.failures))
        return _Trouble(server, why, counts)

    def _read(self, server: Server, status: int, body: bytes, sent: Mapping[str, object]) -> Reply:
        text = body.decode("utf-8", "replace")
        concealed = _conceal(text, self._key.get_secret_value())
        # A server that refuses may quote the key; what it makes of a text is not touched.
        return Reply(server, status, concealed, _object(text if _is_fine(status) else concealed), sent)

    def _judge(self, reply: Reply, headers: Mapping[str, str], settled: Callable[[Reply], bool]) -> Reply | _Trouble:
        server, status = reply.server, reply.status
        if _is_fine(status):
            return _Trouble(server, f"answered other than asked: {reply.start!r}") if reply.data is None else reply
        if not (status in _AGAIN or (status >= 500 and status != _NOT_IMPLEMENTED)) or settled(reply):
            return reply
        asked = headers.get("Retry-After", "")
        if asked.isdecimal():
            self._leave_alone(server, min(float(asked), self._pace.longest))
        return _Trouble(server, f"HTTP {status}: {reply.start!r}")


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


def _is_fine(status: int) -> bool:
    return 200 <= status < 300


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


def _exhausted(troubles: Sequence[_Trouble]) -> ServerError:
    last = {trouble.server.url: trouble.what for trouble in troubles}
    listed = ", ".join(f"{url} ({what})" for url, what in last.items())
    tries = "1 try" if len(troubles) == 1 else f"{len(troubles)} tries"
    return ServerError(
        f"No usable answer in {tries}: {listed}.", hint="See the server's log, or allow more retries or time for one."
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
