"""`rewrite score` and `rewrite rerank`: the reranker for candidates of other people's systems."""

from __future__ import annotations

from rewrite.commands.flags import with_options
from rewrite.commands.shared import Explain, Format, Input, Output, OutputFormat, Processes
from rewrite.request import Options, not_of
from rewrite.unused import draws_here, runs_alone


@with_options(skip=not_of("score", "weigh"))
def score(
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    processes: Processes = None,
    options: Options,
) -> None:
    """Score candidates: lines of source TAB candidate (or JSON objects) in, the numbers out, line by line.

    A line may hold several candidates: source TAB candidate TAB candidate, or {"source": "…", "candidates": ["…"]}.
    """
    from rewrite.batch import Pace, read_lines
    from rewrite.candidates import read_pools
    from rewrite.commands.lines import run_chunks
    from rewrite.commands.work import score_work

    pace = Pace() if draws_here(options) else None
    chunks = read_pools(read_lines(input, pace))
    run_chunks(
        lambda load: score_work(options, format=format, load=load),
        chunks,
        source=input,
        output=output,
        processes=processes,
        alone=runs_alone(options),
    )


@with_options(skip=not_of("score", "weigh", "choose"))
def rerank(
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Processes = None,
    options: Options,
) -> None:
    """Choose among candidates: lines of source TAB candidate (or JSON objects) in, the best rewrite of each source out.

    Neighbouring lines with the same source are one pool and give one line. The fact guard, the checks of form and
    the fall-back to the source apply as in `rewrite simplify`.
    """
    from rewrite.batch import Pace, read_lines
    from rewrite.candidates import merge_pools, read_pools
    from rewrite.commands.lines import run_chunks
    from rewrite.commands.work import rerank_work

    pace = Pace() if draws_here(options) else None
    chunks = merge_pools(read_pools(read_lines(input, pace)))
    run_chunks(
        lambda load: rerank_work(options, format=format, explain=explain, load=load),
        chunks,
        source=input,
        output=output,
        processes=processes,
        alone=runs_alone(options),
        unit="source",
    )
