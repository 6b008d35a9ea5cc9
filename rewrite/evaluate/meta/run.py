"""Meta-evaluation: metrics beside trivial baselines, against people's ratings, as tables and as plain data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from rerank.errors import counted
from rerank.types import FloatArray
from rewrite.errors import BadOption, UnknownName
from rewrite.evaluate.harness import signature_of, text_table
from rewrite.evaluate.meta.agreement import COEFFICIENTS, LEVELS, Agreement, agreement, coefficient
from rewrite.evaluate.meta.scores import Scored
from rewrite.evaluate.meta.sets import RatedSet
from rewrite.evaluate.resampling import Bootstrap, Interval, percentile_interval
from rewrite.judging.types import by_several

_SHORT = {"informativeness": "INF", "relevance": "REL", "coherence": "COH", "fluency": "FLU"}
_LEVELS = {
    "summary": "summary level (mean over documents of the coefficient across systems)",
    "system": "system level (across systems, of their means)",
    "pooled": "pooled (all texts together)",
}
_NONE = "–"


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


class MetaRow(NamedTuple):
    """What was scored, and its agreement with each aspect, in the order of the set's aspects."""

    scored: Scored
    agreements: tuple[Agreement, ...]

    @property
    def name(self) -> str:
        return self.scored.name

    @property
    def kind(self) -> str:
        return self.scored.kind

    def to_json(self, aspects: Sequence[str]) -> dict[str, Any]:
        """The same as plain data; what is undefined is `null`, with the reason under `remark`."""
        found = {
            aspect: {
                **_plain(one.value, one.interval),
                "used": one.used,
                "of": one.total,
                "unit": one.unit,
                "remark": one.remark,
            }
            for aspect, one in zip(aspects, self.agreements, strict=True)
        }
        judges = {"judged_by": dict(self.scored.by)} if self.scored.by else {}
        about = {"kind": self.kind, "metric": self.name}
        return {**about, "aspects": found, "metric_signature": self.scored.signature, **judges}


