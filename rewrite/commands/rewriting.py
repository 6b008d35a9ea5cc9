"""`rewrite simplify`, `split` and `compress`: text in, rewritten text out. One body for all; the default generator.

`rewrite score` and `rewrite rerank`: the reranker for candidates of other people's systems. `rewrite generate`:
candidates alone, unscored, as a generator draws them; and `rewrite prompts`.
"""

from __future__ import annotations

import json
import sys
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from rewrite.commands.answering import answer, answer_pools, settings_of
from rewrite.commands.default_generator import SIMPLIFY_DEFAULT, SPLIT_DEFAULT, with_generator
from rewrite.commands.documents import DocumentOptions
from rewrite.commands.flags import (
    Explain,
    Format,
    Input,
    MaybeNumber,
    MaybeText,
    MaybeTexts,
    Output,
    OutputFormat,
    Processes,
    Texts,
    documented_exits,
    given_lines,
    with_options,
)
from rewrite.compression.compression_options import CompressOptions
from rewrite.corpus.options import FileOptions, PoolColumns, TextColumns
from rewrite.errors import BadOption
from rewrite.request import Options, not_of
from rewrite.splitting.split_options import SplitOptions
from rewrite.task_options import Step

if TYPE_CHECKING:
    pass

# The paper's, for whoever compares with it: from Python alone.
_PAPER = ("overlap", "compare", "bias")

Generator = Annotated[
    MaybeText, typer.Option(help=Options.model_fields["generator"].description, show_default=SIMPLIFY_DEFAULT.in_words)
]
SplitsGenerator = Annotated[
    MaybeText,
    typer.Option(help=SplitOptions.model_fields["generator"].description, show_default=SPLIT_DEFAULT.in_words),
]
Workers = Annotated[
    MaybeNumber,
    typer.Option(
        "--processes",
        min=1,
        help="Worker processes, each with models of its own; all cores for a file of some length, else one. "
        "A language model takes one.",
    ),
]
Newline = Annotated[bool, typer.Option("--newline", help="As text, put each sentence on a line of its own.")]
Triples = Annotated[
    MaybeText,
    typer.Option(
        metavar="FILE",
        help="RDF triples, a line for each line of text: subject | property | object, tabs between several.",
    ),
]


@with_options(skip=["generator"], files=TextColumns, documents=DocumentOptions)
def simplify(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Processes = None,
    generator: Generator = None,
    files: TextColumns,
    options: Options,
    documents: DocumentOptions,
) -> None:
    """Simplify Russian or English text: a document, or one sentence or paragraph a line in, one line out."""
    with with_generator(generator, options, SIMPLIFY_DEFAULT, processes) as (options, processes):
        at = (options, texts, input, output, format, explain, processes)
        answer(*at, documents, files=files, done="simplified")


@with_options(skip=["generator"], model=SplitOptions, files=TextColumns, documents=DocumentOptions)
def split(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    newline: Newline = False,
    explain: Explain = False,
    triples: Triples = None,
    processes: Workers = None,
    generator: SplitsGenerator = None,
    files: TextColumns,
    options: SplitOptions,
    documents: DocumentOptions,
) -> None:
    """Split English sentences into shorter ones that say the same, with every name and number."""
    if newline and format is not OutputFormat.text:
        raise BadOption(
            "--newline counts for nothing with --format jsonl.", hint="The rows have the sentences as split."
        )
    if newline and (options.best or 1) > 1:
        raise BadOption(
            f"--newline counts for nothing with --best {options.best}: several splits of a text stand in one line.",
            hint="Leave one of them out.",
        )
    if triples is not None and processes not in (None, 1):
        raise BadOption(f"--processes {processes} with --triples: their lines are read in order.", hint="Leave it out.")
    with with_generator(generator, options, SPLIT_DEFAULT, processes) as (options, processes):
        at = (options, texts, input, output, format, explain, processes)
        answer(*at, documents, newline=newline, triples=triples, files=files, done="split")


@with_options(skip=_PAPER, model=CompressOptions, files=TextColumns, documents=DocumentOptions)
def compress(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Workers = None,
    files: TextColumns,
    options: CompressOptions,
    documents: DocumentOptions,
) -> None:
    """Shorten text in any language: words are cut that change the least, by a masked language model."""
    at = (options, texts, input, output, format, explain, processes)
    answer(*at, documents, files=files, done="compressed")


