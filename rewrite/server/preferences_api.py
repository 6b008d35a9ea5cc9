"""Weights learnt from choices: "I prefer this one"."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from rerank.preference_weights import Preference, fit_weights
from rerank.weights import Weights
from rewrite.server.schemas import Message, Table
from rewrite.server.settings import TaskName
from rewrite.server.tables import score_table
from rewrite.version import version

router = APIRouter(tags=["rewrite"])


class PreferenceChoice(Message):
    """Row `preferred` of the table is better than the rows `over`; null is the source."""

    table: Table
    preferred: int | None
    over: list[int | None] = Field(min_length=1, max_length=200)


class PreferencesRequest(Message):
    """Ten choices or more. The weights are sought near `start`, completed by those that the task has by itself."""

    choices: list[PreferenceChoice] = Field(max_length=1_000)
    task: TaskName = "simplify"
    lang: str | None = None
    start: dict[str, float] = Field(default_factory=dict)


class PreferencesResponse(BaseModel):
    """`agreement` is the share of the choices that the weights `before` and `after` would have made."""

    version: str
    weights: dict[str, float]
    agreement: dict[Literal["before", "after"], float]
    choices: int


@router.post("/v1/preferences")
def preferences(body: PreferencesRequest, request: Request) -> PreferencesResponse:
    """Weights that make the choices, as far as weights can; a table that was changed on the way is refused."""
    given = [
        Preference(score_table(c.table, f"choices[{i}].table"), c.preferred, tuple(c.over), c.table.threshold)
        for i, c in enumerate(body.choices)
    ]
    start = Weights({})
    if given:
        start = request.app.state.service.weights_for(given[0].table, body.task, body.lang, {}, body.start)
    fit = fit_weights(given, start)
    agreement = {"before": fit.before, "after": fit.after}
    return PreferencesResponse.model_validate(
        {"version": version(), "weights": dict(fit.weights), "agreement": agreement, "choices": len(given)}
    )
