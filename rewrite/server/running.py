"""The app in uvicorn, from the first connection to the last."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from asyncio import BaseTransport
from collections.abc import Sequence
from types import FrameType

import uvicorn
from fastapi import FastAPI
from prometheus_client import start_http_server
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from rewrite.server.app import create_app
from rewrite.server.connection import failure
from rewrite.server.errors import QueueFull, Stopping
from rewrite.server.pool import Worker
from rewrite.server.service import Service
from rewrite.server.settings import Settings

_CONNECTIONS, _IDLE, _SILENT = 1_000, 60, 30
"""How many connections there may be; seconds that one stays open after an answer, and while it says nothing."""
_MOMENT = 0.5


class _Connection(H11Protocol):
    """Ends when no request comes for a while, the first or another; is told so where there are too many."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]  # uvicorn narrows it
        if len(self.connections) > _CONNECTIONS:
            self.app, self.timeout_keep_alive = _refuse, 0
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_for_request()

    def _wait_for_request(self) -> None:
        if self.timeout_keep_alive_task is None and (self.cycle is None or self.cycle.response_complete):
            self.timeout_keep_alive_task = self.loop.call_later(_SILENT, self.timeout_keep_alive_handler)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    error = QueueFull(f"{_CONNECTIONS:,} connections are open, and no more are taken.", seconds=_SILENT)
    await failure(scope.get("path", ""), error)(scope, receive, send)


class _Server(uvicorn.Server):
    """When it is told to end it finishes what runs and refuses what is new; told again, it ends at once.

    It ends too when its pool has failed. `code` is its exit code.
    """

    def __init__(self, config: uvicorn.Config, service: Service, workers: Sequence[Worker]) -> None:
        super().__init__(config)
        self._service, self._workers = service, workers
        self.code = 0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            asyncio.get_running_loop().call_soon_threadsafe(self._cut_short, 130)
            return
        self.should_exit = True
        self._service.stop()
        if count := len(self.server_state.tasks):
            requests = "1 request" if count == 1 else f"{count} requests"
            print(f"rewrite: finishing {requests}; Ctrl-C again ends at once", file=sys.stderr, flush=True)

    async def on_tick(self, counter: int) -> bool:
        if self._service.pool.has_failed:
            self._cut_short(1)
        return await super().on_tick(counter)

    def _cut_short(self, code: int) -> None:
        """Tell all that are being answered, and end in a moment even if they do not listen."""
        self.should_exit, self.code = True, code
        self._service.stop()
        self._service.pool.abandon(Stopping("The server is ending.", hint="Try another, or again in a minute."))
        asyncio.get_running_loop().call_later(_MOMENT, self._leave)

    def _leave(self) -> None:
        for worker in self._workers:
            worker.kill()
        os._exit(self.code)


def configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the app."""
    return uvicorn.Config(
        app,
        http=_Connection,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Without it, whoever asks from this machine could say that it asks for another at each request.
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=int(settings.limits.seconds),
    )


def run(
    settings: Settings, workers: Sequence[Worker], listening: socket.socket, metrics: tuple[str, int] | None
) -> int:
    """Serve until Ctrl-C or SIGTERM. The exit code is 0, 130 if it was told to hurry, 1 if it cannot go on."""
    logging.basicConfig(level=logging.INFO if settings.log_texts else logging.WARNING, format="rewrite: %(message)s")
    app = create_app(settings, workers)
    service: Service = app.state.service
    if metrics is not None:
        start_http_server(metrics[1], metrics[0], service.metrics.registry)
    host, port = listening.getsockname()[:2]
    print(f"rewrite: http://{f'[{host}]' if ':' in host else host}:{port} (Ctrl-C ends)", file=sys.stderr, flush=True)
    server = _Server(configured(app, settings), service, workers)
    server.run(sockets=[listening])
    return server.code
