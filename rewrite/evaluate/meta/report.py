"""What a meta-evaluation found, as plain-text tables and as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rerank.plural import counted
from rewrite.evaluate.meta.data import RatedSet
from rewrite.evaluate.meta.levels import Agreement
from rewrite.evaluate.meta.published import SOURCE, PublishedRow
from rewrite.evaluate.report import text_table
from rewrite.evaluate.resampling import Interval
from rewrite.judging.types import by_several

__all__ = ["Difference", "MetaReport", "MetaRow"]

_SHORT = {"informativeness": "INF", "relevance": "REL", "coherence": "COH", "fluency": "FLU"}
_LEVELS = {
    "summary": "summary level (mean over documents of the coefficient across systems)",
    "system": "system level (across systems, of their means)",
    "pooled": "pooled (all texts together)",
}
_NONE = "–"


@dataclass(frozen=True, slots=True)
class MetaRow:
    """A metric's agreement with each aspect, in the order of the set's aspects; `kind` and `by` as in `Scored`."""

    name: str
    kind: str
    agreements: tuple[Agreement, ...]
    signature: str = ""
    by: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """The agreement of `name` in an aspect less that of `other`, NaN where one is undefined, with its interval."""

    name: str
    other: str
    aspect: str
    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class MetaReport:
    """Rows beside the baselines, differences where they were asked for, what the paper printed, and a signature."""

    data: RatedSet
    level: str
    coefficient: str
    rows: tuple[MetaRow, ...]
    differences: tuple[Difference, ...]
    published: tuple[PublishedRow, ...]
    signature: str

    def text(self) -> str:
        """Tables for a terminal: aspects as columns, the published rows apart, remarks on what is undefined."""
        parts = [self._title(), self._measured(), self._remarks(), self._differences(), self._published()]
        signatures = dict.fromkeys(row.signature for row in self.rows if row.signature)
        return "\n\n".join(part for part in [*parts, "\n".join([self.signature, *signatures])] if part)

    def _title(self) -> str:
        found = {"document": self.data.documents, "system": self.data.systems, "text": self.data.items}
        counts = ", ".join(counted(len(several), one) for one, several in found.items())
        return "\n".join([f"{self.data.name}: {counts}; {self.coefficient}, {_LEVELS[self.level]}", *self.data.notes])

    def _heads(self) -> list[str]:
        return [head for aspect in self.data.aspects for head in (_SHORT.get(aspect, aspect), "95 %")]

    def _measured(self) -> str:
        lines = [
            [row.name, row.kind, *(cell for one in row.agreements for cell in _cells(one.value, one.interval))]
            for row in self.rows
        ]
        return text_table(["metric", "kind", *self._heads()], lines)

    def _remarks(self) -> str:
        """A line for each metric and remark, with the aspects that it holds for."""
        lines = []
        for row in self.rows:
            said: dict[str, list[str]] = {}
            for aspect, one in zip(self.data.aspects, row.agreements, strict=True):
                if one.remark:
                    said.setdefault(one.remark, []).append(_SHORT.get(aspect, aspect))
            lines += [f"{row.name}, {', '.join(aspects)}: {remark}" for remark, aspects in said.items()]
            if several := by_several(row.by, "texts"):
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

    def _published(self) -> str:
        if not self.published:
            return ""
        heads = [_SHORT.get(aspect, aspect) for aspect in self.data.aspects]
        lines = [
            [row.name, *(_number(row.figures.get(aspect, math.nan)) for aspect in self.data.aspects)]
            for row in self.published
        ]
        return f"{SOURCE}\n{text_table(['published', *heads], lines)}"

    def to_json(self) -> list[dict[str, Any]]:
        """One object a row, ready for `json.dumps`: measured rows, differences, published ones.

        What is undefined is `null`, with the reason under `remark`.
        """
        about = {"set": self.data.name, "level": self.level, "coefficient": self.coefficient}
        rows = [{**about, **_plain(row, self.data.aspects), "signature": self.signature} for row in self.rows]
        rows += [{**about, **_plain_difference(one)} for one in self.differences]
        return rows + [
            {**about, "kind": "published", "metric": row.name, "aspects": dict(row.figures)} for row in self.published
        ]


def _number(value: float, sign: str = "") -> str:
    return _NONE if math.isnan(value) else f"{value:{sign}.2f}"


def _cells(value: float, interval: Interval | None, *, sign: str = "") -> list[str]:
    between = f"[{interval.low:{sign}.2f}, {interval.high:{sign}.2f}]" if interval else _NONE
    return [_number(value, sign), between]


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _ends(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _plain(row: MetaRow, aspects: Sequence[str]) -> dict[str, Any]:
    found = {
        aspect: {
            "value": _or_none(one.value),
            "interval": _ends(one.interval),
            "used": one.used,
            "of": one.total,
            "unit": one.unit,
            "remark": one.remark,
        }
        for aspect, one in zip(aspects, row.agreements, strict=True)
    }
    judges = {"judged_by": dict(row.by)} if row.by else {}
    return {"kind": row.kind, "metric": row.name, "aspects": found, "metric_signature": row.signature, **judges}


def _plain_difference(one: Difference) -> dict[str, Any]:
    names = {"kind": "difference", "metric": one.name, "against": one.other, "aspect": one.aspect}
    return {**names, "value": _or_none(one.value), "interval": _ends(one.interval)}
