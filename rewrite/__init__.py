"""Rewrite text by generate-and-rerank: many candidates, one table of scores, one choice that the user can steer.

    from rewrite import simplify
    simplify("…", preset="simple").text

`Pipeline` is the same for many texts: it keeps the models loaded. Nothing is loaded by importing this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rewrite.pipeline import Pipeline
    from rewrite.request import Options
    from rewrite.result import Result

__all__ = ["Options", "Pipeline", "Result", "simplify"]

_HOMES = {"Options": "rewrite.request", "Pipeline": "rewrite.pipeline", "Result": "rewrite.result"}


def simplify(text: str, **options: Any) -> Result:
    """Rewrite one sentence or paragraph; `options` are the fields of `Options`, such as `preset="simple"` or `n=50`.

    Loads the models each time: for many texts, build one `Pipeline(Options(...))` and call its `run`. Raises
    `RewriteError` for an unknown option or a value out of range.
    """
    from rewrite.pipeline import Pipeline
    from rewrite.request import make_options

    return Pipeline(make_options(**options)).run([text])[0]


def __getattr__(name: str) -> Any:
    # Imported on first use, so that `rewrite --help` does not wait for numpy.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
