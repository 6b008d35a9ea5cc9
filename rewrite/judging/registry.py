"""Metrics by name. Nothing is imported until a metric is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from rewrite.declaration import UserOptions
from rewrite.errors import BadOption, UnknownName

if TYPE_CHECKING:
    from rewrite.judging.row_metric import RowMetric

# Classes by module, and the names of their metrics; a class with several is given the name.
_CLASSES: dict[str, tuple[str, ...]] = {
    "learned:Learned": ("learned",),
    "paraeval:ParaEvalMetric": ("paraeval",),
    "libraries:Rouge": ("rouge1", "rouge2", "rougeL", "source-rouge1", "source-rouge2"),
    "libraries:Sacre": ("bleu", "chrf"),
    "libraries:Meteor": ("meteor",),
    "libraries:BertScore": ("bertscore",),
    "libraries:Trivial": ("length", "brevity", "copied", "frequency"),
}
_METRICS = {name: (path, names) for path, names in _CLASSES.items() for name in names}

DEFAULT_METRIC = "learned"


class JudgeOptions(UserOptions):
    """What `rewrite judge` judges by."""

    metric: Annotated[str, Field(description=f"One of {', '.join(sorted(_METRICS))}.")] = DEFAULT_METRIC
    lang: Annotated[
        str | None,
        Field(
            description="Of the texts: en, ru or other; guessed of each without it. other: not for learned without "
            "--model, nor for paraeval without --table."
        ),
    ] = None
    model: Annotated[
        str | None,
        Field(description="learned: a folder of python -m training.evaluator; bertscore: hf:FOLDER."),
    ] = None
    table: Annotated[
        str | None,
        Field(description="Paraphrases for paraeval: a file of phrase TAB phrase TAB probability, or a folder."),
    ] = None
    facts: Annotated[
        bool | None,
        Field(
            description="learned: a text that changes a number, a date, a name, a denial of its source, or says a "
            "word's opposite, gets less. By default it does."
        ),
    ] = None

    def create(self) -> RowMetric:
        """The metric; raises as `create_metric`."""
        options = self.model_dump(exclude={"metric", "lang"}, exclude_none=True)
        return create_metric(self.metric, language=self.lang and self.lang.partition("-")[0], **options)


def known_metrics() -> tuple[str, ...]:
    """Names that `create_metric` takes, sorted."""
    return tuple(sorted(_METRICS))


def create_metric(name: str, *, language: str | None = None, **options: Any) -> RowMetric:
    """The metric called `name` for texts in `language` (guessed of each row without it).

    Raises `UnknownName`, with the known names in its hint, `BadOption` for a language that it does not know or for
    `options` that it does not take, and `MissingExtra` where its library is not installed.
    """
    for option, value in options.items():
        if not takes(name, option):
            given = f"--no-{option}" if value is False else f"--{option}"
            raise BadOption(f"The metric {name} takes no {option}.", hint=f"Leave {given} out.")
    metric: RowMetric = _factory(name)(language=language, **options)
    return metric


def takes(name: str, option: str) -> bool:
    """Whether the metric called `name` has an option of this name; raises as `create_metric` does for the name."""
    return option in signature(_factory(name)).parameters


def _factory(name: str) -> Callable[..., RowMetric]:
    if name not in _METRICS:
        raise UnknownName(f"Unknown metric {name!r}.", hint=f"Known: {', '.join(known_metrics())}.")
    path, names = _METRICS[name]
    module, _, attribute = path.partition(":")
    factory: Callable[..., RowMetric] = getattr(import_module(f"rewrite.judging.{module}"), attribute)
    return partial(factory, name) if len(names) > 1 else factory
