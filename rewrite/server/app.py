"""The HTTP app: routers, errors, and what runs as long as it does."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from rewrite.errors import RewriteError
from rewrite.server import chat_api, document_api, judge_api, languagetool, preferences_api, rerank_api, v1
from rewrite.server.connection import Guarded, failure
from rewrite.server.forms import error_response
from rewrite.server.metrics import Counting, Metrics
from rewrite.server.pool import Pool, Worker
from rewrite.server.queue import FairQueue
from rewrite.server.schemas import ErrorBody
from rewrite.server.service import Service
from rewrite.server.settings import Settings
from rewrite.server.tasks import warm_up
from rewrite.version import version

_WEB = Path(__file__).with_name("web")
_SHOWN, _TOLD = 80, 10
"""Characters of a value, and faults of a body, that are told."""
_PLAIN = {
    "a valid dictionary or object to extract fields from": "an object",
    "a valid dictionary": "an object",
    "a valid string": "a text",
    " after validation": "",
}
_PYTHONIC = re.compile("|".join(_PLAIN))


def create_app(settings: Settings, workers: Sequence[Worker]) -> FastAPI:
    """The app, whose work is done by `workers`; they are ended with it."""
    queue = FairQueue(settings.limits.queue)
    pool = Pool(workers, queue, warm=warm_up(settings), seconds=settings.limits.seconds, optional=settings.optional)
    metrics = Metrics(queue, pool)
    service = Service(settings, queue, pool, metrics)

    @contextlib.asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        working = asyncio.ensure_future(pool.run())
        try:
            yield
        finally:
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working

    app = FastAPIOffline(
        redoc_url=None, static_url="/docs/static", title="rewrite", version=version(), lifespan=running
    )
    app.state.service = service
    routers = [
        module.router for module in (v1, rerank_api, judge_api, chat_api, languagetool, preferences_api, document_api)
    ]
    if not settings.own_metrics_port:
        routers.append(v1.metrics_router)
    for router in routers:
        app.include_router(router)
    if _WEB.is_dir():
        app.mount("/static", StaticFiles(directory=_WEB), name="static")
        app.add_api_route(
            "/", lambda: FileResponse(_WEB / "index.html"), methods=["GET", "HEAD"], include_in_schema=False
        )
    app.add_exception_handler(RewriteError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(Guarded, limits=settings.limits, token=settings.token, hosts=settings.hosts)
    if settings.origins:
        app.add_middleware(CORSMiddleware, allow_origins=settings.origins, allow_methods=["*"], allow_headers=["*"])
    paths = frozenset(getattr(route, "path", "") for router in routers for route in router.routes)
    app.add_middleware(Counting, metrics=metrics, paths=paths)
    return app


async def _refused(request: Request, error: Any) -> Response:
    return failure(request.url.path, error)


async def _malformed(request: Request, error: Any) -> Response:
    """A body that is not what its schema says: each place with what should be there."""
    faults = error.errors()
    complaints = dict.fromkeys(map(_complaint, faults[:_TOLD]))
    more = f"; and {len(faults) - _TOLD:,} more" if len(faults) > _TOLD else ""
    in_place = all(fault["loc"][1:] or fault["type"] == "value_error" for fault in faults)
    is_json = all(fault["type"] != "json_invalid" for fault in faults)
    hint = "" if in_place and is_json else "Send a JSON object with the header Content-Type: application/json."
    known = sorted(_fields_at(request)) if any(fault["type"] == "extra_forbidden" for fault in faults) else []
    named = (fault["ctx"]["expected"] for fault in faults if fault["type"] == "literal_error")
    known += [name for expected in named for name in re.findall(r"'([^']*)'", expected)]
    body = ErrorBody(message="; ".join(complaints) + f"{more}.", hint=hint, type="BadRequest", known=known)
    return error_response(request.url.path, 422, body)


def _complaint(fault: Mapping[str, Any]) -> str:
    if fault["type"] == "json_invalid":
        return f"The body is not JSON: {fault['ctx']['error']} at character {fault['loc'][-1] + 1}"
    place, shown = ".".join(map(str, fault["loc"][1:])), repr(fault.get("input"))
    message = re.sub("^Input|^Value|^List", "it", fault["msg"].removeprefix("Value error, "))
    message = _PYTHONIC.sub(lambda name: _PLAIN[name[0]], message)
    if not place or fault["type"] == "missing":
        return (
            f"{place or 'The body'} is missing" if fault["type"] == "missing" else re.sub("^it ", "The body ", message)
        )
    return f"{place} is {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'}: {message}"


def _fields_at(request: Request) -> list[str]:
    """The keys that the body of a route may have."""
    field = getattr(request.scope.get("route"), "body_field", None)
    model = getattr(getattr(field, "field_info", None), "annotation", None)
    return list(getattr(model, "model_fields", {}))


async def _http_error(request: Request, error: Any) -> Response:
    hint = "GET /docs lists what there is." if error.status_code in (404, 405) else ""
    detail = str(error.detail)
    if error.status_code == 400:  # what FastAPI says of JSON that Python cannot hold
        detail, hint = "The body cannot be read", "Send JSON without deep nesting or numbers of thousands of digits."
    body = ErrorBody(message=f"{detail}.".replace("..", "."), hint=hint, type="HTTPError")
    return error_response(request.url.path, error.status_code, body, error.headers)
