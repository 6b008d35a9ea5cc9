"""A model server for tests: it speaks OpenAI's protocol as vLLM does, draws deterministically, and fails on demand.

It refuses what vLLM refuses (`tests.rewrite.engines.vllm_rules`), and answers for a sentence what it is told to.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rewrite.engines.dispatch import Pace
from tests.rewrite.engines.vllm_rules import refusal

__all__ = ["Asked", "FakeServer", "FakeTime", "Fault", "Faults", "faulty", "refused_url", "serving"]

_WORDS = "кот пёс дом лес река снег мост сад день ночь".split()
_RESET = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Asked:
    """One request as it came, with when it began."""

    path: str
    payload: Mapping[str, Any]
    headers: Mapping[str, str]
    at: float


@dataclass(frozen=True)
class Fault:
    """What a server does instead of answering. `kind` names a method of the handler, `_fault_KIND`."""

    kind: str
    status: int = 200
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    count: int = 0
    seconds: float = 0.0


# What befalls the request of this number, from 0, `None` for nothing.
Faults = Callable[[int, Asked], "Fault | None"]


def faulty(*faults: Fault | None) -> Faults:
    """These faults for the first posted requests, in turn, and none for those after."""
    return lambda number, _: faults[number] if number < len(faults) else None


@dataclass
class FakeServer:
    """How the server behaves, and what it saw.

    `refuses` maps a field that it does not take to what it says then; `always` gives so many choices, whatever is
    asked; to a prompt that holds a key of `answers` it says the value. `dropped` counts clients that went away while
    they were kept waiting.
    """

    models: Sequence[str] = ("model",)
    context: int = 4096
    key: str = ""
    refuses: Mapping[str, str] = field(default_factory=dict)
    faults: Faults = lambda _, __: None
    delay: float = 0.0
    always: int = 0
    honours_stop: bool = True
    answers: Mapping[str, str] = field(default_factory=dict)
    logprobs: bool = True
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    running: int = 0
    peak: int = 0
    dropped: int = 0
    _connections: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _http: ThreadingHTTPServer | None = None
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def posted(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.path != "/v1/models"]

    @property
    def payloads(self) -> list[Mapping[str, Any]]:
        return [asked.payload for asked in self.posted]

    def record(self, asked: Asked) -> int:
        """The number of a posted request."""
        with self._lock:
            self.asked.append(asked)
            return len(self.posted) - 1

    @contextmanager
    def in_flight(self) -> Iterator[Callable[[], None]]:
        """Counts a request until what it gives is called, or the block ends."""
        over = False

        def leave() -> None:
            nonlocal over
            with self._lock:
                self.running -= not over
                over = True

        with self._lock:
            self.running += 1
            self.peak = max(self.peak, self.running)
        try:
            yield leave
        finally:
            leave()

    def start(self, port: int = 0) -> None:
        handler = type("Handler", (_Handler,), {"fake": self})
        self._http = _Listener(("127.0.0.1", port), handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def die(self) -> None:
        """Stop listening and reset every connection, as a killed process does."""
        self.closing.set()
        if self._http is not None:
            http, self._http = self._http, None
            http.shutdown()
            http.server_close()
        for connection in list(self._connections):
            _reset(connection)


@contextmanager
def serving(*fakes: FakeServer) -> Iterator[list[str]]:
    """Starts the servers; gives their addresses."""
    for fake in fakes:
        fake.start()
    try:
        yield [fake.url for fake in fakes]
    finally:
        for fake in fakes:
            fake.die()


def refused_url() -> str:
    """An address at which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{held.getsockname()[1]}/v1"


