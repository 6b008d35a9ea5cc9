"""What `/metrics` tells Prometheus. No text is in it."""

from __future__ import annotations

import re
import time
from collections.abc import Collection

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rerank.types import ScoreTable
from rewrite.server.pool import Pool
from rewrite.server.queue import FairQueue

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
# Guards say what is wrong in words, with those of the text: these are what it comes to.
_REASONS = (
    ("dropped", re.compile(r"\bdrop|leaves out|\blost\b|the candidate does not")),
    ("added", re.compile(r"not (?:\S+ )?in the source|does not (?:say|deny)|is not the source's")),
    ("changed", re.compile(r"the source|exchanged")),
)


class Metrics:
    """Counters and gauges of one server."""

    def __init__(self, queue: FairQueue, pool: Pool) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter("rewrite_requests", "Requests.", ["route", "status"], registry=registry)
        self.seconds = Histogram(
            "rewrite_request_seconds", "Time of requests.", ["route"], buckets=_BUCKETS, registry=registry
        )
        self.sentences = Counter(
            "rewrite_sentences", "Sentences that were rewritten, scored or judged.", ["task"], registry=registry
        )
        self.candidates = Counter("rewrite_candidates", "Candidates, each text once.", ["task"], registry=registry)
        self.blocked = Counter(
            "rewrite_blocked", "Candidates that a guard blocked.", ["task", "reason"], registry=registry
        )
        self.tokens = Counter(
            "rewrite_tokens", "Tokens of candidates, as their generators count.", ["task"], registry=registry
        )
        for name, what, value in (
            ("rewrite_queue_sentences", "Sentences that wait.", lambda: queue.waiting),
            ("rewrite_ready", "Whether all models are loaded.", lambda: pool.is_ready),
            ("rewrite_worker_restarts", "Workers that died and were started anew.", lambda: pool.restarts),
        ):
            Gauge(name, what, registry=registry).set_function(value)

    def table(self, task: str, table: ScoreTable) -> None:
        """Count the candidates of a sentence."""
        self.sentences.labels(task).inc()
        self.candidates.labels(task).inc(len(table.candidates))
        self.tokens.labels(task).inc(sum(c.tokens or 0 for c in table.candidates))
        for reason in filter(None, table.blocked):
            self.blocked.labels(task, _kind_of(reason)).inc()


def _kind_of(reason: str) -> str:
    return next((kind for kind, pattern in _REASONS if pattern.search(reason)), "form")


class Counting:
    """Counts requests and their time, by the route that answered."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: Collection[str]) -> None:
        self._app, self._metrics, self._paths = app, metrics, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), "gone"

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            # Some are refused before they come to a route; a path that is none of ours would be a label for scanners.
            refused = scope["path"] if scope["path"] in self._paths else "other"
            route = getattr(scope.get("route"), "path", refused)
            self._metrics.requests.labels(route, status).inc()
            self._metrics.seconds.labels(route).observe(time.monotonic() - began)
