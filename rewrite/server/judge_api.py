"""Judging over HTTP what `rewrite judge` judges: texts of any system beside their sources."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.judging.metric_words import LANGUAGES
from rewrite.judging.registry import JudgeOptions, known_metrics
from rewrite.judging.row_metric import Judged
from rewrite.judging.row_parsing import row_of
from rewrite.server.connection import client_of
from rewrite.server.kinds import Kind
from rewrite.server.queue import Job
from rewrite.server.schemas import ErrorResponse, Message, TaskInfo, Text
from rewrite.version import version

router = APIRouter(tags=["judge"], responses={422: {"model": ErrorResponse}, 429: {"model": ErrorResponse}})

_BUNDLED = "bundled:"
# Their models are folders, or fetched by their library.
_NOT_HERE = ("bertscore",)
METRICS = tuple(name for name in known_metrics() if name not in _NOT_HERE)
"""What can judge without a model of the user's."""


class JudgeRow(BaseModel):
    """A text, its source (several documents are a list), and what people wrote of the same source."""

    source: Text | Annotated[list[Text], Field(min_length=1)]
    text: Text
    references: list[Text] = Field(default_factory=list)


class JudgeRequest(Message):
    """Rows to judge. Of a result of `/v1/rewrite` source and text are read."""

    rows: list[JudgeRow] = Field(min_length=1)
    metric: str = Field("learned", description=f"One of {', '.join(METRICS)}.")
    lang: str | None = Field(None, description="en, ru or other; without it, it is guessed of each row.")
    facts: bool | None = Field(None, description="learned: whether changed facts lower a score; null: they do.")
    model: str | None = Field(None, description="learned: bundled:NAME has one evaluator judge all rows.")


class ChangedFact(BaseModel):
    """A fact of the source that the text changes: what kind of fact, the words, and what is wrong with them."""

    kind: str
    text: str
    message: str


class Judgement(BaseModel):
    """A row's score and what it is made of; `error` says why there is none.

    `changed` is null where facts were not looked at. Equal signatures, equal scores for equal rows.
    """

    score: float | None = None
    components: dict[str, float] = Field(default_factory=dict)
    changed: list[ChangedFact] | None = None
    signature: str = ""
    error: str = ""


class JudgeResponse(BaseModel):
    """`mean` is that of the rows that have a score."""

    version: str
    metric: str
    results: list[Judgement]
    mean: float | None


@router.post("/v1/judge", responses={200: {"model": JudgeResponse}})
async def judge(body: JudgeRequest, request: Request) -> Response:
    """How good texts are for their sources, by the learned evaluator or another metric of `rewrite judge`."""
    kind = Kind("judge", "judge", _options(body).model_dump_json(exclude_unset=True), "")
    answers: asyncio.Queue[Job] = asyncio.Queue()
    service = request.app.state.service
    service.check_count(len(body.rows), "rows")
    rows = [row_of(row.source, row.text, row.references) for row in body.rows]
    jobs = {i: Job(kind, row, answers) for i, row in enumerate(rows) if not row.fault}
    size = sum(len(text) for row in rows for text in (row.source, row.text, *row.references))
    await service.work(list(jobs.values()), answers, size=size, client=client_of(request))
    service.metrics.sentences.labels("judge").inc(len(jobs))
    judged = [_judgement(*jobs[i].outcome) if i in jobs else _judgement(row.fault, "") for i, row in enumerate(rows)]
    scores = [judgement.score for judgement in judged if judgement.score is not None]
    mean = sum(scores) / len(scores) if scores else None
    answer = JudgeResponse(version=version(), metric=body.metric, results=judged, mean=mean)
    return Response(answer.model_dump_json(), media_type="application/json")


def info() -> TaskInfo:
    """What may be asked for, as `GET /v1/tasks` tells of each task."""
    schema = JudgeRequest.model_json_schema()
    options = {name: field for name, field in schema["properties"].items() if name != "rows"}
    return TaskInfo(
        name="judge",
        paths=["/v1/judge"],
        languages=list(LANGUAGES),
        options={"type": "object", "properties": options, "additionalProperties": False},
        components=[],
    )


def _options(body: JudgeRequest) -> JudgeOptions:
    """Raises `UnknownName` and `BadOption`."""
    if body.metric not in METRICS:
        raise UnknownName(f"Unknown metric {body.metric!r}.", hint=f"Known: {', '.join(METRICS)}.")
    if body.model is not None and not body.model.startswith(_BUNDLED):
        raise BadOption(f"model is {body.model!r}: folders are not to be had over HTTP.", hint="Give bundled:NAME.")
    given = body.model_dump(include={"metric", "facts", "model"}, exclude_none=True)
    language = {"lang": body.lang.partition("-")[0]} if body.lang else {}
    return JudgeOptions.read({**given, **language})


def _judgement(outcome: Judged | BadInput | None, metric: str) -> Judgement:
    if not isinstance(outcome, Judged):
        return Judgement(error=str(outcome))
    changed: Any = None if outcome.changed is None else [asdict(fact) for fact in outcome.changed]
    return Judgement(
        score=outcome.score,
        components=dict(outcome.components),
        changed=changed,
        signature=outcome.signature(metric),
    )
