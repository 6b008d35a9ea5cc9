"""Answers to rows, through worker processes to the output, in order; what failed, told; a summary at the end."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import typer

from rerank.errors import counted
from rerank.workers import Rescue, crew_map, default_processes, ordered_map
from rewrite.batch import NO_FILE, LineWriter, check_output, check_report
from rewrite.commands.flags import OutputFormat
from rewrite.corpus.account import Account, progress, reporting
from rewrite.corpus.options import FileOptions
from rewrite.corpus.part import PartFile, identity
from rewrite.corpus.reading import Reading, dropping
from rewrite.corpus.tables import Row, Value, as_json
from rewrite.errors import BadOption
from rewrite.result import Result
from rewrite.tally import Tally

_WORTH_A_PROCESS = 100
"""Rows from which on processes are worth it that each load models of their own."""


def text_line(result: Result, between: str = "") -> str:
    """The best rewrite; of a result with several, all, separated by tabs (a tab inside one is written \\t).

    With `between`, that stands between the sentences of a split.
    """
    if result.options.best == 1:
        return between.join(result.lines) if between and result.lines else result.text
    return "\t".join(text.replace("\t", r"\t") for text in result.n_best)


def jsonl_line(row: dict[str, Any]) -> str:
    """`row` as JSON on one line, Cyrillic readable."""
    return as_json(row)


def complaint(source: str, error: str, place: str = "") -> str:
    """The line of standard error that names a source which could not be rewritten; `place` says where it stands."""
    return f"rewrite: {place}{': ' if place else ''}{source[:60]!r}: {error}\n"


def complaints(result: Result) -> str:
    """One for each sentence of `result` that something failed on."""
    return "".join(complaint(s.source, s.error) for s in result.sentences if s.error)


class Failure(NamedTuple):
    """Something that went wrong with a line: its number in the chunk, from 0, the text that it happened to, and why.

    Of lines in an `other_language` the first is named, and how many there are.
    """

    line: int
    source: str
    error: str
    other_language: bool = False


def refuse_format(format: OutputFormat) -> None:
    """Raises `BadOption` for rows of JSON in a column."""
    if format is OutputFormat.jsonl:
        raise BadOption("--format jsonl with columns.", hint="Name an --output that ends in .jsonl.")


class Message(NamedTuple):
    """What a worker answers to a chunk: the answers to its rows, which may have line breaks in them, `None` where there
    is none; a report for standard error, what went wrong, what was asked for and rows miss, once for each row: how many
    they are is told at the end; and what became of sentences."""

    lines: Sequence[Value]
    report: str = ""
    failures: Sequence[Failure] = ()
    misses: Sequence[str] = ()
    tally: Tally | None = None


Work = Callable[[Any], Message]
Mapped = Callable[[Iterable[Any], "Rescue[Any, Any] | None"], Iterator[Any]]
"""As `ordered_map`, by whatever workers there are."""


@dataclass(frozen=True)
class Run:
    """What a run reads, where it writes, and what decides what comes out, so that a broken one is gone on with by the
    same command alone. Without `resumable` there is no such thing.
    """

    reading: Reading
    source: str | None
    output: str | None
    files: FileOptions
    settings: Mapping[str, object]
    resumable: bool = True

    @property
    def writes_file(self) -> bool:
        """Whether the output is a file, and no stream or device."""
        if self.output in (None, "-"):
            return False
        return os.path.isfile(str(self.output)) or not os.path.exists(str(self.output))


def run_rows(
    run: Run, prepare: Callable[[bool], Work], *, processes: int | None, alone: bool = False, shared: bool = True
) -> None:
    """Answer the rows of a run in order; reports go to standard error.

    `prepare(load)` builds the work once the input and the output are known to be usable, with every model loaded if
    `load`, so that forked processes share them. `processes` is `None` for the default: all cores where the source is a
    file, of some length where models are not `shared`, else one. Work that must be done `alone` (a language model uses
    all cores by itself and does not survive a fork) refuses more than one. Where a generator failed on some rows, or
    their language is another, the command ends with exit code 3 after the last; each is named with its number, unless
    it was given on the command line.
    """
    check_output(run.output, run.source)
    check_report(run.files.report, source=run.source, output=run.output)
    total = run.reading.total()
    if run.files.ray is None:
        processes = processes_for(processes, total, alone=alone, shared=shared)
    account = Account()
    with reporting(run.files.report, lambda: account):
        with _opened(run) as writer:
            account = Account.read(writer.state)
            counts = _Counting(run, account)
            bar = progress(total, account, unit=run.reading.unit, quiet=run.files.quiet)
            with workers_at(run.files.ray, prepare, processes, shared=shared) as mapped, bar as advance:
                if run.reading.written.head and not writer.answered:
                    writer.write(run.reading.written.head, answered=0, state=account.state)
                done = account.rows
                answers = _answered(run.reading, mapped, counts, skip=writer.answered, rescued=total is not None)
                for rows, count, messages in answers:
                    writer.write(rows, answered=writer.answered + count, state=account.state)
                    if messages:
                        sys.stderr.write(messages)
                        sys.stderr.flush()
                    advance(account.rows - done)
                    done = account.rows
        counts.tell()
    if account.failures:
        raise typer.Exit(3)


def processes_for(asked: int | None, total: int | None, *, alone: bool, shared: bool) -> int:
    """How many processes of this machine do the work."""
    if alone and asked not in (None, 1):
        raise BadOption(
            f"--processes {asked} with a language model.", hint="It uses all cores in one process; leave it out."
        )
    if alone:
        return 1
    worth = total is not None and total > (1 if shared else _WORTH_A_PROCESS)
    return asked or (default_processes() if worth else 1)


@contextmanager
def workers_at(
    address: str | None, prepare: Callable[[bool], Callable[[Any], Any]], processes: int | None, *, shared: bool
) -> Iterator[Mapped]:
    """What answers chunks in order: processes of this machine, or a cluster at an `address`."""
    if address is None:
        count = processes or 1
        work = prepare(count > 1 and shared)
        yield lambda chunks, rescue: ordered_map(partial(_worked, work), chunks, count, rescue)
        return
    from rewrite.corpus.cluster import cluster_at

    with cluster_at(address, lambda load: partial(_worked, prepare(load)), processes) as cluster:
        yield lambda chunks, rescue: crew_map(cluster, chunks, rescue)


def _worked(work: Callable[[Any], Any], chunk: Sequence[Any]) -> Any:
    return work(chunk) if chunk else Message([])


class _Stream(LineWriter):
    """An output that keeps no account."""

    answered = 0
    state: Mapping[str, Any] = MappingProxyType({})

    def __enter__(self) -> _Stream:
        return self

    def write(self, lines: bytes, *, answered: int = 0, state: object = None) -> None:
        super().write(lines)


def _opened(run: Run) -> _Stream | PartFile:
    if not run.writes_file:
        return _Stream(run.output)
    return PartFile(
        str(run.output),
        settings=run.settings,
        of=identity(run.source) if run.resumable else None,
        resume=run.files.resume,
        finish=run.reading.finish,
    )


def _answered(
    reading: Reading, mapped: Mapped, counts: _Counting, *, skip: int, rescued: bool
) -> Iterator[tuple[bytes, int, str]]:
    """Rows with what came out of them, in order, how many there are, and what is told of them."""
    waiting: deque[Row] = deque()

    def items() -> Iterator[list[Any]]:
        for rows in dropping(reading.chunks, skip):
            waiting.extend(rows)
            yield [row.item for row in rows if row.item is not None]

    rescue = None
    if rescued:
        rescue = Rescue(lambda chunk: [[item] for item in chunk], lambda chunk, why: _lost(chunk, why))
    for message in mapped(items(), rescue):
        yield counts.take(message, waiting)
    if waiting:
        yield counts.take(Message([]), waiting)


def _lost(chunk: Sequence[Any], why: str) -> Message:
    text = str(getattr(chunk[0], "source", chunk[0])) if chunk else ""
    return Message([None] * len(chunk), failures=[Failure(0, text, why)] if chunk else [])


class _Counting:
    """Puts answers to their rows, says what went wrong, and keeps the account."""

    def __init__(self, run: Run, account: Account) -> None:
        self._run, self._account, self._unit = run, account, run.reading.unit

    def take(self, message: Message, waiting: deque[Row]) -> tuple[bytes, int, str]:
        """The rows that a message answers, with those on the way that ask nothing, how many there are, and what is
        told of them."""
        written, account = self._run.reading.written, self._account
        failures: dict[int, list[Failure]] = {}
        for failure in message.failures:
            failures.setdefault(failure.line, []).append(failure)
        lines, messages, count = [], [message.report], 0
        for index, value in enumerate(message.lines):
            while waiting[0].item is None:
                lines.append(self._unasked(waiting.popleft(), messages))
                count += 1
            row = waiting.popleft()
            mine = failures.get(index, ())
            for failure in mine:
                self._note(failure, messages)
            lines.append(written.lines(row, value, "; ".join(dict.fromkeys(failure.error for failure in mine))))
            account.rows += len(row.raws)
            count += 1
        while waiting and waiting[0].item is None:
            lines.append(self._unasked(waiting.popleft(), messages))
            count += 1
        account.misses.update(message.misses)
        if message.tally is not None:
            account.tally.merge(message.tally)
        return b"".join(lines), count, "".join(messages)

    def tell(self) -> None:
        """What is told at the end."""
        account = self._account
        for error, passed in account.passed.items():
            more = f"{passed.count:,} {self._unit}s passed over, the first {passed.place}".rstrip()
            sys.stderr.write(complaint(passed.text, error, more if passed.count > 1 else passed.place))
        for miss, count in account.misses.items():
            lines = f"the {self._unit}" if account.rows == 1 else f"{count:,} of {counted(account.rows, self._unit)}"
            print(f"rewrite: {lines} {'has' if count == 1 else 'have'} {miss}: nothing better passed", file=sys.stderr)
        if not self._run.files.quiet and (self._run.writes_file or sys.stderr.isatty()) and self._run.source != NO_FILE:
            sys.stderr.write(account.summary(self._unit))

    def _unasked(self, row: Row, messages: list[str]) -> bytes:
        if row.error:
            self._fail(f"{self._unit} {self._account.rows + 1}: {row.error}", messages)
        self._account.rows += len(row.raws)
        return self._run.reading.written.lines(row, None, row.error)

    def _note(self, failure: Failure, messages: list[str]) -> None:
        number = self._account.rows + 1
        place = f"{self._unit} {number}" if self._run.source != NO_FILE else ""
        if failure.other_language:
            self._account.passed_over(failure.error, failure.source, number, place)
        else:
            self._fail(complaint(failure.source, failure.error, place).removeprefix("rewrite: ").rstrip("\n"), messages)

    def _fail(self, words: str, messages: list[str]) -> None:
        account = self._account
        account.failed_in(account.rows + 1)
        # A column has them all.
        if self._unit != "row" or account.failed_rows <= len(account.failed):
            messages.append(f"rewrite: {words}\n")
