"""`rewrite simplify`: plain text in, simpler text out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Optional

import typer

from rerank.workers import Work
from rewrite.commands.flags import with_options
from rewrite.commands.shared import Explain, Format, Input, Output, OutputFormat, Processes, Texts, given_lines
from rewrite.defaults import NAMED, VARIABLE, default_generator
from rewrite.errors import BadModel, MissingExtra, RewriteError
from rewrite.request import Options, draws_here, make_options, runs_alone

__all__ = ["simplify"]

_LEFT_OUT = "--processes {} is left out: the language model uses all cores in one process (--generator edits does not)."

Generator = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help=Options.model_fields["generator"].description, show_default=NAMED),
]


@with_options(skip=["generator"])
def simplify(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Processes = None,
    generator: Generator = None,
    options: Options,
) -> None:
    """Simplify Russian text: one sentence or paragraph a line in, one line out."""
    if generator is not None:
        options = make_options(**{**dict(options), "generator": generator})
        _simplify(texts, input, output, format, explain, processes, options)
        return
    default, notice = default_generator()
    if notice and sys.stderr.isatty():
        print(notice, file=sys.stderr)
    with _generator_by_default(default):
        options = make_options(**{**dict(options), "generator": default})
        if processes not in (None, 1) and runs_alone(options):
            print(_LEFT_OUT.format(processes), file=sys.stderr)
            processes = 1
        _simplify(texts, input, output, format, explain, processes, options)


@contextmanager
def _generator_by_default(generator: str) -> Iterator[None]:
    """What goes wrong with a generator that was not asked for says where it comes from and what does without."""
    try:
        yield
    except RewriteError as error:
        if os.environ.get(VARIABLE):
            error.hint = f"{error.hint} The generator {generator!r} is named by {VARIABLE}.".lstrip()
        elif generator == "edits-lm" and (isinstance(error, MissingExtra | BadModel) or "REWRITE_CACHE" in error.hint):
            error.hint = f"{error.hint} Without the language model: --generator edits.".lstrip()
        raise


def _simplify(
    texts: list[str] | None,
    input: str | None,
    output: str | None,
    format: OutputFormat,
    explain: bool,
    processes: int | None,
    options: Options,
) -> None:
    from rewrite.batch import Pace, check_record
    from rewrite.commands.stream import run_chunks
    from rewrite.generators import recordings

    alone = runs_alone(options)
    chunks, source = given_lines(texts, input, Pace() if draws_here(options) else None)

    def prepare(load: bool) -> Work:
        from rewrite.commands.work import simplify_work

        return simplify_work(options, format=format, explain=explain, load=load)

    check_record(options.record, source=source, output=output, recordings=recordings(options.generator))
    run_chunks(prepare, chunks, source=source, output=output, processes=processes, alone=alone)
