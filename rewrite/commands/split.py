"""`rewrite split`: English text in, shorter sentences with the same meaning out."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from rerank.workers import Work
from rewrite.commands.flags import with_options
from rewrite.commands.shared import Explain, Format, Input, Output, OutputFormat, Texts, given_lines
from rewrite.errors import BadOption
from rewrite.splitting.options import SplitOptions

__all__ = ["split"]


@with_options(model=SplitOptions)
def split(
    texts: Texts = None,
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
    from rewrite.batch import Pace
    from rewrite.commands.stream import run_chunks
    from rewrite.splitting.triples.reading import fitting, read_triples

    if newline and format is not OutputFormat.text:
        raise BadOption(
            "--newline counts for nothing with --format jsonl.", hint="The rows have the sentences as split."
        )
    chunks, source = given_lines(texts, input, Pace())
    told = None
    if triples is not None:
        told = read_triples(triples)
        chunks = fitting(chunks, len(told), source=source, triples=triples)

    def prepare(load: bool) -> Work:
        from rewrite.commands.split_work import split_work

        return split_work(options, format=format, newline=newline, explain=explain, triples=told)

    run_chunks(prepare, chunks, source=source, output=output, processes=1, alone=True)
