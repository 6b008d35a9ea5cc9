"""A document in, a document out: the body of the commands that rewrite, where a file is more than lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import typer
from pydantic import Field

from rewrite.commands.flags import OutputFormat
from rewrite.corpus.options import FileOptions, TextColumns
from rewrite.declaration import UserOptions
from rewrite.documents.formats import FORMATS, LINES, PAGES, Format, format_of
from rewrite.errors import BadInput, BadOption
from rewrite.task_options import TaskOptions

if TYPE_CHECKING:
    from rewrite.corpus.account import Account
    from rewrite.documents.docx.document import DocxDocument
    from rewrite.documents.revision import Revision
    from rewrite.documents.segments import Document, Segment
    from rewrite.tally import Tally

_Write = Callable[["Document", Sequence["tuple[Revision, ...]"]], bytes]
_OTHER_NAMES = dict.fromkeys(("text", "markdown"), (*FORMATS["text"].suffixes, *FORMATS["markdown"].suffixes))
"""A text may be called Markdown, and the other way round."""
_SOME = 3
"""The exit code where some sentences stand as they were."""
_UNIT = "paragraph"
_CHUNK = 16
"""Segments that are worked on together."""
_CORPUS = (".csv", ".tsv", ".jsonl", ".parquet", ".gz", ".zst")
_OTHERS = (".doc", ".odt", ".rtf", ".pdf", ".epub", ".pptx", ".xlsx")
"""Endings of files that are refused with what to do."""


class DocumentOptions(UserOptions):
    """How a document is read and written."""

    document: Literal["text", "markdown", "html", "docx", "lines"] | None = Field(
        default=None,
        description="What the file is: text, markdown, html, docx, or lines (a sentence or paragraph each, as with "
        "-i FILE.txt). Without it, its ending tells.",
    )
    changes: bool | None = Field(
        default=None,
        description="Show every change instead of making it: tracked changes in .docx (its default), CriticMarkup in "
        ".md and .txt, a page of HTML for any document, by the ending of --output.",
    )
    comments: bool = Field(
        default=False, description="With tracked changes, a comment on each sentence: its score and the runner-up."
    )


class Source(NamedTuple):
    """A file that is a document, or (`format` `None`) one of rows, and what it was called."""

    path: str
    format: Format | None
    name: str


def source_of(texts: Sequence[str] | None, input: str | None, document: str | None) -> Source | None:
    """The file that TEXT or --input names, where it is a document, or TEXT is a file of rows; `None` for lines.

    A TEXT that is a file's name is that file. Raises `BadInput` for one that is not there, `BadOption` for several.
    """
    named = [text for text in texts or () if _is_file(text)]
    if not named:
        format = document or (format_of(input) if input not in (None, "-") else "")
        if texts and document not in (None, LINES):
            raise BadOption(f"--document {document} is for a file, not for TEXT.", hint="Give the file's name.")
        is_lines = texts or input is None or format in ("", LINES) or (document is None and format == "text")
        return None if is_lines else Source(str(input), FORMATS[format], format)
    path = named[0]
    if len(texts or ()) > 1:
        raise BadOption(
            f"{path!r} is a file, and more was given beside it.",
            hint="Give one file at a time, or texts alone: a text that is a file's name goes to standard input.",
        )
    if input is not None:
        raise BadOption(f"Both a file, {path!r}, and --input were given.", hint="Give one of them.")
    if not os.path.exists(path):
        raise BadInput(f"There is no file {path!r}.", hint="To rewrite these very words, give them on standard input.")
    if document == LINES or (document is None and path.lower().endswith(_CORPUS)):
        return Source(path, None, LINES)
    name = document or format_of(path) or "text"
    return Source(path, FORMATS[name], name)


def refuse_for_documents(source: Source, files: TextColumns, *, newline: bool, triples: str | None) -> None:
    """Raises `BadOption` for what only lines and columns take."""
    taken = {"newline": newline, "triples": triples, "column": files.column, "into": files.into, "resume": files.resume}
    for name, value in taken.items():
        if value:
            raise BadOption(
                f"--{name} is for lines, and {source.path!r} is a document.",
                hint="Leave it out, or add --document lines.",
            )


def refuse_for_lines(settings: DocumentOptions) -> None:
    """Raises `BadOption` for what only documents take."""
    for name in ("changes", "comments"):
        if getattr(settings, name):
            raise BadOption(
                f"--{name} is for documents, and these are lines of text.",
                hint="Give a document's name, as report.docx, or add --document text.",
            )


def _is_file(text: str) -> bool:
    """Whether a text on the command line is the name of a file: one that is there, or that ends as documents do."""
    if len(text) > 1_000 or "\n" in text or "\0" in text:
        return False
    is_name = not any(map(str.isspace, text)) and (bool(format_of(text)) or text.lower().endswith((*_CORPUS, *_OTHERS)))
    return os.path.isfile(text) or (is_name and len(text) > len(Path(text).suffix))


def answer_document(
    source: Source,
    options: TaskOptions,
    settings: DocumentOptions,
    files: FileOptions,
    *,
    output: str | None,
    format: OutputFormat,
    explain: bool,
    processes: int | None,
) -> None:
    """Rewrite the document of `source` to `output`, or to standard output. What is there stays until all is done."""
    from rewrite.batch import LineWriter, check_output, check_record, check_report
    from rewrite.corpus.account import Account, reporting
    from rewrite.corpus.part import PartFile

    assert source.format is not None
    write = _writer(source, settings, output, format)
    if (options.best or 1) > 1 and format is OutputFormat.text:
        raise BadOption(
            f"--best {options.best}: a document has room for one rewrite.", hint="--format jsonl has them all."
        )
    check_output(output, source.path)
    check_report(files.report, source=source.path, output=output)
    check_record(options.record, source=source.path, output=output, recordings=options.recordings)
    document = _read(source)
    account = Account()
    is_file = output not in (None, "-") and (os.path.isfile(str(output)) or not os.path.exists(str(output)))
    opened = PartFile(str(output), settings={}, of=None) if is_file else LineWriter(output)
    with reporting(files.report, lambda: account), opened as writer:
        made = _rewritten(document.segments, options, files, account, explain=explain, processes=processes)
        whole = write(document, made)
        _count_refused(document, made, account)
        if isinstance(writer, PartFile):
            writer.write(whole, answered=len(made), state=dict)
        else:
            writer.write(whole)
    for note in getattr(document, "notes", ()):
        print(f"rewrite: {source.path}: {note}.", file=sys.stderr)
    if not files.quiet:
        sys.stderr.write(account.summary(_UNIT))
    if account.tally.fates["failed"]:
        raise typer.Exit(_SOME)


def _count_refused(document: Document, made: Sequence[tuple[Revision, ...]], account: Account) -> None:
    """Count what stands as it was since the writer would have changed more than words."""
    for index in getattr(document, "refused", ()):
        count = sum(revision.state == "changed" for revision in made[index])
        account.tally.add("changed", count=-count)
        account.tally.add("marks", "the markup around it would have changed", count)


def _rewritten(
    segments: Sequence[Segment],
    options: TaskOptions,
    files: FileOptions,
    account: Account,
    *,
    explain: bool,
    processes: int | None,
) -> list[tuple[Revision, ...]]:
    """What becomes of the sentences of each segment, counted in `account`."""
    from rewrite.commands.lines import processes_for, workers_at
    from rewrite.corpus.account import progress

    shared, count = options.shares_models, len(segments)
    if files.ray is None:
        processes = processes_for(processes, count, alone=options.runs_alone, shared=shared)
    made: list[tuple[Revision, ...]] = []
    prepare = partial(document_work, options, explain=explain)
    bar = progress(count, account, unit=_UNIT, quiet=files.quiet)
    with workers_at(files.ray, prepare, processes, shared=shared) as mapped, bar as advance:
        for answer in mapped((segments[i : i + _CHUNK] for i in range(0, count, _CHUNK)), None):
            made += answer.revisions
            account.tally.merge(answer.tally)
            account.rows += len(answer.revisions)
            sys.stderr.write(answer.report)
            advance(len(answer.revisions))
    return made


class Answer(NamedTuple):
    """What became of some segments, and what is to be told of them."""

    revisions: list[tuple[Revision, ...]]
    tally: Tally
    report: str


def document_work(options: TaskOptions, load: bool, *, explain: bool) -> Callable[[Sequence[Segment]], Answer]:
    """What rewrites segments that follow each other; with `load`, models are read now."""
    from rewrite.commands.explanation_report import report
    from rewrite.documents.revision import as_sentence, revisions
    from rewrite.pipeline import Pipeline
    from rewrite.tally import Tally

    pipeline = Pipeline(options)
    if load:
        pipeline.load()

    def work(segments: Sequence[Segment]) -> Answer:
        results = pipeline.run([as_sentence(segment.text) for segment in segments], connected=True)
        made = revisions(segments, results)
        tally = Tally()
        for sentences in made:
            for revision in sentences:
                tally.add(revision.state, "" if revision.state == "marks" else revision.why)
        tally.add_blocked(results)
        return Answer(made, tally, "".join(map(report, results)) if explain else "")

    return work


def _read(source: Source) -> Document:
    assert source.format is not None
    data = _bytes_of(source)
    try:
        return source.format.read(data)
    except BadInput as error:
        raise BadInput(f"{source.path}: {error.message}", hint=error.hint) from None


def _bytes_of(source: Source) -> bytes:
    from rewrite.batch import unreadable
    from rewrite.containers import refuse

    try:
        data = sys.stdin.buffer.read() if source.path == "-" else Path(source.path).read_bytes()
    except OSError as error:
        raise unreadable(source.path, error) from None
    if source.name in ("text", "markdown"):
        refuse(data[: 1 << 16], source.path)
    return data


def _writer(source: Source, settings: DocumentOptions, output: str | None, format: OutputFormat) -> _Write:
    """What makes the output's bytes. Raises `BadOption` where output and document do not fit."""
    assert source.format is not None
    if format is OutputFormat.jsonl:
        return _rows
    if source.name == "docx" and output is None:
        raise BadOption("A Word document is no text for the terminal.", hint="Name a file: -o simple.docx.")
    suffix = Path(output or "").suffix.lower()
    is_page = suffix in PAGES
    shows = settings.changes if settings.changes is not None else source.name == "docx" and not is_page
    if settings.comments and (source.name != "docx" or is_page or not shows):
        raise BadOption("--comments are for tracked changes of a Word document.", hint="Leave it out.")
    known = source.format.shows if shows else _OTHER_NAMES.get(source.name, source.format.suffixes)
    if suffix and suffix not in known and (shows or format_of(f"x{suffix}")):
        hint = f"Let --output end in {', '.join(known)}"
        if not shows:
            hint += ", or add --changes for a page of changes as .html"
        raise BadOption(f"--output ends in {suffix}, and {source.path!r} is {source.name}.", hint=f"{hint}.")
    given = Path(source.path).suffix.lower()
    if source.name == "docx" and suffix != given and {suffix, given} == set(source.format.suffixes):
        raise BadOption(
            f"--output ends in {suffix}, and {source.path!r} in {given}: Word opens no file under the other's name.",
            hint=f"Let --output end in {given}.",
        )
    if not shows:
        return lambda document, made: document.written(_changes(made))
    if is_page or source.name == "html":
        return lambda document, made: _page(source.path, document, made)
    if source.name == "docx":
        return lambda document, made: cast("DocxDocument", document).tracked(made, comments=settings.comments)
    return _critic


