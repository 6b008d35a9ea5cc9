"""The command `rewrite`. Each command lives in `rewrite.commands`; models load only when one runs."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from rewrite.commands.evaluate import evaluate
from rewrite.commands.flags import documented_exits
from rewrite.commands.judge import judge
from rewrite.commands.models import models
from rewrite.commands.rewriting import compress, generate, prompts, rerank, score, simplify, split
from rewrite.commands.serve import serve
from rewrite.errors import EXIT_EPILOG, BadOption

_FILES = {
    "input": "Give one file; join several with cat.",
    "output": "Give one file; for a copy use tee.",
    "record": "Give one file.",
}


class FilesOnce(TyperCommand):
    """A command whose `--input`, `--output` and `--record` may be given once; of other options the last one counts."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # Parsing takes the list apart.
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        names = [param.name for param in given]
        with documented_exits():
            for name, hint in _FILES.items():
                if names.count(name) > 1:
                    raise BadOption(f"--{name} was given more than once.", hint=hint)
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="rewrite",
    help="Rewrite Russian or English text: draw many candidates, keep the facts, choose by scores that you can steer.",
    epilog=EXIT_EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (simplify, split, compress, score, rerank, judge, generate, prompts):
    app.command(cls=FilesOnce, epilog=EXIT_EPILOG)(_command)
app.command(epilog=EXIT_EPILOG)(serve)
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
