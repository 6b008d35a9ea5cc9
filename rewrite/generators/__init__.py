"""Generators by name: those of this package, and any other that declares an entry point `rewrite.generators`.

Nothing is imported until a generator is asked for, so one engine's dependencies never burden another's users.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from rerank.analysis import Analyzer
from rerank.errors import UnknownName
from rewrite.generators.base import Generator, Sampling

__all__ = ["Generator", "Sampling", "create_generator", "known_generators"]

_GROUP = "rewrite.generators"
_BUILT_IN = {
    "deletion": "rewrite.generators.deletion:DeletionGenerator",
    "edits": "rewrite.generators.edits:EditsGenerator",
}


def known_generators() -> tuple[str, ...]:
    """Names that `create_generator` takes, sorted."""
    return tuple(sorted({*_BUILT_IN, *(point.name for point in entry_points(group=_GROUP))}))


def create_generator(name: str, *, analyzer: Analyzer) -> Generator:
    """The generator called `name`; the analyser is shared, so no text is parsed twice.

    An entry point names a factory that takes `analyzer` as a keyword and returns a `Generator`.
    Raises `UnknownName`, with the known names in its hint.
    """
    generator: Generator = _factory(name)(analyzer=analyzer)
    return generator


def _factory(name: str) -> Any:
    if name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[name].partition(":")
        return getattr(import_module(module), attribute)
    for point in entry_points(group=_GROUP):
        if point.name == name:
            return point.load()
    raise UnknownName(f"Unknown generator {name!r}.", hint=f"Known: {', '.join(known_generators())}.")
