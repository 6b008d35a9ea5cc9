"""`rewrite simplify`: plain text in, simpler text out."""

from __future__ import annotations

import sys
from typing import Annotated, Optional

import typer

from rerank.workers import Work
from rewrite.commands.flags import with_options
from rewrite.commands.shared import Explain, Format, Input, Output, OutputFormat, Processes
from rewrite.errors import BadOption
from rewrite.request import Options, draws_here, runs_alone

__all__ = ["simplify"]


@with_options()
def simplify(
    texts: Annotated[
        Optional[list[str]],  # noqa: UP045  # typer on Python 3.10 reads this spelling
        typer.Argument(metavar="[TEXT]...", help="A sentence or paragraph each; without any, standard input is read."),
    ] = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Processes = None,
    options: Options,
) -> None:
    """Simplify Russian text: one sentence or paragraph a line in, one line out."""
    from rewrite.batch import NO_FILE, Pace, arguments, check_record, read_lines
    from rewrite.commands.stream import run_chunks
    from rewrite.generators import recordings

    if texts and input is not None:
        raise BadOption("Both TEXT and --input were given.", hint="Give one of them.")
    if not texts and input is None and sys.stdin is not None and sys.stdin.isatty():
        print("Reading from the terminal, a sentence or paragraph a line; Ctrl-D ends.", file=sys.stderr)
    alone = runs_alone(options)
    pace = Pace() if draws_here(options) else None
    chunks = arguments(texts, pace) if texts else read_lines(input, pace)

    def prepare(load: bool) -> Work:
        from rewrite.commands.work import simplify_work

        return simplify_work(options, format=format, explain=explain, load=load)

    source = NO_FILE if texts else input
    check_record(options.record, source=source, output=output, recordings=recordings(options.generator))
    run_chunks(prepare, chunks, source=source, output=output, processes=processes, alone=alone)
