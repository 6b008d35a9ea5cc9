"""`rewrite simplify`, `split` and `compress`: text in, rewritten text out. One body for all; the default generator.

`rewrite score` and `rewrite rerank`: the reranker for candidates of other people's systems. `rewrite generate`:
candidates alone, unscored, as a generator draws them; and `rewrite prompts`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from rewrite.commands.default_generator import SIMPLIFY_DEFAULT, SPLIT_DEFAULT, with_generator
from rewrite.commands.documents import DocumentOptions, answer_document, refuse_for_lines, source_of
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
from rewrite.errors import BadOption
from rewrite.request import Options, not_of
from rewrite.splitting.split_options import SplitOptions
from rewrite.task_options import Step, TaskOptions

if TYPE_CHECKING:
    from rewrite.commands.lines import Work
    from rewrite.commands.work import Run
    from rewrite.splitting.triples.triple import Triple

# The exit code where some lines stand as they were.
_SOME_LINES = 3
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
        help="Worker processes, each with models of its own; else one. A language model takes one.",
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


@with_options(skip=["generator"], documents=DocumentOptions)
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
    documents: DocumentOptions,
) -> None:
    """Simplify Russian or English text: one sentence or paragraph a line in, one line out."""
    with with_generator(generator, options, SIMPLIFY_DEFAULT, processes) as (options, processes):
        answer(options, texts, input, output, format, explain, processes, documents)


@with_options(skip=["generator"], model=SplitOptions, documents=DocumentOptions)
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
        answer(options, texts, input, output, format, explain, processes, documents, newline=newline, triples=triples)


@with_options(skip=_PAPER, model=CompressOptions, documents=DocumentOptions)
def compress(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Workers = None,
    options: CompressOptions,
    documents: DocumentOptions,
) -> None:
    """Shorten text in any language: words are cut that change the least, by a masked language model."""
    answer(options, texts, input, output, format, explain, processes, documents)


def answer(
    options: TaskOptions,
    texts: list[str] | None,
    input: str | None,
    output: str | None,
    format: OutputFormat,
    explain: bool,
    processes: int | None,
    documents: DocumentOptions,
    *,
    newline: bool = False,
    triples: str | None = None,
) -> None:
    """Answer a document or lines of text as `options` say, of whatever task: the body of the commands that rewrite."""
    source_file = source_of(texts, input, documents.document)
    if source_file is not None and source_file.format is not None:
        if newline or triples is not None:
            raise BadOption(
                f"{'--newline' if newline else '--triples'} is for lines, and {source_file.path!r} is a document.",
                hint="Leave it out, or add --document lines.",
            )
        answer_document(
            source_file, options, documents, output=output, format=format, explain=explain, processes=processes
        )
        return
    refuse_for_lines(documents)
    if source_file is not None:
        texts, input = None, source_file.path
    from rewrite.batch import Pace, arguments, check_record
    from rewrite.commands.lines import run_chunks

    shared = options.shares_models
    chunks, source = given_lines(texts, input, Pace() if options.draws_here else None)
    prepared = None
    if triples is not None:
        from rewrite.splitting.triples.triple import fitting, read_triples

        triples_by_line = read_triples(triples)
        chunks = fitting(chunks, len(triples_by_line), source=source, triples=triples)
        prepared = partial(_with_triples, triples_by_line)
    kept = _KeptWords(options)
    if texts:
        for _ in kept.passing(arguments(texts), _lines):
            pass
        kept.require()

    def prepare(load: bool) -> Work:
        from rewrite.commands.work import text_work

        load = load and shared
        return text_work(options, format=format, explain=explain, newline=newline, prepared=prepared, load=load)

    passed = kept.passing(chunks, _lines)
    check_record(options.record, source=source, output=output, recordings=options.recordings)
    with kept.required():
        run_chunks(
            prepare,
            passed,
            source=source,
            output=output,
            processes=processes if shared or processes is not None else 1,
            alone=options.runs_alone,
        )


def _with_triples(triples: Sequence[Sequence[Triple]], options: SplitOptions) -> Run:
    """What splits texts that come in the order of their triples."""
    from rewrite.splitting.splitter import Splitter

    splitter, left = Splitter(options), iter(triples)
    return lambda texts: splitter.run(texts, list(islice(left, len(texts))))


_Chunk = TypeVar("_Chunk")


def _lines(chunk: bytes) -> list[str]:
    return chunk.decode("utf-8").split("\n")


class _KeptWords:
    """Words of `--keep` that no line so far holds: with many lines, each need be in one of them only."""

    def __init__(self, options: TaskOptions) -> None:
        self._language = options.told_language
        self._missing: Sequence[str] = options.keep

    def passing(self, chunks: Iterable[_Chunk], texts_of: Callable[[_Chunk], Sequence[str]]) -> Iterator[_Chunk]:
        """The chunks as they are, the texts of each looked through on their way."""
        for chunk in chunks:
            if self._missing:
                from rewrite.compression.compressor import missing_words

                self._missing = missing_words(self._missing, texts_of(chunk), self._language)
            yield chunk

    @contextmanager
    def required(self) -> Iterator[None]:
        """`require` when all lines were read, also where some of them were passed over."""
        try:
            yield
        except typer.Exit as over:
            if over.exit_code == _SOME_LINES:
                self.require()
            raise
        self.require()

    def require(self) -> None:
        """Raises `BadOption` for a word that was in no line."""
        if self._missing:
            from rewrite.compression.compressor import require_kept

            require_kept(self._missing, [], self._language)


@with_options(skip=not_of(Step.READ | Step.SCORE | Step.WEIGH))
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
    from rewrite.commands.work import score_work

    _answer_pools(partial(score_work, options, format), input, output, processes, options)


@with_options(skip=not_of(Step.READ | Step.SCORE | Step.WEIGH | Step.CHOOSE))
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
    from rewrite.commands.work import rerank_work

    _answer_pools(partial(rerank_work, options, format, explain), input, output, processes, options, merged=True)


def _answer_pools(
    prepare: Callable[[bool], Work],
    input: str | None,
    output: str | None,
    processes: int | None,
    options: Options,
    *,
    merged: bool = False,
) -> None:
    """Answer pools of candidates, a line each; `merged`, a line for all neighbours of one source."""
    from rewrite.batch import Pace, read_lines
    from rewrite.candidates import merge_pools, read_pools
    from rewrite.commands.lines import run_chunks

    kept = _KeptWords(options)
    read = read_pools(read_lines(input, Pace() if options.draws_here else None))
    pools = kept.passing(read, lambda chunk: [pool.source for pool in chunk])
    with kept.required():
        run_chunks(
            prepare,
            merge_pools(pools) if merged else pools,
            source=input,
            output=output,
            processes=processes,
            alone=options.runs_alone,
            unit="source" if merged else "line",
        )


class Task(Enum):
    """What a language model is asked to do."""

    simplify = "simplify"
    split = "split"
    rephrase = "rephrase"


@with_options(skip=not_of(Step.DRAW | Step.READ) | {"generator"})
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
    options: Options,
) -> None:
    """Draw candidates only: no scores, no guard. A line holds a sentence; its candidates come out separated by tabs.

    With --format jsonl everything is told, what cleaning dropped as well, in the form that replay:FILE plays back.
    """
    from rewrite.batch import Pace, check_record
    from rewrite.commands.lines import run_chunks
    from rewrite.commands.work import draw_work

    with with_generator(generator, options, SIMPLIFY_DEFAULT, None) as (options, _):
        chunks, source = given_lines(texts, input, Pace() if options.draws_here else None)
        check_record(None, source=source, output=output, recordings=options.recordings)
        run_chunks(
            lambda load: draw_work(options, asks=task.value, format=format, debug=debug),
            chunks,
            source=source,
            output=output,
            processes=1,
        )


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
