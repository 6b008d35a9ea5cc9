"""`rewrite judge`: how good any summaries or rewrites are, by a metric."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rewrite.commands.flags import Format, Input, Output, OutputFormat, with_options
from rewrite.judging.registry import JudgeOptions


@with_options(model=JudgeOptions)
def judge(
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on standard error what each score is made of (learned, paraeval).")
    ] = False,
    options: JudgeOptions,
) -> None:
    """Judge texts: lines of source TAB text [TAB reference]... (or JSON objects) in, a score for each out.

    A JSON object has source (or a list of several: their scores by the learned metric are added), text and, for metrics
    that compare with them, a list of references.
    """
    from rewrite.batch import Pace, read_lines
    from rewrite.candidates import parsed_lines
    from rewrite.commands.judge_work import JudgeWork
    from rewrite.commands.lines import run_chunks
    from rewrite.judging.row_parsing import parse_row

    work = JudgeWork(options.create(), format=format, explain=explain)
    # More at once than elsewhere: neural metrics sort a chunk by length, so that little of a batch is padding.
    chunks = parsed_lines(read_lines(input, Pace(256, steady=True)), parse_row)
    try:
        run_chunks(lambda load: work, chunks, source=input, output=output, processes=1)
    finally:
        if format is OutputFormat.text and work.summary:
            print(work.summary, file=sys.stderr)
