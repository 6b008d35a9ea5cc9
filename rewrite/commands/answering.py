"""The bodies of the commands that answer rows: what is read, what is made of it, and what may be gone on with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import typer

from rewrite.commands.documents import (
    DocumentOptions,
    answer_document,
    refuse_for_documents,
    refuse_for_lines,
    source_of,
)
from rewrite.commands.flags import OutputFormat, given_lines
from rewrite.corpus.options import PoolColumns, TextColumns
from rewrite.declaration import UserOptions
from rewrite.errors import BadOption
from rewrite.request import Options
from rewrite.splitting.split_options import SplitOptions
from rewrite.task_options import TaskOptions

if TYPE_CHECKING:
    from rewrite.commands.lines import Work
    from rewrite.commands.work import Run as Rewriting
    from rewrite.corpus.tables import Row
    from rewrite.splitting.triples.triple import Triple

# The exit code where some lines stand as they were.
_SOME_LINES = 3
# Lines that tell whether a file is wrapped.
_HEAD = 500


def answer(
    options: TaskOptions,
    texts: list[str] | None,
    input: str | None,
    output: str | None,
    format: OutputFormat,
    explain: bool,
    processes: int | None,
    documents: DocumentOptions | None = None,
    *,
    newline: bool = False,
    triples: str | None = None,
    files: TextColumns | None = None,
    done: str = "rewritten",
) -> None:
    """Answer a document, lines of text or a column of them as `options` say, of whatever task they are: the body of the
    commands that rewrite. `done` names the new column.
    """
    documents, files = documents or DocumentOptions(), files or TextColumns()
    document = source_of(texts, input, documents.document)
    if document is not None and document.format is not None:
        refuse_for_documents(document, files, newline=newline, triples=triples)
        where = partial(answer_document, document, options, documents, files, output=output, format=format)
        where(explain=explain, processes=processes)
        return
    refuse_for_lines(documents)
    if document is not None:
        texts, input = None, document.path
    from rewrite.batch import Pace, arguments, check_record
    from rewrite.commands.lines import Run, refuse_format, run_rows
    from rewrite.corpus.opening import refuse_columns
    from rewrite.corpus.reading import lines_of, read_columns, read_lines_of, text_item

    shared, prepared = options.shares_models, None
    pace = Pace() if options.draws_here else None
    cells = files.column is not None
    if cells:
        if texts or triples is not None:
            raise BadOption(f"{'TEXT' if texts else '--triples'} with --column.", hint="Give one of them.")
        refuse_format(format)
        several = options.best not in (None, 1)
        source = input
        reading = read_columns(files, text_item, source=input, output=output, done=done, pace=pace, lists=several)
    else:
        refuse_columns(input)
        if not texts and documents.document is None:
            _refuse_wrapped(input)
        chunks, source = given_lines(texts, input, pace)
        if triples is not None:
            from rewrite.splitting.triples.triple import fitting, read_triples

            triples_by_line = read_triples(triples)
            chunks = fitting(chunks, len(triples_by_line), source=source, triples=triples)
            prepared = partial(_with_triples, triples_by_line)
        rows = lines_of(chunks, ends=format is OutputFormat.text)
        reading = read_lines_of(rows, _unanswered(format), source=source, output=output)
    kept = _KeptWords(options)
    if texts:
        for _ in kept.passing(lines_of(arguments(texts), ends=True)):
            pass
        kept.require()

    def prepare(load: bool) -> Work:
        from rewrite.commands.work import text_work

        return text_work(
            options, format=format, explain=explain, newline=newline, cells=cells, prepared=prepared, load=load
        )

    reading.chunks = kept.passing(reading.chunks)
    check_record(options.record, source=source, output=output, recordings=options.recordings)
    settings = {"format": format.value, "newline": newline, **settings_of(options, done), **files.settings}
    resumable = triples is None and options.record is None
    with kept.required():
        run = Run(reading, source, output, files, settings, resumable)
        run_rows(run, prepare, processes=processes, alone=options.runs_alone, shared=shared)


def _refuse_wrapped(path: str | None) -> None:
    """Raises `BadOption` for a file whose sentences go on from line to line: each would be torn."""
    from rewrite.batch import Pace, read_lines
    from rewrite.layout import looks_wrapped

    if path in (None, "-") or not os.path.isfile(str(path)):
        return
    head = next(read_lines(path, Pace(_HEAD, steady=True)), b"")
    if looks_wrapped(head.decode("utf-8").split("\n")):
        raise BadOption(
            f"{path}: sentences go on from line to line, and lines are rewritten one by one.",
            hint="--document text takes it as paragraphs that are wrapped, --document lines each line by itself.",
        )


def settings_of(options: UserOptions, command: str) -> dict[str, object]:
    """What decides what comes out, beside the input and its columns."""
    from rewrite.version import version

    return {"command": command, "version": version(), **options.model_dump()}


def _unanswered(format: OutputFormat) -> Callable[[Row, str], str]:
    """What stands for a text that was lost: itself."""
    from rewrite.commands.lines import jsonl_line

    if format is OutputFormat.text:
        return lambda row, error: str(row.item)
    return lambda row, error: jsonl_line({"source": row.item, "text": row.item, "error": error})


def _with_triples(triples: Sequence[Sequence[Triple]], options: SplitOptions) -> Rewriting:
    """What splits texts that come in the order of their triples."""
    from rewrite.splitting.splitter import Splitter

    splitter, left = Splitter(options), iter(triples)
    return lambda texts: splitter.run(texts, list(islice(left, len(texts))))


class _KeptWords:
    """Words of `--keep` that no line so far holds: with many lines, each need be in one of them only."""

    def __init__(self, options: TaskOptions) -> None:
        self._language = options.told_language
        self._missing: Sequence[str] = options.keep

    def passing(self, chunks: Iterable[list[Row]]) -> Iterator[list[Row]]:
        """The chunks as they are, the texts of each looked through on their way."""
        for rows in chunks:
            if self._missing:
                from rewrite.compression.compressor import missing_words

                items = (row.item for row in rows if row.item is not None)
                sources = [str(getattr(item, "source", item)) for item in items]
                self._missing = missing_words(self._missing, sources, self._language)
            yield rows

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


def answer_pools(
    prepare: Callable[[bool], Work],
    input: str | None,
    output: str | None,
    processes: int | None,
    options: Options,
    files: PoolColumns,
    *,
    format: OutputFormat,
    merged: bool = False,
) -> None:
    """Answer pools of candidates, a line each; `merged`, a line for all neighbours of one source."""
    from rewrite.batch import Pace, read_lines
    from rewrite.candidates import merge_pools, pool_of_cells, read_pools
    from rewrite.commands.lines import Run, refuse_format, run_rows
    from rewrite.corpus.reading import read_columns, read_lines_of
    from rewrite.corpus.tables import Row

    pace = Pace() if options.draws_here else None
    if named := files.named:
        if len(named) < 2:
            raise BadOption(f"--{next(iter(named)).replace('_', '-')} alone.", hint="Name the other column, too.")
        refuse_format(format)
        # A choice is a text, or several; scores are numbers, as many as candidates.
        lists = options.best not in (None, 1) if merged else None
        reading = read_columns(
            files,
            pool_of_cells,
            source=input,
            output=output,
            done="reranked" if merged else "scores",
            pace=pace,
            merged=merged,
            numbers=not merged,
            lists=lists,
        )
    else:
        pools = read_pools(read_lines(input, pace))
        rows = ([Row([""], pool) for pool in batch] for batch in (merge_pools(pools) if merged else pools))
        reading = read_lines_of(rows, _no_choice(format, merged), source=input, output=output)
        reading.unit = "source" if merged else "line"
    kept = _KeptWords(options)
    reading.chunks = kept.passing(reading.chunks)
    settings = {"format": format.value, **settings_of(options, "rerank" if merged else "score"), **files.settings}
    with kept.required():
        run_rows(Run(reading, input, output, files, settings), prepare, processes=processes, alone=options.runs_alone)


def _no_choice(format: OutputFormat, merged: bool) -> Callable[[Row, str], str]:
    """What stands for a pool that was lost: its source, or no score."""
    from rewrite.commands.lines import jsonl_line

    if format is OutputFormat.text:
        return lambda row, error: row.item.source if merged else ""
    return lambda row, error: jsonl_line({"source": row.item.source, "candidates": [], "error": error})
