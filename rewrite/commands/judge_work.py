"""What `rewrite judge` does with a chunk of lines: read rows, score them, render."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from rerank.errors import BadInput, counted
from rewrite.commands.flags import OutputFormat
from rewrite.commands.lines import Failure, Message, jsonl_line
from rewrite.corpus.tables import Row as TableRow
from rewrite.corpus.tables import Value
from rewrite.judging.row_metric import Judged, Row, RowMetric, by_several


class JudgeWork:
    """Rows → lines of scores, one for each, empty where there is nothing to judge or it cannot be judged.

    `summary` tells the mean of what was judged so far, and how many rows change a fact of their source. With `explain`
    the report has the metric's reasons; `BadOption` for one that has none. As `cells`, scores are numbers.
    """

    def __init__(self, metric: RowMetric, *, format: OutputFormat, explain: bool = False, cells: bool = False) -> None:
        if explain:
            metric.reasons(())
        self._metric = metric
        self._explain = explain
        self._format = format
        self._cells = cells
        self._totals = metric.statistics(()).sum(axis=0)
        self._changed = 0
        self._by: Counter[str] = Counter()

    def __call__(self, rows: Sequence[Row | None]) -> Message:
        results = iter(self._metric.results([row for row in rows if row is not None and not row.fault]))
        outcomes = [None if row is None else row.fault or next(results) for row in rows]
        judged = [outcome for outcome in outcomes if isinstance(outcome, Judged)]
        self._totals += self._metric.statistics(judged).sum(axis=0)
        self._changed += sum(bool(judgement.changed) for judgement in judged)
        self._by.update(judgement.by for judgement in judged)
        pairs = list(zip(rows, outcomes, strict=True))
        failures = [
            Failure(i, row.text, str(error))
            for i, (row, error) in enumerate(pairs)
            if row and isinstance(error, BadInput)
        ]
        return Message([self._line(*pair) for pair in pairs], self._reasons(pairs), failures)

    @property
    def summary(self) -> str:
        """Mean score and number of rows, who judged them where several did, and how many change facts.

        Of a single row the last alone; empty where there is nothing to say.
        """
        name, lines, count = self._metric.name, [], self._by.total()
        if count > 1:
            ((mean,),) = self._metric.figures(self._totals[None])
            lines.append(f"{name}: {mean:.4f}, the mean of {count} rows")
            if several := by_several(self._by, "rows"):
                lines.append(f"{name}: {several}")
        if self._changed:
            rows = "the row" if count == 1 else f"{self._changed:,} of {counted(count, 'row')}"
            where = "" if self._explain else " (--explain and --format jsonl tell which)"
            lines.append(f"{name}: {rows} {'changes' if self._changed == 1 else 'change'} facts of the source{where}")
        return "\n".join(lines)

    def _reasons(self, pairs: Sequence[tuple[Row | None, Judged | BadInput | None]]) -> str:
        if not self._explain:
            return ""
        judged = [row for row, outcome in pairs if row is not None and isinstance(outcome, Judged)]
        return "".join(f"{row.text}\n{why}\n\n" for row, why in zip(judged, self._metric.reasons(judged), strict=True))

    def unanswered(self, row: TableRow, error: str) -> str:
        """What stands for a blank row, and for one that was lost."""
        return str(self._line(row.item, BadInput(error) if error else None))

    def _line(self, row: Row | None, outcome: Judged | BadInput | None) -> Value:
        if self._cells:
            return outcome.score if isinstance(outcome, Judged) else None
        if self._format is OutputFormat.text:
            return f"{outcome.score:.6f}" if isinstance(outcome, Judged) else ""
        # Documents come back as they were given: joined they would be one long source, and judged as such.
        given: dict[str, object] = {"source": "", "text": ""}
        if row:
            references = {"references": row.references} if row.references else {}
            given = {"source": row.documents or row.source, "text": row.text, **references}
        if isinstance(outcome, Judged):
            changed = {} if outcome.changed is None else {"changed": [asdict(fact) for fact in outcome.changed]}
            figures = {"score": outcome.score, "components": dict(outcome.components), **changed}
            return jsonl_line({**given, **figures, "signature": outcome.signature(self._metric.signature())})
        return jsonl_line({**given, "score": None, "components": {}, **({"error": str(outcome)} if outcome else {})})
