"""`rewrite split`: English text in, shorter sentences with the same meaning out."""

from __future__ import annotations

import sys
from typing import Annotated, Optional

import typer

from rerank.workers import Work
from rewrite.commands.flags import with_options
from rewrite.commands.shared import Explain, Format, Input, Output, OutputFormat
from rewrite.errors import BadOption
from rewrite.splitting.options import SplitOptions

__all__ = ["split"]


@with_options(model=SplitOptions)
def split(
    texts: Annotated[
        Optional[list[str]],  # noqa: UP045  # typer on Python 3.10 reads this spelling
        typer.Argument(metavar="[TEXT]...", help="A sentence or paragraph each; without any, standard input is read."),
    ] = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    newline: Annotated[
        bool, typer.Option("--newline", help="As text, put each sentence on a line of its own.")
    ] = False,
    explain: Explain = False,
    triples: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="FILE",
            help="RDF triples, a line for each line of text: subject | property | object, tabs between several.",
        ),
    ] = None,
    options: SplitOptions,
) -> None:
    """Split English sentences into shorter ones that say the same, with every name and number."""
    from rewrite.batch import NO_FILE, Pace, arguments, read_lines
    from rewrite.commands.stream import run_chunks
    from rewrite.splitting.triples.reading import fitting, read_triples

    if texts and input is not None:
        raise BadOption("Both TEXT and --input were given.", hint="Give one of them.")
    if newline and format is not OutputFormat.text:
        raise BadOption(
            "--newline counts for nothing with --format jsonl.", hint="The rows have the sentences as split."
        )
    if not texts and input is None and sys.stdin is not None and sys.stdin.isatty():
        print("Reading from the terminal, a sentence or paragraph a line; Ctrl-D ends.", file=sys.stderr)
    pace = Pace()
    chunks = arguments(texts, pace) if texts else read_lines(input, pace)

    source = NO_FILE if texts else input
    told = None
    if triples is not None:
        told = read_triples(triples)
        chunks = fitting(chunks, len(told), source=source, triples=triples)

    def prepare(load: bool) -> Work:
        from rewrite.commands.split_work import split_work

        return split_work(options, format=format, newline=newline, explain=explain, triples=told)

    run_chunks(prepare, chunks, source=source, output=output, processes=1, alone=True)
