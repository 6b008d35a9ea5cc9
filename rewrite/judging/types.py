"""What is judged, and what judges it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from rerank.facts import Violation

__all__ = ["Explained", "Judged", "Metric", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """A text (a summary, a rewrite), the source that it was made of, and what people wrote of the same source.

    Of a text that was made of several documents these are `documents`, and `source` is all of them together.
    """

    source: str
    text: str
    references: tuple[str, ...] = field(default=())
    documents: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Judged:
    """What a metric says of a row: a score, and the figures behind it by name (P, R, F; quality, grammar, content).

    `by` names what said so where a metric chooses among several for each row: scores by different ones do not compare.
    `changed` are the facts of the source that the text changes, `None` where that was not looked at.
    """

    score: float
    components: Mapping[str, float]
    by: str = ""
    changed: tuple[Violation, ...] | None = None

    def signature(self, metric: str) -> str:
        """That of the row, made of the metric's own: equal ones mean equal scores for equal rows."""
        return f"{metric}|by:{self.by}" if self.by else metric


@runtime_checkable
class Metric(Protocol):
    """Measures texts one row at a time; no row's score depends on the others."""

    @property
    def name(self) -> str: ...

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest score; more is better."""
        ...

    @property
    def needs_references(self) -> bool: ...

    def signature(self) -> str:
        """Name, variant and versions: equal signatures mean equal scores for equal rows."""
        ...

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row. Raises `BadInput` that names the row, counted from 1, for one without what it needs."""
        ...


@runtime_checkable
class Explained(Protocol):
    """A metric that can tell why."""

    def reasons(self, rows: Sequence[Row]) -> list[str]:
        """For each row what its score is made of, in lines for a reader. Raises what `Metric.score` does."""
        ...
