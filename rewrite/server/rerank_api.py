"""Candidates from anywhere, scored: in the form of rerank APIs (Cohere, Jina), and with the whole table."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, Field
from starlette.responses import JSONResponse, Response

from rewrite.server.connection import client_of
from rewrite.server.forms import count_tokens, no_model
from rewrite.server.schemas import ScoreRequest, ScoreResponse, Text
from rewrite.version import version

router = APIRouter(tags=["rerank"])

# Cohere's first version and Jina's may give a document as {"text": …}.
Document = Annotated[Text, BeforeValidator(lambda given: given.get("text") if isinstance(given, dict) else given)]


class RerankRequest(BaseModel):
    """The source as `query`, its candidates as `documents`. What else such clients send is passed over."""

    model: str = Field("", description="simplify-ru and others of GET /v1/models; without it simplify, by language.")
    query: Text = Field(min_length=1)
    documents: list[Document] = Field(min_length=1)
    top_n: int | None = Field(None, ge=1)
    return_documents: bool | None = None
    weights: dict[str, Any] = Field(default_factory=dict)
    preset: str | None = None
    control: float | None = None


@router.post("/rerank")
@router.post("/v1/rerank")
@router.post("/v2/rerank")
async def rerank(body: RerankRequest, request: Request) -> Response:
    """Documents by their score as a rewrite of the query, best first; those that a guard blocks have 0 and are last."""
    service = request.app.state.service
    models = {model.id: model for model in service.models()}
    if body.model and body.model not in models:
        return no_model(request.url.path, body.model, list(models.values()))
    named = {"task": models[body.model].task, "lang": models[body.model].lang} if body.model else {}
    own = body.model_dump(include={"weights", "preset", "control"})
    asked = ScoreRequest.model_validate({"source": body.query, "candidates": body.documents, **named, **own})
    scored = await service.score(asked, client=client_of(request))
    free = [not scored.table.candidates[row].blocked for row in scored.rows]
    relevance = [score if may else 0.0 for score, may in zip(scored.scores, free, strict=True)]
    order = sorted(range(len(free)), key=lambda i: (not free[i], -relevance[i], scored.rows[i], i))
    results: list[dict[str, Any]] = [{"index": i, "relevance_score": relevance[i]} for i in order[: body.top_n]]
    if body.return_documents:
        results = [{**result, "document": {"text": body.documents[result["index"]]}} for result in results]
    tokens = sum(map(count_tokens, (body.query, *body.documents)))
    api = "1" if request.url.path.startswith("/v1/") else "2"
    meta = {"api_version": {"version": api}, "billed_units": {"search_units": 1}}
    return JSONResponse(
        {
            "id": str(uuid.uuid4()),
            "model": body.model,
            "results": results,
            "meta": meta,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
            "version": version(),
            "signature": scored.signature,
        }
    )


@router.post("/v1/score")
async def score(body: ScoreRequest, request: Request) -> ScoreResponse:
    """The table of the candidates, their scores, and the choice among them. Nothing is drawn."""
    answer: ScoreResponse = await request.app.state.service.score(body, client=client_of(request))
    return answer
