"""Meta-evaluation: metrics beside trivial baselines, against people's ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version as installed_version

import numpy as np

from rerank.types import FloatArray
from rewrite.errors import BadOption, UnknownName
from rewrite.evaluate.meta.coefficients import COEFFICIENTS, coefficient
from rewrite.evaluate.meta.data import RatedSet
from rewrite.evaluate.meta.levels import LEVELS, Agreement, Bootstrap, agreement
from rewrite.evaluate.meta.published import published_rows
from rewrite.evaluate.meta.report import Difference, MetaReport, MetaRow
from rewrite.evaluate.meta.scores import Scored
from rewrite.evaluate.resampling import percentile_interval
from rewrite.version import version

__all__ = ["MetaSettings", "evaluate_metrics"]


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


def evaluate_metrics(data: RatedSet, scored: Sequence[Scored], settings: MetaSettings | None = None) -> MetaReport:
    """How far each of `scored` agrees with the ratings of `data`, aspect by aspect.

    `BadOption` or `UnknownName` for a level or coefficient that the set has not, and for `against` what was not scored.
    """
    settings = settings or MetaSettings()
    level, name = settings.check(data, [one.name for one in scored])
    measure, grid = coefficient(name), _Grid(data)
    ratings = [grid.filled([item.ratings.get(aspect, np.nan) for item in data.items]) for aspect in data.aspects]
    rows = []
    for one in scored:
        scores = grid.filled(one.scores)
        found = [
            agreement(level, scores, given, measure, settings.bootstrap, systems=data.systems) for given in ratings
        ]
        rows.append(MetaRow(one.name, one.kind, tuple(found), one.signature, one.by))
    return MetaReport(
        data=data,
        level=level,
        coefficient=name,
        rows=tuple(rows),
        differences=_differences(rows, settings.against, data.aspects),
        published=published_rows(data.name, level, name, data.aspects),
        signature=_signature(data, settings),
    )


def _usual_level(data: RatedSet) -> str:
    # Two texts only correlate by 1 or -1.
    texts = Counter(item.document for item in data.items).values()
    return "summary" if 2 * sum(count > 2 for count in texts) > len(texts) else "pooled"


class _Grid:
    """Places of a set's texts among its documents and systems."""

    def __init__(self, data: RatedSet) -> None:
        documents = {name: place for place, name in enumerate(data.documents)}
        systems = {name: place for place, name in enumerate(data.systems)}
        self._shape = len(documents), len(systems)
        self._places = [(documents[item.document], systems[item.system]) for item in data.items]

    def filled(self, values: Sequence[float]) -> FloatArray:
        """One number for each text as `[documents, systems]`, NaN where there is none."""
        table = np.full(self._shape, np.nan)
        for place, value in zip(self._places, values, strict=True):
            table[place] = value
        return table


def _differences(rows: Sequence[MetaRow], against: str | None, aspects: Sequence[str]) -> tuple[Difference, ...]:
    """Each row less the one called `against`; the same documents are drawn for both."""
    other = next((row for row in rows if row.name == against), None)
    if other is None:
        return ()
    return tuple(
        _difference(row.name, other.name, aspect, *pair)
        for row in rows
        if row is not other
        for aspect, *pair in zip(aspects, row.agreements, other.agreements, strict=True)
    )


def _difference(name: str, other: str, aspect: str, one: Agreement, two: Agreement) -> Difference:
    samples = one.samples - two.samples
    known = samples[np.isfinite(samples)]
    value = one.value - two.value
    # Where one has none, of a single document, the two have none either.
    interval = percentile_interval(known, 0.95) if len(known) and one.interval and two.interval else None
    return Difference(name, other, aspect, value, interval)


def _signature(data: RatedSet, settings: MetaSettings) -> str:
    parts = {
        "rewrite-rerank": version(),
        "set": data.name,
        "samples": settings.bootstrap.samples,
        "seed": settings.bootstrap.seed,
        "numpy": np.__version__,
        "scipy": installed_version("scipy"),
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
