"""Meta-evaluation: metrics beside trivial baselines, against people's ratings, as tables and as plain data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import chain
from typing import Any

import numpy as np

from rerank.errors import counted
from rerank.types import FloatArray
from rewrite.errors import BadOption, UnknownName
from rewrite.evaluate.harness import Entry, HarnessReport, Scoring, SystemRow, figure_cells, report, text_table
from rewrite.evaluate.meta.rated_sets import RatedSet
from rewrite.evaluate.meta.rating_agreement import COEFFICIENTS, LEVELS, Agreement, agreement, coefficient
from rewrite.evaluate.meta.scores import Scored
from rewrite.evaluate.metric import Difference, Measured
from rewrite.evaluate.resampling import Bootstrap, Interval
from rewrite.judging.row_metric import by_several

_SHORT = {"informativeness": "INF", "relevance": "REL", "coherence": "COH", "fluency": "FLU"}
_LEVELS = {
    "summary": "summary level (mean over documents of the coefficient across systems)",
    "system": "system level (across systems, of their means)",
    "pooled": "pooled (all texts together)",
}


@dataclass(frozen=True, slots=True)
class MetaSettings:
    """How to compare.

    `level`: `summary`, `system` or `pooled`; without it `summary` where most documents have three texts, else `pooled`.
    `coefficient`: `spearman`, `pearson`, `kendall` or `auc`; without it `spearman`, or `auc` for pooled 0 and 1.
    `against`: a row whose agreement is taken from that of the others. `bootstrap`: samples and seed.
    """

    level: str | None = None
    coefficient: str | None = None
    against: str | None = None
    bootstrap: Bootstrap = field(default_factory=Bootstrap)

    def check(self, data: RatedSet, scored: Sequence[str]) -> tuple[str, str]:
        """The level and the coefficient for `data`.

        `BadOption` or `UnknownName` where it does not have them, and for `against` what is not among `scored`.
        """
        if self.against not in (None, *scored):
            raise BadOption(f"Nothing is scored by {self.against!r}.", hint=f"There is {', '.join(scored)}.")
        level = self.level or _usual_level(data)
        if level not in LEVELS:
            raise UnknownName(f"No level {level!r}.", hint=f"Known: {', '.join(LEVELS)}.")
        name = self.coefficient or ("auc" if data.binary and level == "pooled" else "spearman")
        if name not in COEFFICIENTS:
            raise UnknownName(f"No coefficient {name!r}.", hint=f"Known: {', '.join(COEFFICIENTS)}.")
        if name == "auc" and (not data.binary or level != "pooled"):
            raise BadOption(
                "The coefficient auc needs ratings of 0 and 1, all texts together.", hint="Give --coefficient spearman."
            )
        return level, name


def _usual_level(data: RatedSet) -> str:
    # Two texts only correlate by 1 or -1.
    texts = Counter(item.document for item in data.items).values()
    return "summary" if 2 * sum(count > 2 for count in texts) > len(texts) else "pooled"


@dataclass(frozen=True, slots=True)
class Agreements(Measured):
    """The agreement of some scores with each aspect."""

    by_aspect: Mapping[str, Agreement]


class RatedScoring(Scoring):
    """How far scores of the texts of a set agree with people's ratings, in each of the set's aspects.

    Segments are documents, their statistics the scores of their texts, `[documents, systems]`. `BadOption` or
    `UnknownName` for a level or coefficient that the set has not, and for `against` what was not scored.
    """

    def __init__(self, data: RatedSet, scored: Sequence[Scored], settings: MetaSettings) -> None:
        self.data, self.name, self.COMPARED = data, data.name, data.aspects
        self.scored = {scores.name: scores for scores in scored}
        self.level, self.coefficient = settings.check(data, list(self.scored))
        self._measure, self._against = coefficient(self.coefficient), settings.against
        self._asked = {"level": self.level, "coefficient": self.coefficient}
        ratings = ([item.ratings.get(aspect, np.nan) for item in data.items] for aspect in data.aspects)
        self._ratings = [_grid(data, values) for values in ratings]

    def entries(self) -> Iterator[Entry]:
        """What was scored, in its order."""
        for scored in self.scored.values():
            yield Entry(scored.name, scored.kind, partial(_grid, self.data, scored.scores))

    def aggregate(self, statistics: FloatArray, bootstrap: Bootstrap) -> Agreements:
        by_aspect = {
            aspect: agreement(self.level, statistics, ratings, self._measure, bootstrap)
            for aspect, ratings in zip(self.data.aspects, self._ratings, strict=True)
        }
        figures = {aspect: estimate.value for aspect, estimate in by_aspect.items()}
        samples = {aspect: estimate.samples for aspect, estimate in by_aspect.items()}
        return Agreements(figures, samples, len(statistics), by_aspect)

    def pairs(self, rows: Sequence[SystemRow]) -> Iterator[tuple[SystemRow, SystemRow]]:
        """Each row and the one that the others are compared with."""
        other = next((row for row in rows if row.system == self._against), None)
        yield from ((row, other) for row in rows if other is not None and row is not other)

    def settings(self, bootstrap: Mapping[str, object]) -> Mapping[str, object]:
        return bootstrap

    def signature(self, bootstrap: Bootstrap | None = None) -> str:
        return f"{super().signature(bootstrap)}|scipy:{version('scipy')}"

    def signatures(self, signature: str) -> list[str]:
        return [signature, *dict.fromkeys(scored.signature for scored in self.scored.values() if scored.signature)]

    def title(self) -> str:
        parts = {"document": self.data.documents, "system": self.data.systems, "text": self.data.items}
        counts = ", ".join(counted(len(members), noun) for noun, members in parts.items())
        return "\n".join([f"{self.name}: {counts}; {self.coefficient}, {_LEVELS[self.level]}", *self.data.notes])

    def table(self, rows: Sequence[SystemRow]) -> str:
        """Aspects as columns, remarks on what is undefined."""
        heads = [head for aspect in self.data.aspects for head in (_SHORT.get(aspect, aspect), "95 %")]
        cells = (
            [figure_cells(value, row.measured.interval(aspect)) for aspect, value in row.figures.items()]
            for row in rows
        )
        lines = [[row.system, row.kind, *chain.from_iterable(pairs)] for row, pairs in zip(rows, cells, strict=True)]
        measured = text_table(["metric", "kind", *heads], lines)
        remarks = "\n".join(line for row in rows for line in self._remarks(row))
        return f"{measured}\n\n{remarks}" if remarks else measured

    def _remarks(self, row: SystemRow) -> Iterator[str]:
        """A line for each remark, with the aspects that it holds for."""
        aspects_of: dict[str, list[str]] = {}
        for aspect, estimate in agreements(row).items():
            if estimate.remark:
                aspects_of.setdefault(estimate.remark, []).append(_SHORT.get(aspect, aspect))
        yield from (f"{row.system}, {', '.join(aspects)}: {remark}" for remark, aspects in aspects_of.items())
        if several := by_several(self.scored[row.system].by, "texts"):
            yield f"{row.system}: {several}"

    def row(self, row: SystemRow) -> dict[str, Any]:
        """What is undefined is `null`, with the reason under `remark`."""
        scored = self.scored[row.system]
        aspects = {
            aspect: {
                **_plain(estimate.value, row.measured.interval(aspect)),
                **{"used": estimate.used, "of": estimate.total, "unit": estimate.unit, "remark": estimate.remark},
            }
            for aspect, estimate in agreements(row).items()
        }
        judges = {"judged_by": dict(scored.by)} if scored.by else {}
        about = {**self._asked, "kind": row.kind, "metric": row.system, "aspects": aspects}
        return {**about, "metric_signature": scored.signature, **judges}

    def difference(self, difference: Difference) -> dict[str, Any]:
        names = {"metric": difference.system, "against": difference.baseline, "aspect": difference.figure}
        return {**self._asked, "kind": "difference", **names, **_plain(difference.value, difference.interval)}


def agreements(row: SystemRow) -> Mapping[str, Agreement]:
    """The agreement of a row of a `RatedScoring` with each aspect."""
    return row.measured.by_aspect if isinstance(row.measured, Agreements) else {}


def evaluate_metrics(data: RatedSet, scored: Sequence[Scored], settings: MetaSettings | None = None) -> HarnessReport:
    """How far each of `scored` agrees with the ratings of `data`, aspect by aspect; raises as `RatedScoring`."""
    settings = settings or MetaSettings()
    scoring = RatedScoring(data, scored, settings)
    return report(scoring, scoring.entries(), settings.bootstrap)


def _grid(data: RatedSet, values: Sequence[float]) -> FloatArray:
    """One number for each text as `[documents, systems]`, NaN where there is none."""
    documents = {name: place for place, name in enumerate(data.documents)}
    systems = {name: place for place, name in enumerate(data.systems)}
    table = np.full((len(documents), len(systems)), np.nan)
    for item, value in zip(data.items, values, strict=True):
        table[documents[item.document], systems[item.system]] = value
    return table


def _plain(value: float, interval: Interval) -> dict[str, Any]:
    return {"value": None if math.isnan(value) else value, "interval": interval.to_json()}