class Difference(NamedTuple):
    """The agreement of `name` in an aspect less that of `other`, NaN where one is undefined, with its interval."""

    name: str
    other: str
    aspect: str
    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class MetaReport:
    """Rows beside the baselines, differences where they were asked for, and a signature."""

    data: RatedSet
    level: str
    coefficient: str
    rows: tuple[MetaRow, ...]
    differences: tuple[Difference, ...]
    signature: str

    def text(self) -> str:
        """Tables for a terminal: aspects as columns, remarks on what is undefined."""
        lines = [
            [row.name, row.kind, *(cell for one in row.agreements for cell in _cells(one.value, one.interval))]
            for row in self.rows
        ]
        measured = text_table(["metric", "kind", *self._heads()], lines)
        parts = [self._title(), measured, self._remarks(), self._differences()]
        signatures = dict.fromkeys(row.scored.signature for row in self.rows if row.scored.signature)
        return "\n\n".join(part for part in [*parts, "\n".join([self.signature, *signatures])] if part)

    def _title(self) -> str:
        found = {"document": self.data.documents, "system": self.data.systems, "text": self.data.items}
        counts = ", ".join(counted(len(several), one) for one, several in found.items())
        return "\n".join([f"{self.data.name}: {counts}; {self.coefficient}, {_LEVELS[self.level]}", *self.data.notes])

    def _heads(self) -> list[str]:
        return [head for aspect in self.data.aspects for head in (_SHORT.get(aspect, aspect), "95 %")]

    def _remarks(self) -> str:
        """A line for each metric and remark, with the aspects that it holds for."""
        lines = []
        for row in self.rows:
            aspects_of: dict[str, list[str]] = {}
            for aspect, one in zip(self.data.aspects, row.agreements, strict=True):
                if one.remark:
                    aspects_of.setdefault(one.remark, []).append(_SHORT.get(aspect, aspect))
            lines += [f"{row.name}, {', '.join(aspects)}: {remark}" for remark, aspects in aspects_of.items()]
            if several := by_several(row.scored.by, "texts"):
                lines.append(f"{row.name}: {several}")
        return "\n".join(lines)

    def _differences(self) -> str:
        if not self.differences:
            return ""
        cells: dict[str, list[str]] = {}
        for one in self.differences:
            cells.setdefault(one.name, []).extend(_cells(one.value, one.interval, sign="+"))
        lines = [[f"{name} − {self.differences[0].other}", *found] for name, found in cells.items()]
        return text_table(["difference", *self._heads()], lines)

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row, ready for `json.dumps`: measured rows, then differences."""
        about = {"set": self.data.name, "level": self.level, "coefficient": self.coefficient}
        rows = [{**about, **row.to_json(self.data.aspects), "signature": self.signature} for row in self.rows]
        for one in self.differences:
            names = {"kind": "difference", "metric": one.name, "against": one.other, "aspect": one.aspect}
            rows.append({**about, **names, **_plain(one.value, one.interval)})
        return rows


def evaluate_metrics(data: RatedSet, scored: Sequence[Scored], settings: MetaSettings | None = None) -> MetaReport:
    """How far each of `scored` agrees with the ratings of `data`, aspect by aspect.

    `BadOption` or `UnknownName` for a level or coefficient that the set has not, and for `against` what was not scored.
    """
    settings = settings or MetaSettings()
    bootstrap = settings.bootstrap
    level, name = settings.check(data, [one.name for one in scored])
    measure = coefficient(name)
    ratings = [_grid(data, [item.ratings.get(aspect, np.nan) for item in data.items]) for aspect in data.aspects]
    rows = []
    for one in scored:
        scores = _grid(data, one.scores)
        found = (agreement(level, scores, given, measure, bootstrap, systems=data.systems) for given in ratings)
        rows.append(MetaRow(one, tuple(found)))
    signature = signature_of(data.name, {"samples": bootstrap.samples, "seed": bootstrap.seed})
    return MetaReport(
        data=data,
        level=level,
        coefficient=name,
        rows=tuple(rows),
        differences=_differences(rows, settings.against, data.aspects),
        signature=f"{signature}|scipy:{version('scipy')}",
    )


def _grid(data: RatedSet, values: Sequence[float]) -> FloatArray:
    """One number for each text as `[documents, systems]`, NaN where there is none."""
    documents = {name: place for place, name in enumerate(data.documents)}
    systems = {name: place for place, name in enumerate(data.systems)}
    table = np.full((len(documents), len(systems)), np.nan)
    for item, value in zip(data.items, values, strict=True):
        table[documents[item.document], systems[item.system]] = value
    return table


def _differences(rows: Sequence[MetaRow], against: str | None, aspects: Sequence[str]) -> tuple[Difference, ...]:
    """Each row less the one called `against`; the same documents are drawn for both."""
    other = next((row for row in rows if row.name == against), None)
    return tuple(
        _difference(row.name, other.name, aspect, *pair)
        for row in rows
        if other is not None and row is not other
        for aspect, *pair in zip(aspects, row.agreements, other.agreements, strict=True)
    )


def _difference(name: str, other: str, aspect: str, one: Agreement, two: Agreement) -> Difference:
    samples = one.samples - two.samples
    known = samples[np.isfinite(samples)]
    # Where one has none, of a single document, the two have none either.
    interval = percentile_interval(known) if len(known) and one.interval and two.interval else None
    return Difference(name, other, aspect, one.value - two.value, interval)


def _number(value: float, sign: str = "") -> str:
    return _NONE if math.isnan(value) else f"{value:{sign}.2f}"


def _cells(value: float, interval: Interval | None, *, sign: str = "") -> list[str]:
    between = f"[{interval.low:{sign}.2f}, {interval.high:{sign}.2f}]" if interval else _NONE
    return [_number(value, sign), between]


def _plain(value: float, interval: Interval | None) -> dict[str, Any]:
    return {
        "value": None if math.isnan(value) else value,
        "interval": [interval.low, interval.high] if interval else None,
    }
