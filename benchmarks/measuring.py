"""What benchmarks share: their options, and works that take turns on the same input, with their rates and ratios."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rewrite.datasets import Example, data_folder, load_rsse

Clock = Callable[[], float]
# Threads of OpenMP go on spinning for a while after their work; the next in turn must not pay for that.
_SETTLE = 0.3
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def command_line(doc: str | None, *, data: bool = True) -> argparse.ArgumentParser:
    """The parser of a benchmark, its docstring for a help text; with `data`, it has the option for the data folder."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if data:
        parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--rounds", type=int, default=3, help="that are timed, each row once in each; 3 by default")
    return parser


def rsse_examples(data: str | None, count: int | None = None) -> list[Example]:
    """The first `count` sources of RSSE dev with their references."""
    return load_rsse(data_folder(data) / "rsse" / "dev_sents.csv")[:count]


@dataclass(frozen=True)
class Work:
    """A row: what one turn calls, and how many units that does, or, as `None`, that its answer is their number.

    `prepare`, where given, makes what a turn is given, while the clock stands still.
    """

    name: str
    turn: Callable[..., Any]
    units: float | None = None
    prepare: Callable[[], object] | None = None


@dataclass(frozen=True)
class Timed:
    """The answer of a turn whose seconds were measured where it was worked on."""

    answer: Any
    seconds: float


@dataclass
class Race:
    """What rows came to that took turns: answers of the last turn, and units a second of each turn, by name."""

    unit: str
    answers: dict[str, Any] = field(default_factory=dict)
    rates: dict[str, list[float]] = field(default_factory=dict)

    @classmethod
    def run(
        cls, unit: str, works: Sequence[Work], *, rounds: int, warm: int = 0, clock: Clock = time.perf_counter
    ) -> Race:
        """Let every row have its turn in each of some rounds, after `warm` rounds that do not count.

        They go there and back again, so that none is always first, and a busy machine slows all alike.
        """
        race = cls(unit, rates={work.name: [] for work in works})
        for number in range(warm + rounds):
            for work in works[:: -1 if number % 2 else 1]:
                given = () if work.prepare is None else (work.prepare(),)
                began = clock()
                answer = work.turn(*given)
                seconds = clock() - began
                if isinstance(answer, Timed):
                    answer, seconds = answer.answer, answer.seconds
                race.answers[work.name] = answer
                if number >= warm:
                    race.rates[work.name].append((answer if work.units is None else work.units) / seconds)
        return race

    def rate(self, name: str) -> float:
        """The median of a row's rates, units a second."""
        return statistics.median(self.rates[name])

    def ratios(self, name: str, other: str) -> list[float]:
        """How many times as fast as `other` a row was, by round."""
        return [rate / other_rate for rate, other_rate in zip(self.rates[name], self.rates[other], strict=True)]

    def ratio(self, name: str, other: str) -> float:
        """The median of `ratios`."""
        return statistics.median(self.ratios(name, other))

    def print(self, title: str = "", notes: Mapping[str, str] | None = None) -> None:
        """A line for each row: units a second, their ratio to the first row's, and a note on it."""
        first = next(iter(self.rates))
        print(f"{title:34} {f'{self.unit}/s':>14}   ratio")
        for name in self.rates:
            rate, note = self.rate(name), (notes or {}).get(name, "")
            ratios = spread(self.ratios(name, first))
            print(f"{name:34} {rate:14,.{0 if rate >= 100 else 2}f}   {ratios}  {note}".rstrip(), flush=True)

    def missed(self, bars: Mapping[tuple[str, str], float]) -> bool:
        """Print how many times as fast as another a row was, where a bar says how many it should be; any missed?"""
        for (name, other), bar in bars.items():
            verdict = "" if self.ratio(name, other) >= bar else ", MISSED"
            print(f"{name}: {spread(self.ratios(name, other))} × {other}, bar {bar:g}{verdict}")
        return any(self.ratio(name, other) < bar for (name, other), bar in bars.items())


class Apart:
    """Works that have a process each, which gives each a peak of memory and a clock of its own; a context that ends
    them.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._processes: dict[str, ProcessPoolExecutor] = {}

    def __enter__(self) -> Apart:
        for variable in _THREAD_VARIABLES:
            os.environ.pop(variable, None)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def work(self, name: str, make: Callable[..., Callable[[], Any]], *arguments: object) -> Work:
        """A row of the answers, numbers of units, of what `make` makes of `arguments` in the new process."""
        spawn = multiprocessing.get_context("spawn")
        process = self._stack.enter_context(ProcessPoolExecutor(1, spawn, _begin, (make, arguments)))
        self._processes[name] = process
        # So that a model is loaded before the clock starts.
        return Work(name, lambda loaded: _answer(process, _turn), prepare=lambda: _settled(process))

    def peaks(self) -> dict[str, str]:
        """The most memory that each process has held, in words."""
        return {name: f"peak {_answer(process, peak_mib):,.0f} MiB" for name, process in self._processes.items()}


_work: Callable[[], Any] | None = None
"""The work that this process was started for."""


def _begin(make: Callable[..., Callable[[], Any]], arguments: Sequence[object]) -> None:
    global _work
    _work = make(*arguments)


def _turn() -> Timed:
    assert _work is not None
    began = time.perf_counter()
    answer = _work()
    return Timed(answer, time.perf_counter() - began)


def _settled(process: ProcessPoolExecutor) -> None:
    _answer(process, os.getpid)
    settle()


def settle() -> None:
    """Wait until the threads of the last in turn are quiet."""
    time.sleep(_SETTLE)


def _answer(process: ProcessPoolExecutor, question: Callable[[], Any]) -> Any:
    try:
        return process.submit(question).result()
    except BrokenProcessPool:
        raise SystemExit("The process of a row ended early; what it said is above.") from None


def fresh_process(name: str, *command: str, environment: Mapping[str, str] | None = None) -> Work:
    """A row of fresh Python processes with these arguments."""
    run = partial(subprocess.run, check=True, capture_output=True, env=environment)
    return Work(name, partial(run, [sys.executable, *command]), 1)


def peak_mib() -> float:
    """The most memory that this process has ever held, in MiB."""
    status = Path("/proc/self/status")
    if status.is_file():
        # In kilobytes; `ru_maxrss` would begin with the peak of the process that started this one.
        (peak,) = (line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 2**20


def spread(values: Sequence[float], form: str = ".2f") -> str:
    """Median, least and greatest; the first alone where there is no other."""
    if len(values) == 1:
        return f"{values[0]:{form}}"
    return f"{statistics.median(values):{form}} ({min(values):{form}}–{max(values):{form}})"
