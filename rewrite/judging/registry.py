"""Metrics by name. Nothing is imported until a metric is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rewrite.errors import UnknownName
from rewrite.judging.types import Metric

__all__ = ["create_metric", "known_metrics"]

# name → module:factory, and the positional arguments of the factory.
_METRICS: dict[str, tuple[str, tuple[str, ...]]] = {
    "paraeval": ("rewrite.judging.paraeval:ParaEvalMetric", ()),
}


def known_metrics() -> tuple[str, ...]:
    """Names that `create_metric` takes, sorted."""
    return tuple(sorted(_METRICS))


def create_metric(name: str, *, language: str | None = None, **options: Any) -> Metric:
    """The metric called `name` for texts in `language` (guessed of each row without it).

    Raises `UnknownName`, with the known names in its hint, `BadOption` for a language that it does not know, and
    `MissingExtra` where its library is not installed.
    """
    if name not in _METRICS:
        raise UnknownName(f"Unknown metric {name!r}.", hint=f"Known: {', '.join(known_metrics())}.")
    path, arguments = _METRICS[name]
    module, _, attribute = path.partition(":")
    metric: Metric = getattr(import_module(module), attribute)(*arguments, language=language, **options)
    return metric
