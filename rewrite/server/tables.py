"""Tables of the wire as score tables of the package."""

from __future__ import annotations

import numpy as np

from rerank.select import log_threshold, rank
from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights
from rewrite.errors import BadInput
from rewrite.server.schemas import Sentence, Table

_HINT = "Send tables as an answer of this server has them."


def score_table(table: Table, place: str) -> ScoreTable:
    """The table that an answer has given, sent back. Raises `BadInput` naming the `place` for one that was changed."""
    if table.digest != table.computed_digest():
        raise BadInput(f"{place}: the digest is not that of the table.", hint=_HINT)
    rows, columns = len(table.candidates), len(table.components)
    if len(set(table.components)) < max(1, columns):
        raise BadInput(f"{place}.components: each must be there once, at least one of them.", hint=_HINT)
    for name, values in (
        ("source_values", table.source_values),
        *((f"values[{i}]", v) for i, v in enumerate(table.values)),
    ):
        if len(values) != columns:
            raise BadInput(f"{place}.{name}: {len(values)} numbers for {columns} components.", hint=_HINT)
        if not all(0 <= value <= 1 for value in values):
            wrong = next(value for value in values if not 0 <= value <= 1)
            raise BadInput(f"{place}.{name}: {wrong} is not from 0 to 1.", hint=_HINT)
    if len(table.values) != rows:
        raise BadInput(f"{place}.values: {len(table.values)} rows for {rows} candidates.", hint=_HINT)
    return _as_table(table)


def _as_table(table: Table) -> ScoreTable:
    candidates = tuple(Candidate(c.text, c.generator, count=c.count, edits=tuple(c.edits)) for c in table.candidates)
    return ScoreTable(
        table.source,
        candidates,
        tuple(table.components),
        np.array(table.values, dtype=np.float64).reshape(len(candidates), len(table.components)),
        np.array(table.source_values, dtype=np.float64),
        tuple(c.blocked for c in table.candidates),
    )


def better_rows(sentence: Sentence, weights: dict[str, float]) -> list[int]:
    """Rows of a sentence's table that beat the source by as much as a choice must, best first."""
    if sentence.table is None:
        return []
    ranked = rank(_as_table(sentence.table), Weights(weights))
    floor = ranked.source_total + log_threshold(sentence.table.threshold)
    return [row for row in ranked.order if ranked.totals[row] > floor]