class FakeTime:
    """A clock that only sleeping moves; `slept` holds each sleep in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def pace(self, **changes: Any) -> Pace:
        return Pace(**{"sleep": self.sleep, "clock": lambda: self.now, "jitter": lambda: 0.0, **changes})

    async def sleep(self, seconds: float) -> None:
        if seconds:
            self.slept.append(seconds)
            self.now += seconds
        await asyncio.sleep(0.0005)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    # With the usual 5 many clients at once would have to knock again after a second.
    request_queue_size = 256


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Without this small answers on a kept connection wait for an acknowledgement.
    disable_nagle_algorithm = True
    fake: FakeServer
    _leave: Callable[[], None] = staticmethod(lambda: None)

    def setup(self) -> None:
        super().setup()
        self.fake._connections.add(self.connection)

    def finish(self) -> None:
        self.fake._connections.discard(self.connection)
        super().finish()

    def handle(self) -> None:
        try:
            super().handle()
        except (OSError, ValueError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        self.fake.record(Asked(self.path, {}, dict(self.headers), time.monotonic()))
        if self._refuses_key():
            return
        if self.path != "/v1/models" or not self.fake.models:
            self._error(404, "Not Found")
            return
        models = [{"id": m, "object": "model", "max_model_len": self.fake.context} for m in self.fake.models]
        self._send(200, {"object": "list", "data": models})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = Asked(self.path, json.loads(body), dict(self.headers), time.monotonic())
        number = self.fake.record(asked)
        with self.fake.in_flight() as self._leave:
            fault = self.fake.faults(number, asked)
            if self.fake.delay:
                self._wait(self.fake.delay)
            if self.fake.closing.is_set():
                raise ConnectionAbortedError
            if fault is not None:
                getattr(self, f"_fault_{fault.kind}")(asked, fault)
            elif not self._refuses_key():
                self._answer(asked)

    def _answer(self, asked: Asked, **changes: Any) -> None:
        payload = asked.payload
        if payload["model"] not in self.fake.models:
            words = f"The model `{payload['model']}` does not exist."
            self._send(404, {"error": {"message": words, "type": "NotFoundError", "param": "model", "code": 404}})
            return
        for name, words in self.fake.refuses.items():
            if name in payload:
                self._error(400, words)
                return
        refused = refusal(asked.path, payload, context=self.fake.context)
        if refused is not None:
            problem = {"message": refused.message, "type": "BadRequestError", "param": refused.param, "code": 400}
            self._send(400, {"error": problem})
            return
        prompt = _prompt(payload)
        choices = [self._choice(payload, prompt, i) for i in range(self.fake.always or payload.get("n", 1))]
        data = {"object": "answer", "choices": choices, "usage": {"prompt_tokens": len(prompt.split())}}
        self._send(200, {**data, **changes})

    def _choice(self, payload: Mapping[str, Any], prompt: str, index: int) -> dict[str, Any]:
        told = next((answer for source, answer in self.fake.answers.items() if source in prompt), None)
        tokens = _draw(payload, prompt, index) if told is None else [f" {word}" for word in told.split()] + ["\n"]
        reason = "stop"
        if len(tokens) > _limit(payload):
            tokens, reason = tokens[: _limit(payload)], "length"
        text = "".join(tokens)
        for string in payload.get("stop", ()) if self.fake.honours_stop else ():
            text = text.split(string)[0]
        chat = "messages" in payload
        told = {"message": {"role": "assistant", "content": text}} if chat else {"text": text}
        return {"index": index, **told, "finish_reason": reason, "logprobs": self._logprobs(payload, tokens)}

    def _logprobs(self, payload: Mapping[str, Any], tokens: Sequence[str]) -> dict[str, Any] | None:
        if not (self.fake.logprobs and payload.get("logprobs")):
            return None
        # Each token is as probable as its number in the text says: their sum is easily told.
        values = [-(i + 1) / 4 for i in range(len(tokens))]
        if "messages" in payload:
            return {"content": [{"token": t, "logprob": v} for t, v in zip(tokens, values, strict=True)]}
        return {"tokens": list(tokens), "token_logprobs": values}

    def _fault_status(self, _: Asked, fault: Fault) -> None:
        self._error(fault.status, fault.message, fault.headers)

    def _fault_body(self, _: Asked, fault: Fault) -> None:
        self._raw(fault.status, fault.body.encode(), {"Content-Type": "text/html", **fault.headers})

    def _fault_slow(self, asked: Asked, fault: Fault) -> None:
        self._wait(fault.seconds)
        self._answer(asked)

    def _fault_trickle(self, _: Asked, fault: Fault) -> None:
        """A byte now and then, never an end."""
        self._head(200, {"Content-Length": "1000000"})
        while not self.fake.closing.wait(fault.seconds):
            self.wfile.write(b" ")

    def _fault_cut(self, _: Asked, fault: Fault) -> None:
        """Half of a body whose whole length was told, or (`count` 1) whose end is that of the connection."""
        body = b'{"choices": [{"index": 0, "text": "half of a'
        self._head(200, {} if fault.count else {"Content-Length": str(2 * len(body))}, close=True)
        self.wfile.write(body)

    def _fault_reset(self, _: Asked, __: Fault) -> None:
        _reset(self.connection)
        self.close_connection = True

    def _fault_fewer(self, asked: Asked, fault: Fault) -> None:
        prompt = _prompt(asked.payload)
        self._answer(asked, choices=[self._choice(asked.payload, prompt, i) for i in range(fault.count)])

    def _fault_json(self, asked: Asked, fault: Fault) -> None:
        self._raw(fault.status, fault.body.encode(), {"Content-Type": "application/json"})

    def _fault_die(self, _: Asked, __: Fault) -> None:
        self.fake.die()
        self.close_connection = True

    def _refuses_key(self) -> bool:
        given = self.headers.get("Authorization", "")
        if not self.fake.key or given == f"Bearer {self.fake.key}":
            return False
        self._error(401, f"Incorrect API key provided: {given}")
        return True

    def _wait(self, seconds: float) -> None:
        """Waits as a busy model does, but notes when the client goes away."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.fake.closing.is_set():
            readable, _, _ = select.select([self.connection], [], [], min(left, 0.05))
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                self.fake.dropped += 1
                raise ConnectionAbortedError

    def _error(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, {"object": "error", "message": message, "type": "Error", "code": status}, headers)

    def _send(self, status: int, data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._raw(status, json.dumps(data).encode(), {"Content-Type": "application/json", **(headers or {})})

    def _raw(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self._head(status, {**headers, "Content-Length": str(len(body))})
        # Who has read the answer may ask the next thing before this thread comes to its next line.
        self._leave()
        self.wfile.write(body)

    def _head(self, status: int, headers: Mapping[str, str], *, close: bool = False) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if close:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()


def _prompt(payload: Mapping[str, Any]) -> str:
    if "messages" in payload:
        return " ".join(message["content"] for message in payload["messages"])
    return str(payload["prompt"])


def _limit(payload: Mapping[str, Any]) -> int:
    return int(payload.get("max_tokens") or payload["max_completion_tokens"])


def _draw(payload: Mapping[str, Any], prompt: str, index: int) -> list[str]:
    """From 4 to 7 words by prompt, seed and index; by the prompt alone where the draw is greedy; in the end a stop."""
    chance = "" if payload["temperature"] == 0 else f"{payload['seed']} {index}"
    digest = hashlib.sha256(f"{chance} {prompt}".encode("utf-8", "surrogatepass")).digest()
    return [f" {_WORDS[byte % len(_WORDS)]}" for byte in digest[: 4 + digest[-1] % 4]] + ["\n"]


def _reset(connection: socket.socket) -> None:
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        # Wakes a thread that reads from it; closing alone does not.
        connection.shutdown(socket.SHUT_RD)
        socket.close(connection.detach())
    except OSError:
        return
