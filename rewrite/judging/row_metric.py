"""What is judged, and what judges it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rerank.types import FloatArray
from rewrite.errors import BadInput, BadOption, TextTooLong
from rewrite.evaluate.metric import SumMetric
from rewrite.judging.metric_words import is_blank

if TYPE_CHECKING:
    from rerank.facts import Violation


@dataclass(frozen=True, slots=True)
class Row:
    """A text (a summary, a rewrite), the source that it was made of, and what people wrote of the same source.

    Of a text that was made of several documents these are `documents`, and `source` is all of them together. `unread`
    says which keys of a row that lacks something nobody reads: one may be misspelt.
    """

    source: str
    text: str
    references: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    unread: str = ""

    @property
    def fault(self) -> BadInput | None:
        """Why it cannot be judged at all, where its source or its text is empty."""
        blank = [name for name, text in (("source", self.source), ("text", self.text)) if is_blank(text)]
        return BadInput(f"The {blank[0]} is empty.", hint=self.unread) if blank else None


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


def by_several(counts: Mapping[str, int], what: str) -> str:
    """How many rows (`what`) each of several judges had, by `Judged.by`; empty where one had all."""
    if len(counts) < 2:
        return ""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    listed = ", ".join(f"{count} by {name}" for name, count in ordered)
    # One of them can judge all where all texts are of its language: bundled:TASK-LANGUAGE.
    same = len({name.rpartition("-")[2] for name in counts}) == 1
    instead = "; with --model bundled:NAME one judges all" if same else ""
    return f"{what} were judged by different evaluators, whose scores do not compare: {listed}{instead}"


class RowMetric(SumMetric):
    """Measures texts one row at a time; no row's score depends on the others, and that of all rows is their mean.

    A metric has `signature` and either `judged`, or `results` where many rows at once are faster. `range` is the lowest
    and the highest score; more is better.
    """

    FIGURES = ("score",)
    name: str
    range: tuple[float, float] = (0.0, 1.0)
    needs_references: bool = True

    def statistics(self, judgements: Iterable[Judged]) -> FloatArray:
        """1 and the score of each row, `[n_rows, 2]`."""
        return np.array([(1.0, judgement.score) for judgement in judgements]).reshape(-1, 2)

    def figures(self, totals: FloatArray) -> FloatArray:
        return totals[:, 1:] / totals[:, :1]

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row. Raises `BadInput` that names the row, counted from 1, for one without what it needs."""
        scored = []
        for number, result in enumerate(self.results(rows), 1):
            if isinstance(result, BadInput):
                raise BadInput(f"Row {number}: {result.message}", hint=result.hint)
            scored.append(result)
        return scored

    def results(self, rows: Sequence[Row]) -> list[Judged | BadInput]:
        """What each row is judged, or why it cannot be."""
        return [self._result(row) for row in rows]

    def _result(self, row: Row) -> Judged | BadInput:
        if self.needs_references and not row.references:
            return BadInput(f"{self.name} needs references, there are none.", hint=row.unread)
        try:
            return self.judged(row)
        except (BadInput, TextTooLong) as error:
            return BadInput(error.message, hint=error.hint)

    def judged(self, row: Row) -> Judged:
        """The score of one row that has its references; `BadInput` or `TextTooLong` where there is none."""
        raise NotImplementedError

    def reasons(self, rows: Sequence[Row]) -> list[str]:
        """For each row what its score is made of, in lines for a reader. Raises what `score` does.

        `BadOption` where the metric cannot tell.
        """
        raise BadOption(f"The metric {self.name} gives no reasons.", hint="Leave --explain out.")
