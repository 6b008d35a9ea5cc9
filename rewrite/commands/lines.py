"""Results as output lines, one per input line, through worker processes to the output, with a bar on a terminal."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import typer

from rerank.errors import counted
from rerank.workers import default_processes, ordered_map
from rewrite.batch import NO_FILE, LineWriter, check_output, inspect_file
from rewrite.errors import BadOption
from rewrite.result import Result

# JSON allows these raw, but readers that split text at every Unicode line break would cut the row.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "\x7f\x85\u2028\u2029"}


def text_line(result: Result, between: str = "") -> str:
    """The best rewrite; of a result with several, all, separated by tabs (a tab inside one is written \\t).

    With `between`, that stands between the sentences of a split.
    """
    if result.options.best == 1:
        return between.join(result.lines) if between and result.lines else result.text
    return "\t".join(text.replace("\t", r"\t") for text in result.n_best)


def jsonl_line(row: dict[str, Any]) -> str:
    """`row` as JSON on one line, Cyrillic readable."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False).translate(_ESCAPES)


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


class Message(NamedTuple):
    """What a worker answers to a chunk: the answers to its lines, which may have line breaks in them, a report for
    standard error, what went wrong, and what was asked for and lines miss, once for each line: how many they are is
    told at the end."""

    lines: Sequence[str]
    report: str = ""
    failures: Sequence[Failure] = ()
    misses: Sequence[str] = ()


Work = Callable[[Any], Message]


def run_chunks(
    prepare: Callable[[bool], Work],
    chunks: Iterable[object],
    *,
    source: str | None,
    output: str | None,
    processes: int | None,
    alone: bool = False,
    unit: str = "line",
) -> None:
    """Answer `chunks` in order on `output`; reports go to standard error.

    `prepare(load)` builds the work once the input and the output are known to be usable, with every model loaded if
    `load`, so that forked processes share them.
    `processes` is `None` for the default: all cores where `source` is a file, else one. Work that must be done `alone`
    (a language model uses all cores by itself and does not survive a fork) refuses more than one. Where a generator
    failed on some lines, or their language is another, the command ends with exit code 3 after the last; each is named
    with its number, unless it was given on the command line. `unit` is what a line of the output answers.
    """
    check_output(output, source)
    total = inspect_file(source) if source and source != "-" else None
    if alone and processes not in (None, 1):
        raise BadOption(
            f"--processes {processes} with a language model.", hint="It uses all cores in one process; leave it out."
        )
    if alone:
        processes = 1
    if processes is None:
        processes = default_processes() if total is not None and total > 1 else 1
    failures = done = 0
    firsts: dict[str, tuple[str, str]] = {}
    passed: defaultdict[str, set[int]] = defaultdict(set)
    misses: Counter[str] = Counter()
    with LineWriter(output) as writer, _progress(total) as advance:
        for message in ordered_map(prepare(processes > 1), chunks, processes):
            failures += len(message.failures)
            writer.write("".join(f"{line}\n" for line in message.lines).encode("utf-8"))
            complaints = []
            for failure in message.failures:
                place = f"{unit} {done + failure.line + 1}" if source != NO_FILE else ""
                if failure.other_language:
                    firsts.setdefault(failure.error, (failure.source, place))
                    passed[failure.error].add(done + failure.line)
                else:
                    complaints.append(complaint(failure.source, failure.error, place))
            if report := "".join([message.report, *complaints]):
                sys.stderr.write(report)
                sys.stderr.flush()
            done += len(message.lines)
            misses.update(message.misses)
            advance(len(message.lines))
    for error, (text, place) in firsts.items():
        if (count := len(passed[error])) > 1:
            place = f"{count:,} {unit}s passed over, the first {place}".rstrip()
        sys.stderr.write(complaint(text, error, place))
    for miss, count in misses.items():
        lines = f"the {unit}" if done == 1 else f"{count:,} of {counted(done, unit)}"
        print(f"rewrite: {lines} {'has' if count == 1 else 'have'} {miss}: nothing better passed", file=sys.stderr)
    if failures:
        raise typer.Exit(3)


@contextmanager
def _progress(total: int | None) -> Iterator[Callable[[int], None]]:
    if total is None or not sys.stderr.isatty():
        yield lambda lines: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda lines: progress.advance(task, lines)
