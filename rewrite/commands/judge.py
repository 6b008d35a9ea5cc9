"""`rewrite judge`: how good any summaries or rewrites are, by a metric."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rewrite.commands.flags import Format, Input, MaybeFlag, MaybeText, Output, OutputFormat, documented_exits
from rewrite.judging.registry import DEFAULT_METRIC, known_metrics


def judge(
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    metric: Annotated[
        str, typer.Option("--metric", metavar="NAME", help=f"One of {', '.join(known_metrics())}.")
    ] = DEFAULT_METRIC,
    lang: Annotated[
        MaybeText,
        typer.Option(
            "--lang",
            metavar="LANG",
            help="Of the texts: en, ru or other; guessed of each without it. other: "
            "not for learned without --model, nor for paraeval without --table.",
        ),
    ] = None,
    model: Annotated[
        MaybeText,
        typer.Option(
            "--model", metavar="MODEL", help="learned: a folder of python -m training.evaluator; bertscore: hf:FOLDER."
        ),
    ] = None,
    table: Annotated[
        MaybeText,
        typer.Option(
            "--table",
            metavar="TABLE",
            help="Paraphrases for paraeval: a file of phrase TAB phrase TAB probability, or a folder.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on standard error what each score is made of (learned, paraeval).")
    ] = False,
    facts: Annotated[
        MaybeFlag,
        typer.Option(
            "--facts/--no-facts",
            help="learned: a text that changes a number, a date, a name, a denial of its source, or says a word's "
            "opposite, gets less. By default it does.",
        ),
    ] = None,
) -> None:
    """Judge texts: lines of source TAB text [TAB reference]... (or JSON objects) in, a score for each out.

    A JSON object has source (or a list of several: their scores by the learned metric are added), text and, for metrics
    that compare with them, a list of references.
    """
    with documented_exits():
        from rewrite.batch import Pace, read_lines
        from rewrite.commands.judge_work import JudgeWork
        from rewrite.commands.lines import run_chunks
        from rewrite.judging.reading import read_rows
        from rewrite.judging.registry import create_metric

        options: dict[str, object] = {"model": model, "table": table, "facts": facts}
        options = {name: value for name, value in options.items() if value is not None}
        work = JudgeWork(create_metric(metric, language=lang, **options), format=format, explain=explain)
        # More at once than elsewhere: neural metrics sort a chunk by length, so that little of a batch is padding.
        chunks = read_rows(read_lines(input, Pace(256, steady=True)))
        try:
            run_chunks(lambda load: work, chunks, source=input, output=output, processes=1)
        finally:
            if format is OutputFormat.text and work.summary:
                print(work.summary, file=sys.stderr)
