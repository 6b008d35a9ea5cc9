"""What the HTTP server can do, apart from HTTP: `request.app.state.service` of every router."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Protocol

from rewrite.server.schemas import (
    Event,
    ModelInfo,
    RewriteRequest,
    RewriteResponse,
    ScoreRequest,
    ScoreResponse,
    TaskInfo,
)


class ServiceProtocol(Protocol):
    """Errors are those of `rewrite.errors` and `rewrite.server.errors`; the app turns them into answers."""

    def rewrite(self, request: RewriteRequest, *, client: str) -> AsyncIterator[Event]:
        """Events in order of completion: a start, a sentence for each, a result for each text."""
        ...

    async def rewrite_all(self, request: RewriteRequest, *, client: str) -> RewriteResponse:
        """The same, collected."""
        ...

    async def score(self, request: ScoreRequest, *, client: str) -> ScoreResponse:
        """The table of candidates from anywhere, and the choice among them."""
        ...

    def tasks(self) -> list[TaskInfo]: ...

    def presets(self) -> dict[str, Any]: ...

    def models(self) -> list[ModelInfo]: ...
