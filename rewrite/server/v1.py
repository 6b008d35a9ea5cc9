"""The server's own API: rewriting, choosing again, what there is to ask for, and whether it is ready."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import JSONResponse, Response

from rewrite.server import judge_api
from rewrite.server.connection import client_of, event_stream
from rewrite.server.schemas import (
    ErrorResponse,
    Event,
    ReadabilityRequest,
    ReadabilityResponse,
    ReweightRequest,
    ReweightResponse,
    RewriteRequest,
    RewriteResponse,
    TaskInfo,
)
from rewrite.server.service import Service
from rewrite.version import version

router = APIRouter(tags=["rewrite"], responses={422: {"model": ErrorResponse}, 429: {"model": ErrorResponse}})


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


@router.post("/v1/rewrite", responses={200: {"model": RewriteResponse}})
async def rewrite(body: RewriteRequest, request: Request) -> Response:
    """Rewrite a text or several. With `stream` each sentence is sent as it is done."""
    service, client = _service(request), client_of(request)
    if body.stream:
        return event_stream(request, _as_json(service.rewrite(body, client=client)))
    answer = await service.rewrite_all(body, client=client)
    return Response(answer.model_dump_json(), media_type="application/json")


async def _as_json(events: AsyncGenerator[Event, None]) -> AsyncGenerator[str, None]:
    async with aclosing(events):
        async for event in events:
            yield event.model_dump_json()


@router.post("/v1/reweight", responses={200: {"model": ReweightResponse}})
async def reweight(body: ReweightRequest, request: Request) -> Response:
    """Choose again from tables of earlier answers. No model is asked."""
    answer = await _service(request).reweight(body)
    return Response(answer.model_dump_json(), media_type="application/json")


@router.post("/v1/readability")
async def readability(body: ReadabilityRequest, request: Request) -> ReadabilityResponse:
    """How easy texts are to read: words in a sentence, rare words, school grade. No model is asked."""
    return await _service(request).readability(body)


@router.get("/v1/tasks")
def list_tasks(request: Request) -> list[TaskInfo]:
    """Tasks, their options as JSON schema, and the components that weights are for."""
    return [*_service(request).tasks(), judge_api.info()]


@router.get("/v1/presets")
def list_presets(request: Request) -> dict[str, Any]:
    """Weights by task, language and name, and where presets stand on the knob."""
    return _service(request).presets()


@router.head("/health", include_in_schema=False)
@router.get("/health")
async def health(request: Request) -> Response:
    """200 when all models are loaded that are to be, else 503; `failures` says of those that cannot be why."""
    pool = _service(request).pool
    state = {"status": pool.status, "version": version(), "failures": pool.failures}
    return JSONResponse(state, 200 if pool.is_ready else 503)


metrics_router = APIRouter()


@metrics_router.get("/metrics", response_class=Response)
def metrics(request: Request) -> Response:
    """Counters for Prometheus."""
    return Response(generate_latest(_service(request).metrics.registry), media_type=CONTENT_TYPE_LATEST)
