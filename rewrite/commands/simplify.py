"""`rewrite simplify`: plain text in, simpler text out."""

from __future__ import annotations

import sys

from rerank.workers import Work
from rewrite.commands.flags import with_options
from rewrite.commands.shared import Explain, Format, Input, Output, OutputFormat, Processes, Texts, given_lines
from rewrite.defaults import NAMED, default_generator, what_is_missing
from rewrite.request import Options, draws_here, runs_alone

__all__ = ["simplify"]


@with_options(defaults={"generator": (default_generator, NAMED)})
def simplify(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Processes = None,
    options: Options,
) -> None:
    """Simplify Russian text: one sentence or paragraph a line in, one line out."""
    from rewrite.batch import Pace, check_record
    from rewrite.commands.stream import run_chunks
    from rewrite.generators import recordings

    if sys.stderr.isatty() and (missing := what_is_missing(options.generator)):
        print(missing, file=sys.stderr)
    alone = runs_alone(options)
    chunks, source = given_lines(texts, input, Pace() if draws_here(options) else None)

    def prepare(load: bool) -> Work:
        from rewrite.commands.work import simplify_work

        return simplify_work(options, format=format, explain=explain, load=load)

    check_record(options.record, source=source, output=output, recordings=recordings(options.generator))
    run_chunks(prepare, chunks, source=source, output=output, processes=processes, alone=alone)
