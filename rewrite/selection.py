"""From a score table to the choices of a sentence, best first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rerank.select import diverse_n_best, n_best, select
from rerank.types import Candidate, FloatArray, ScoreTable
from rerank.weights import Weights

__all__ = ["THRESHOLDS", "Choice", "Choosing", "choose"]

# A candidate must beat this share of the source's own score: the released code asks for it, the paper does not.
# A split is as good as its source only where it says so itself.
THRESHOLDS = {"paper": 0.0, "released": 0.8, "split": 1.0}


class Choosing(Protocol):
    """What a choice asks of options: a name of `THRESHOLDS`, how many at most, and whether they should differ."""

    @property
    def variant(self) -> str: ...

    @property
    def best(self) -> int | None: ...

    @property
    def diverse(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """One rewrite of a sentence: the candidate, its score, and the component values behind it.

    The score is the weighted geometric mean of the components, in [0, 1]. `row` is the candidate's row in the score
    table, −1 for the source itself.
    """

    candidate: Candidate
    score: float
    components: Mapping[str, float]
    row: int = -1

    @property
    def text(self) -> str:
        return self.candidate.text


def choose(table: ScoreTable, weights: Weights, *, options: Choosing) -> tuple[Choice, ...]:
    """At most `options.best` choices (all where `None`); never empty: without a good candidate the source comes first.

    With `options.diverse`, they are picked to differ from each other. A pure function: no model is called.
    """
    selection = select(table, weights, threshold=THRESHOLDS[options.variant])
    ranked = selection.ranked
    limit = options.best or len(table.candidates) + 1
    first = () if selection.index is not None else (_source(table, selection.score),)
    rows = (diverse_n_best if options.diverse else n_best)(ranked, limit - len(first))
    return first + tuple(
        Choice(
            candidate=table.candidates[row],
            score=ranked.score(row),
            components=_named(table, table.values[row]),
            row=row,
        )
        for row in rows
    )


def _source(table: ScoreTable, score: float) -> Choice:
    candidate = Candidate(table.source, generator="source")
    return Choice(candidate=candidate, score=score, components=_named(table, table.source_values))


def _named(table: ScoreTable, values: FloatArray) -> dict[str, float]:
    return dict(zip(table.components, values.tolist(), strict=True))
