"""What a run counts, so that it can say at the end what became of the rows, also of those of an earlier run."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rerank.errors import BadInput, counted
from rewrite.corpus.part import cannot_write
from rewrite.tally import Tally

_NAMED = 20
"""Rows that failed whose numbers are kept; the others are counted."""
_LOG_EVERY = 60.0


@dataclass
class Passed:
    """Lines in another language: the first one, and how many there are."""

    text: str
    place: str
    last: int
    count: int = 1


@dataclass
class Account:
    """Counts of a run: rows, those that something failed on, in another language, or that miss what was asked."""

    rows: int = 0
    failures: int = 0
    failed: list[int] = field(default_factory=list)
    failed_rows: int = 0
    last_failed: int = 0
    passed: dict[str, Passed] = field(default_factory=dict)
    misses: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    _began: float = field(default_factory=time.monotonic)
    _before: int = 0

    @classmethod
    def read(cls, state: Mapping[str, Any]) -> Account:
        """That of an earlier run, as `state` gave it, to be gone on with."""
        if not state:
            return cls()
        try:
            passed = {error: Passed(**its) for error, its in state["passed"].items()}
            given = {**state, "passed": passed, "misses": Counter(state["misses"]), "tally": Tally.read(state["tally"])}
            return cls(**given, _before=state["rows"])
        except (AttributeError, KeyError, TypeError, ValueError):
            raise BadInput("The journal beside the output is damaged.", hint="Start over with --no-resume.") from None

    def state(self) -> dict[str, Any]:
        """As plain data."""
        names = ("rows", "failures", "failed", "failed_rows", "last_failed", "misses")
        passed = {error: vars(its).copy() for error, its in self.passed.items()}
        plain = {name: getattr(self, name) for name in names}
        return {**plain, "passed": passed, "tally": self.tally.plain(), "seconds": round(self.elapsed, 3)}

    @property
    def elapsed(self) -> float:
        """Seconds, those of earlier runs too."""
        return self.seconds + time.monotonic() - self._began

    @property
    def rate(self) -> float:
        """Rows a second, of this run alone."""
        return (self.rows - self._before) / max(time.monotonic() - self._began, 1e-9)

    def failed_in(self, row: int) -> None:
        """Count something that failed in a row; rows come in order."""
        self.failures += 1
        if row != self.last_failed:
            self.failed_rows, self.last_failed = self.failed_rows + 1, row
            if len(self.failed) < _NAMED:
                self.failed.append(row)

    def passed_over(self, error: str, text: str, row: int, place: str) -> None:
        """Count a row in another language."""
        self.failures += 1
        if (seen := self.passed.get(error)) is None:
            self.passed[error] = Passed(text, place, row)
        elif seen.last != row:
            seen.last, seen.count = row, seen.count + 1

    def summary(self, unit: str) -> str:
        """A line or two for people."""
        lines = self.tally.in_words()
        failed = ""
        if self.failed_rows:
            more = ", …" if self.failed_rows > len(self.failed) else ""
            failed = f"; {counted(self.failed_rows, unit)} failed: {', '.join(f'{n:,}' for n in self.failed)}{more}"
        resumed = f", {self._before:,} of them before" if self._before else ""
        rate = f"{self.rate:,.0f}" if self.rate >= 10 else f"{self.rate:.1f}"
        if self.rows != 1 or failed:
            lines.append(f"{counted(self.rows, unit)}{resumed}, {rate} a second{failed}.")
        return "".join(f"rewrite: {line}\n" for line in lines)

    def report(self) -> dict[str, Any]:
        """All of it, for programs."""
        passed = {error: its.count for error, its in self.passed.items()}
        return {
            "rows": self.rows,
            "resumed_after": self._before,
            "failed": {"rows": self.failed_rows, "first": self.failed},
            "other_language": passed,
            "missed": dict(self.misses),
            "sentences": self.tally.plain(),
            "seconds": round(self.elapsed, 3),
            "rows_per_second": round(self.rate, 3),
        }


@contextmanager
def reporting(path: str | None, account: Callable[[], Account]) -> Iterator[None]:
    """Write the report of a run that ends well; a file that cannot be written is told before any work."""
    if path is None:
        yield
        return
    was_there = os.path.exists(path)
    with _writing(path), open(path, "a", encoding="utf-8"):
        pass
    if not was_there:
        os.unlink(path)
    yield
    with _writing(path), open(path, "w", encoding="utf-8") as stream:
        stream.write(json.dumps(account().report(), ensure_ascii=False, indent=1) + "\n")


@contextmanager
def _writing(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from None


@contextmanager
def progress(total: int | None, account: Account, *, unit: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar at a terminal, elsewhere a line a minute; nothing where it is not known how much there is."""
    if total is None or quiet:
        yield lambda rows: None
        return
    if not sys.stderr.isatty():
        yield _logging(total, account, unit)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=account.rows)
        yield lambda rows: bar.advance(task, rows)


def _logging(total: int, account: Account, unit: str) -> Callable[[int], None]:
    last = time.monotonic()

    def advance(rows: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _LOG_EVERY:
            last = time.monotonic()
            left = (total - account.rows) / max(account.rate, 1e-9)
            line = f"{account.rows:,} of {counted(total, unit)}, {account.rate:,.1f} a second, {_duration(left)} left"
            print(f"rewrite: {line}", file=sys.stderr, flush=True)

    return advance


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return (
        f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min" if minutes else "under a minute"
    )
