"""Scores of all texts of a set: by a metric, by one of its parts, or from a file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rerank.errors import counted
from rewrite.datasets import json_object, placed_lines
from rewrite.errors import BadInput, BadOption
from rewrite.evaluate.meta.rated_sets import LARGEST, RatedSet
from rewrite.judging.registry import create_metric, takes
from rewrite.judging.row_metric import Judged, RowMetric

BASELINES = ("length", "brevity", "copied", "frequency", "source-rouge1", "source-rouge2")
"""Metrics that need no reference and know nothing of quality."""

_WITH_SOURCE = ("length", "copied", "frequency", "source-rouge1", "source-rouge2")
# Of a sentence that is its own source everything is copied; and a long one has more places for a fault.
_ALONE = ("brevity", "frequency")


@dataclass(frozen=True, slots=True)
class Scored:
    """A score for each text of a set, in its order; `kind` is `baseline`, `metric` or `file`.

    `by` counts the texts by who judged them, where the metric says so (`Judged.by`).
    """

    name: str
    kind: str
    scores: tuple[float, ...]
    signature: str = ""
    by: Mapping[str, int] = field(default_factory=dict)


def baselines_of(data: RatedSet) -> tuple[str, ...]:
    """Names of the baselines that mean something for `data`."""
    return _ALONE if all(row.source == row.text for row in data.rows) else _WITH_SOURCE


def run_metrics(
    data: RatedSet,
    names: Sequence[str],
    *,
    model: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[Scored]:
    """Scores by the baselines that mean something for `data`, then by `names`: `NAME`, or `NAME:PART` for a component.

    `model` goes to the metrics that take one. `progress` is told the name of each as it is run. Raises `UnknownName`,
    `BadOption` for a part that a metric has not, a metric that needs references where the set has none, or a model that
    none takes.
    """
    asked = list(dict.fromkeys([*baselines_of(data), *names]))
    metrics = _metrics(data, dict.fromkeys(name.partition(":")[0] for name in asked), model)
    judged: dict[str, list[Judged]] = {}
    for name, metric in metrics.items():
        (progress or (lambda name: None))(name)
        judged[name] = metric.score(data.rows)
    return [_scored(spec, judged, metrics) for spec in asked]


def _metrics(data: RatedSet, names: dict[str, None], model: str | None) -> dict[str, RowMetric]:
    if model is not None and not any(takes(name, "model") for name in names):
        raise BadOption(f"--model {model!r} with metrics that take none.", hint="Leave it out.")
    metrics = {}
    for name in names:
        options = {"model": model} if model is not None and takes(name, "model") else {}
        metrics[name] = create_metric(name, language=data.language, **options)
        lacking = sum(not row.references for row in data.rows)
        if metrics[name].needs_references and lacking:
            have = "has" if lacking == 1 else "have"
            raise BadOption(
                f"The metric {name} needs references; {lacking:,} of {counted(len(data.rows), 'text')} of {data.name} "
                f"{have} none.",
                hint="Give metrics that compare with the source alone.",
            )
    return metrics


def _scored(spec: str, judged: dict[str, list[Judged]], metrics: dict[str, RowMetric]) -> Scored:
    name, parted, part = spec.partition(":")
    kind = "baseline" if spec in BASELINES else "metric"
    parts = [judgement.components for judgement in judged[name]]
    # Of long sources and of languages without a guard `learned` has no part `facts`.
    of_all = [known for known in parts[0] if all(known in components for components in parts)]
    if parted and part not in of_all:
        message = f"The metric {name} has no part {part!r}."
        raise BadOption(message, hint=f"It has: {', '.join(of_all) or 'none'}.")
    scores = (judgement.components[part] if parted else judgement.score for judgement in judged[name])
    by = Counter(judgement.by for judgement in judged[name] if judgement.by)
    return Scored(spec, kind, tuple(map(float, scores)), metrics[name].signature(), by)


def load_scores(path: str | Path, data: RatedSet) -> list[float]:
    """Scores from JSONL, an object with `score` for each text of the set in its order.

    A `text` beside it must be that of the set. `BadInput` names file and line, or both counts where they differ.
    """
    path = Path(path)
    lines = list(placed_lines(path))
    if len(lines) != len(data.items):
        raise BadInput(
            f"{path} holds {counted(len(lines), 'score')}, the set {data.name} has {counted(len(data.items), 'text')}.",
            hint="Print the texts with --rows; the scores must stand in their order.",
        )
    scores = []
    for (place, line), item in zip(lines, data.items, strict=True):
        row = json_object(line, place)
        if isinstance(text := row.get("text"), str) and text.split() != item.row.text.split():
            raise BadInput(f"{place}: the text {text[:60]!r} is not that of the set, {item.row.text[:60]!r}.")
        scores.append(_number(row.get("score"), place))
    return scores


def _number(score: object, place: str) -> float:
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not abs(score) <= LARGEST:
        raise BadInput(
            f"{place}: 'score' is {json.dumps(score)[:40]}.", hint='Expected {"score": 0.5} with a finite number.'
        )
    return float(score)
