"""Chunks through worker processes to the output, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rerank.workers import Work, default_processes, ordered_map
from rewrite.batch import LineWriter, check_output, inspect_file
from rewrite.commands.lines import unpack

__all__ = ["run_chunks"]


def run_chunks(
    prepare: Callable[[bool], Work],
    chunks: Iterable[bytes],
    *,
    source: str | None,
    output: str | None,
    processes: int | None,
) -> None:
    """Answer `chunks` in order on `output`; reports go to standard error.

    `prepare(load)` builds the work once the input and the output are known to be usable, with every model loaded if
    `load`, so that forked processes share them.
    `processes` is `None` for the default: all cores where `source` is a file, else one.
    """
    check_output(output, source)
    total = inspect_file(source) if source and source != "-" else None
    if processes is None:
        processes = default_processes() if total is not None and total > 1 else 1
    with LineWriter(output) as writer, _progress(total) as advance:
        for message in ordered_map(prepare(processes > 1), chunks, processes):
            lines, report = unpack(message)
            writer.write(lines)
            if report:
                sys.stderr.write(report.decode("utf-8"))
                sys.stderr.flush()
            advance(lines.count(b"\n"))


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
