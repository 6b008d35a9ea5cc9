"""`rewrite judge`: how good any summaries or rewrites are, by a metric."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rewrite.commands.flags import Format, Input, Output, OutputFormat, with_options
from rewrite.corpus.options import JudgedColumns
from rewrite.errors import BadOption
from rewrite.judging.registry import JudgeOptions


@with_options(model=JudgeOptions, files=JudgedColumns)
def judge(
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on standard error what each score is made of (learned, paraeval).")
    ] = False,
    files: JudgedColumns,
    options: JudgeOptions,
) -> None:
    """Judge texts: lines of source TAB text [TAB reference]... (or JSON objects) in, a score for each out.

    A JSON object has source (or a list of several: their scores by the learned metric are added), text and, for metrics
    that compare with them, a list of references.
    """
    from rewrite.batch import Pace, read_lines
    from rewrite.candidates import parsed_lines
    from rewrite.commands.answering import settings_of
    from rewrite.commands.judge_work import JudgeWork
    from rewrite.commands.lines import Run, refuse_format, run_rows
    from rewrite.corpus.reading import read_columns, read_lines_of
    from rewrite.corpus.tables import Row
    from rewrite.judging.row_parsing import parse_row, row_of_cells

    if files.ray is not None:
        raise BadOption(f"--ray {files.ray!r} with judge.", hint="It judges in one process; leave it out.")
    cells = bool(files.named)
    work = JudgeWork(options.create(), format=format, explain=explain, cells=cells)
    # More at once than elsewhere: neural metrics sort a chunk by length, so that little of a batch is padding.
    pace = Pace(256, steady=True)
    if cells:
        refuse_format(format)
        reading = read_columns(files, row_of_cells, source=input, output=output, done="score", pace=pace, numbers=True)
    else:
        chunks = parsed_lines(read_lines(input, pace), parse_row)
        rows = ([Row([""], item) for item in items] for items in chunks)
        reading = read_lines_of(rows, work.unanswered, source=input, output=output)
    settings = {"format": format.value, **settings_of(options, "judge"), **files.settings}
    try:
        run_rows(Run(reading, input, output, files, settings), lambda load: work, processes=1)
    finally:
        if format is OutputFormat.text and work.summary:
            print(work.summary, file=sys.stderr)
