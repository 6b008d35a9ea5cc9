"""The command `rewrite`. Each command lives in `rewrite.commands`; models load only when one runs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from rewrite.commands.compress import compress
from rewrite.commands.evaluate import evaluate
from rewrite.commands.generate import generate, prompts
from rewrite.commands.judge import judge
from rewrite.commands.models import models
from rewrite.commands.once import FilesOnce
from rewrite.commands.rank import rerank, score
from rewrite.commands.simplify import simplify
from rewrite.commands.split import split
from rewrite.errors import EXIT_EPILOG

__all__ = ["app", "main"]

app = typer.Typer(
    name="rewrite",
    help="Rewrite Russian text: draw many candidates, keep the facts, choose by scores that you can steer.",
    epilog=EXIT_EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (simplify, split, compress, score, rerank, judge, generate, prompts):
    app.command(cls=FilesOnce, epilog=EXIT_EPILOG)(_command)
app.add_typer(evaluate, name="evaluate")
app.add_typer(models, name="models")


def _print_version(wanted: bool) -> None:
    if wanted:
        from rewrite.version import version

        print(f"rewrite {version()}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Entry point of the console script."""
    # The taggers' matrices are small: one thread each is fastest, and worker processes must not fight over cores.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
