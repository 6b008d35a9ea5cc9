"""Metrics by name. Nothing is imported until a metric is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

from rewrite.errors import BadOption, UnknownName
from rewrite.judging.types import Metric

__all__ = ["DEFAULT_METRIC", "create_metric", "known_metrics", "takes"]

# name → module:factory, and the positional arguments of the factory.
_METRICS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "learned": ("rewrite.judging.learned:Learned", ()),
    "paraeval": ("rewrite.judging.paraeval:ParaEvalMetric", ()),
    "rouge1": ("rewrite.judging.rouge:Rouge", ("rouge1",)),
    "rouge2": ("rewrite.judging.rouge:Rouge", ("rouge2",)),
    "rougeL": ("rewrite.judging.rouge:Rouge", ("rougeL",)),
    "bleu": ("rewrite.judging.overlap:Sacre", ("bleu",)),
    "chrf": ("rewrite.judging.overlap:Sacre", ("chrf",)),
    "meteor": ("rewrite.judging.overlap:Meteor", ()),
    "bertscore": ("rewrite.judging.bertscore:BertScore", ()),
    "source-rouge1": ("rewrite.judging.rouge:Rouge", ("rouge1", True)),
    "source-rouge2": ("rewrite.judging.rouge:Rouge", ("rouge2", True)),
    **{name: ("rewrite.judging.trivial:Trivial", (name,)) for name in ("length", "brevity", "copied", "frequency")},
}


DEFAULT_METRIC = "learned"


def known_metrics() -> tuple[str, ...]:
    """Names that `create_metric` takes, sorted."""
    return tuple(sorted(_METRICS))


def create_metric(name: str, *, language: str | None = None, **options: Any) -> Metric:
    """The metric called `name` for texts in `language` (guessed of each row without it).

    Raises `UnknownName`, with the known names in its hint, `BadOption` for a language that it does not know or for
    `options` that it does not take, and `MissingExtra` where its library is not installed.
    """
    factory, arguments = _factory(name)
    for option, value in options.items():
        if not takes(name, option):
            given = f"--no-{option}" if value is False else f"--{option}"
            raise BadOption(f"The metric {name} takes no {option}.", hint=f"Leave {given} out.")
    metric: Metric = factory(*arguments, language=language, **options)
    return metric


def takes(name: str, option: str) -> bool:
    """Whether the metric called `name` has an option of this name; raises as `create_metric` does for the name."""
    return option in signature(_factory(name)[0]).parameters


def _factory(name: str) -> tuple[Callable[..., Metric], tuple[Any, ...]]:
    if name not in _METRICS:
        raise UnknownName(f"Unknown metric {name!r}.", hint=f"Known: {', '.join(known_metrics())}.")
    path, arguments = _METRICS[name]
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute), arguments
