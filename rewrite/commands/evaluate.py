"""`rewrite evaluate`: figures on a data set."""

from __future__ import annotations

import typer

__all__ = ["evaluate"]

evaluate = typer.Typer(help="Measure quality on a data set.", no_args_is_help=True)


@evaluate.callback()
def _group() -> None:
    pass
