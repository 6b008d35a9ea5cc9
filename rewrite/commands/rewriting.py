"""`rewrite simplify`, `split` and `compress`: text in, rewritten text out. One body for all; the default generator."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from rewrite.base.package import INSTALL, is_installed
from rewrite.commands.flags import with_options
from rewrite.commands.shared import (
    Explain,
    Format,
    Input,
    MaybeNumber,
    MaybeText,
    Output,
    OutputFormat,
    Processes,
    Texts,
    given_lines,
)
from rewrite.compression.options import CompressOptions
from rewrite.errors import BadModel, BadOption, MissingExtra, RewriteError
from rewrite.request import DrawingOptions, Options, TaskOptions, make_options
from rewrite.splitting.options import SplitOptions
from rewrite.unused import draws_here, runs_alone

GENERATOR_VARIABLE = "REWRITE_GENERATOR"
"""Environment variable that names another default."""
_DEFAULT_IN_WORDS = f"edits-lm where the extra lm is installed, else edits; or ${GENERATOR_VARIABLE}"
NO_LANGUAGE_MODEL = f"Long sentences are cut in two by a language model, which is not installed. {INSTALL}"
"""What is told where `edits` is the default only because the language model is not installed."""


def default_generator() -> tuple[str, str]:
    """What the environment names, else the best that is installed; and a notice for the user, which may be empty."""
    if chosen := os.environ.get(GENERATOR_VARIABLE):
        return chosen, ""
    return ("edits-lm", "") if is_installed() else ("edits", NO_LANGUAGE_MODEL)


# The paper's, for whoever compares with it: from Python alone.
_PAPER = ("overlap", "compare", "bias")
_LEFT_OUT = "--processes {} is left out: the language model uses all cores in one process (--generator edits does not)."

Generator = Annotated[
    MaybeText, typer.Option(help=Options.model_fields["generator"].description, show_default=_DEFAULT_IN_WORDS)
]
Workers = Annotated[
    MaybeNumber, typer.Option("--processes", min=1, help="Worker processes, each with models of its own; else one.")
]
Newline = Annotated[bool, typer.Option("--newline", help="As text, put each sentence on a line of its own.")]
Triples = Annotated[
    MaybeText,
    typer.Option(
        metavar="FILE",
        help="RDF triples, a line for each line of text: subject | property | object, tabs between several.",
    ),
]


@with_options(skip=["generator"])
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
) -> None:
    """Simplify Russian or English text: one sentence or paragraph a line in, one line out."""
    given = options.model_dump(exclude_unset=True)
    if generator is not None:
        options = make_options(**{**given, "generator": generator})
        _answer(options, texts, input, output, format, explain, processes)
        return
    default, notice = default_generator()
    if notice and sys.stderr.isatty():
        print(notice, file=sys.stderr)
    with _generator_by_default(default):
        options = make_options(**{**given, "generator": default})
        if processes not in (None, 1) and runs_alone(options):
            print(_LEFT_OUT.format(processes), file=sys.stderr)
            processes = 1
        _answer(options, texts, input, output, format, explain, processes)


@with_options(model=SplitOptions)
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
    options: SplitOptions,
) -> None:
    """Split English sentences into shorter ones that say the same, with every name and number."""
    if newline and format is not OutputFormat.text:
        raise BadOption(
            "--newline counts for nothing with --format jsonl.", hint="The rows have the sentences as split."
        )
    if triples is not None and processes not in (None, 1):
        raise BadOption(f"--processes {processes} with --triples: their lines are read in order.", hint="Leave it out.")
    _answer(options, texts, input, output, format, explain, processes, newline=newline, triples=triples)


@with_options(skip=_PAPER, model=CompressOptions)
def compress(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Workers = None,
    options: CompressOptions,
) -> None:
    """Shorten text in any language: words are cut that change the least, by a masked language model."""
    _answer(options, texts, input, output, format, explain, processes)


def _answer(
    options: TaskOptions,
    texts: list[str] | None,
    input: str | None,
    output: str | None,
    format: OutputFormat,
    explain: bool,
    processes: int | None,
    *,
    newline: bool = False,
    triples: str | None = None,
) -> None:
    """Answer lines of text as `options` say, of whatever task they are."""
    from rewrite.batch import Pace, arguments, check_record
    from rewrite.commands.lines import Work, run_chunks

    # Only `edits` may be loaded once and shared: encoders have threads of their own, which no fork survives.
    shared = isinstance(options, Options)
    paced = draws_here(options) if isinstance(options, Options) else True
    chunks, source = given_lines(texts, input, Pace() if paced else None)
    told = None
    if triples is not None:
        from rewrite.splitting.triples.triple import fitting, read_triples

        told = read_triples(triples)
        chunks = fitting(chunks, len(told), source=source, triples=triples)
    kept = _KeptWords(options)
    if texts:
        for _ in kept.passing(arguments(texts)):
            pass
        kept.require()

    def prepare(load: bool) -> Work:
        from rewrite.commands.work import text_work

        return text_work(options, format=format, explain=explain, newline=newline, triples=told, load=load and shared)

    check_record(options.record, source=source, output=output, recordings=options.recordings)
    run_chunks(
        prepare,
        kept.passing(chunks),
        source=source,
        output=output,
        processes=processes if shared or processes is not None else 1,
        alone=isinstance(options, DrawingOptions) and runs_alone(options),
    )
    kept.require()


@contextmanager
def _generator_by_default(generator: str) -> Iterator[None]:
    """What goes wrong with a generator that was not asked for says where it comes from and what does without."""
    try:
        yield
    except RewriteError as error:
        if os.environ.get(GENERATOR_VARIABLE):
            error.hint = f"{error.hint} The generator {generator!r} is named by {GENERATOR_VARIABLE}.".lstrip()
        elif generator == "edits-lm" and (isinstance(error, MissingExtra | BadModel) or "REWRITE_CACHE" in error.hint):
            error.hint = f"{error.hint} Without the language model: --generator edits.".lstrip()
        raise


class _KeptWords:
    """Words of `--keep` that no line so far holds: with many lines, each need be in one of them only."""

    def __init__(self, options: TaskOptions) -> None:
        self._language = options.told_language
        self._missing: Sequence[str] = options.keep

    def passing(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The chunks as they are, looked through on their way."""
        for chunk in chunks:
            if self._missing:
                from rewrite.compression.compressor import missing_words

                self._missing = missing_words(self._missing, chunk.decode("utf-8").split("\n"), self._language)
            yield chunk

    def require(self) -> None:
        """Raises `BadOption` for a word that was in no line."""
        if self._missing:
            from rewrite.compression.compressor import require_kept

            require_kept(self._missing, [], self._language)