@with_options(skip=not_of(Step.READ | Step.SCORE | Step.WEIGH), files=PoolColumns)
def score(
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    processes: Processes = None,
    files: PoolColumns,
    options: Options,
) -> None:
    """Score candidates: lines of source TAB candidate (or JSON objects) in, the numbers out, line by line.

    A line may hold several candidates: source TAB candidate TAB candidate, or {"source": "…", "candidates": ["…"]}.
    """
    from rewrite.commands.work import score_work

    prepare = partial(score_work, options, format, cells=bool(files.named))
    answer_pools(prepare, input, output, processes, options, files, format=format)


@with_options(skip=not_of(Step.READ | Step.SCORE | Step.WEIGH | Step.CHOOSE), files=PoolColumns)
def rerank(
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Processes = None,
    files: PoolColumns,
    options: Options,
) -> None:
    """Choose among candidates: lines of source TAB candidate (or JSON objects) in, the best rewrite of each source out.

    Neighbouring lines with the same source are one pool and give one line. The fact guard, the checks of form and
    the fall-back to the source apply as in `rewrite simplify`.
    """
    from rewrite.commands.work import rerank_work

    prepare = partial(rerank_work, options, format, explain, cells=bool(files.named))
    answer_pools(prepare, input, output, processes, options, files, format=format, merged=True)


class Task(Enum):
    """What a language model is asked to do."""

    simplify = "simplify"
    split = "split"
    rephrase = "rephrase"


@with_options(skip=not_of(Step.DRAW | Step.READ) | {"generator"}, files=FileOptions)
def generate(
    texts: Annotated[
        MaybeTexts, typer.Argument(metavar="[TEXT]...", help="A sentence each; without any, standard input is read.")
    ] = None,
    *,
    task: Annotated[Task, typer.Option("--task", help="What a language model is asked to do.")] = Task.simplify,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    debug: Annotated[
        bool, typer.Option("--debug", help="Say on standard error what cleaning did to each candidate.")
    ] = False,
    generator: Generator = None,
    files: FileOptions,
    options: Options,
) -> None:
    """Draw candidates only: no scores, no guard. A line holds a sentence; its candidates come out separated by tabs.

    With --format jsonl everything is told, what cleaning dropped as well, in the form that replay:FILE plays back.
    """
    from rewrite.batch import Pace, check_record
    from rewrite.commands.lines import Run, run_rows
    from rewrite.commands.work import draw_work
    from rewrite.corpus.reading import lines_of, read_lines_of

    with with_generator(generator, options, SIMPLIFY_DEFAULT, None) as (options, _):
        chunks, source = given_lines(texts, input, Pace() if options.draws_here else None)
        check_record(None, source=source, output=output, recordings=options.recordings)
        rows = lines_of(chunks, ends=False)
        reading = read_lines_of(rows, lambda row, error: "", source=source, output=output)
        settings = {"task": task.value, "format": format.value, **settings_of(options, "generate")}
        run = Run(reading, source, output, files, settings, resumable=options.record is None)
        # Of a cluster, all that there are.
        processes = 1 if files.ray is None else None
        prepare = partial(draw_work, options, asks=task.value, format=format, debug=debug)
        run_rows(run, lambda load: prepare(), processes=processes)


def prompts(
    name: Annotated[
        MaybeText,
        typer.Argument(
            metavar="[NAME]", help="A prompt to show filled in, by name or file; without it all are listed."
        ),
    ] = None,
    text: Annotated[str, typer.Option("--text", help="The sentence it is filled in with.")] = "{source}",
) -> None:
    """List the prompts that language models can be asked with, or show one."""
    with documented_exits():
        from rewrite.batch import LineWriter
        from rewrite.prompting import load_prompt

        if name is None:
            LineWriter().write(_listing().encode("utf-8"))
            return
        prompt = load_prompt(name)
        given = prompt.render(text)
        shown = "".join(f"{message.role}: {message.content}\n" for message in given.messages) or f"{given.text}\n"
        # What the command line could not read as UTF-8 goes out as it came.
        LineWriter().write(shown.encode("utf-8", "surrogateescape"))
        if prompt.stop:
            print(f"ends at: {json.dumps(list(prompt.stop), ensure_ascii=False)}", file=sys.stderr)


def _listing() -> str:
    """All shipped prompts, a line each."""
    from rewrite.prompting import shipped_prompts

    return "".join(f"{p.name:28} {p.kind:8} {p.task:9} {p.language}\n" for p in shipped_prompts())