def _changes(made: Sequence[tuple[Revision, ...]]) -> list[list[Any]]:
    return [[change for revision in sentences for change in revision.changes] for sentences in made]


def _critic(document: Document, made: Sequence[tuple[Revision, ...]]) -> bytes:
    from rewrite.documents.critic import critic_markup
    from rewrite.documents.passages import SourceDocument

    return critic_markup(cast(SourceDocument, document), _changes(made)).encode("utf-8")


def _page(path: str, document: Document, made: Sequence[tuple[Revision, ...]]) -> bytes:
    from rewrite.documents.changes_page import changes_page

    return changes_page(Path(path).name, document.segments, made).encode("utf-8")


def _rows(document: Document, made: Sequence[tuple[Revision, ...]]) -> bytes:
    """A row for each sentence."""
    from rewrite.commands.lines import jsonl_line

    return "".join(f"{jsonl_line(row)}\n" for row in _sentence_rows(document.segments, made)).encode("utf-8")


def _sentence_rows(segments: Sequence[Segment], made: Sequence[tuple[Revision, ...]]) -> Iterator[dict[str, Any]]:
    for number, (segment, sentences) in enumerate(zip(segments, made, strict=True), start=1):
        for revision in sentences:
            yield {"segment": number, **revision.row(segment)}
