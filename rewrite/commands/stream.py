"""Chunks through worker processes to the output, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import typer

from rerank.workers import Work, default_processes, ordered_map
from rewrite.batch import NO_FILE, LineWriter, check_output, inspect_file
from rewrite.commands.lines import complaint, unpack
from rewrite.errors import BadOption

__all__ = ["run_chunks"]


def run_chunks(
    prepare: Callable[[bool], Work],
    chunks: Iterable[bytes],
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
    failed on some lines, the command ends with exit code 3 after the last; each is named with its number, unless it was
    given on the command line. `unit` is what a line of the output answers.
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
    with LineWriter(output) as writer, _progress(total) as advance:
        for message in ordered_map(prepare(processes > 1), chunks, processes):
            found = unpack(message)
            failures += len(found.failures)
            writer.write(found.lines)
            places = [f"{unit} {done + one.line + 1}" if source != NO_FILE else "" for one in found.failures]
            told = [complaint(one.source, one.error, place) for one, place in zip(found.failures, places, strict=True)]
            if report := "".join([found.report, *told]):
                sys.stderr.write(report)
                sys.stderr.flush()
            done += found.answers
            advance(found.answers)
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
