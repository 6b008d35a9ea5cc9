"""Scorers by name: those of this package, and any other that declares an entry point `rerank.scorers`.

Nothing is imported until a scorer is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from rerank.errors import UnknownName
from rerank.scorer import Scorer

_GROUP = "rerank.scorers"
# name → module:factory, and the positional arguments of the factory.
_BUILT_IN: dict[str, tuple[str, tuple[str, ...]]] = {
    **{
        name: ("rerank.rusim:component", (name,))
        for name in ("lexical", "depth", "length", "readability", "similarity", "entities")
    },
    "likelihood": ("rerank.likelihood:Likelihood", ()),
    "caution": ("rerank.likelihood:Caution", ()),
    "structure": ("rerank.structure:Structure", ()),
    "fluency": ("rerank.likelihood:Fluency", ()),
    "brevity": ("rerank.structure:ShortSentences", ()),
    "coverage": ("rerank.paraeval.coverage:Coverage", ()),
    "ndd": ("rerank.ndd.scorers:NddScorer", ()),
    "ppl": ("rerank.ndd.scorers:PerplexityScorer", ()),
    "cosine": ("rerank.ndd.scorers:CosineScorer", ()),
    "bertscore": ("rerank.ndd.bertscore:BERTScore", ()),
    **{name: ("rerank.evaluator.registry:EvaluatorScorer", (name,)) for name in ("quality", "grammar", "content")},
}


def known_scorers() -> tuple[str, ...]:
    """Names that `create_scorer` takes, sorted."""
    return tuple(sorted({*_BUILT_IN, *plugged_scorers()}))


def plugged_scorers() -> frozenset[str]:
    """Names of scorers that other packages declare."""
    return frozenset(point.name for point in entry_points(group=_GROUP)) - _BUILT_IN.keys()


def create_scorer(name: str, **options: Any) -> Scorer:
    """The scorer called `name`; `options` go to its factory, which refuses those it does not know.

    An entry point names a factory that takes keyword options and returns a `Scorer`. A built-in name wins over an
    entry point of the same name. Raises `UnknownName`, with the known names in its hint.
    """
    factory, arguments = _factory(name)
    scorer: Scorer = factory(*arguments, **options)
    return scorer


def _factory(name: str) -> tuple[Callable[..., Any], tuple[str, ...]]:
    if name in _BUILT_IN:
        path, arguments = _BUILT_IN[name]
        module, _, attribute = path.partition(":")
        return getattr(import_module(module), attribute), arguments
    for point in entry_points(group=_GROUP):
        if point.name == name:
            return point.load(), ()
    raise UnknownName(f"Unknown scorer {name!r}.", hint=f"Known: {', '.join(known_scorers())}.")
