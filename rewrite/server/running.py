"""The app in uvicorn, from the first connection to the last."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Sequence
from types import FrameType

import uvicorn
from prometheus_client import start_http_server

from rewrite.server.app import create_app
from rewrite.server.pool import Worker
from rewrite.server.service import Service
from rewrite.server.settings import Settings

_CONNECTIONS, _IDLE = 1_000, 60


class _Server(uvicorn.Server):
    """Says where it is, and tells the service when it is to end: what runs is finished, what is new is refused."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._service.stop()
        super().handle_exit(sig, frame)


def run(
    settings: Settings, workers: Sequence[Worker], listening: socket.socket, metrics: tuple[str, int] | None
) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    logging.basicConfig(level=logging.INFO if settings.log_texts else logging.WARNING, format="rewrite: %(message)s")
    app = create_app(settings, workers)
    service: Service = app.state.service
    if metrics is not None:
        start_http_server(metrics[1], metrics[0], service.metrics.registry)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=_IDLE,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=int(settings.limits.seconds),
    )
    host, port = listening.getsockname()[:2]
    print(f"rewrite: http://{f'[{host}]' if ':' in host else host}:{port} (Ctrl-C ends)", file=sys.stderr, flush=True)
    _Server(config, service).run(sockets=[listening])
