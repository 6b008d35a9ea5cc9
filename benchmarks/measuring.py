"""What benchmarks share: their options, clocks and fresh processes, and rates with their ratios."""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from rewrite.datasets import Example, data_folder, load_rsse

__all__ = ["command_line", "fastest", "fresh_process", "peak_mib", "print_rates", "rsse_examples", "spread", "timed"]

_Made = TypeVar("_Made")


def command_line(doc: str | None, *, data: bool = True) -> argparse.ArgumentParser:
    """The parser of a benchmark, its docstring for a help text; with `data`, it has the option for the data folder."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if data:
        parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    return parser


def rsse_examples(data: str | None, count: int | None = None) -> list[Example]:
    """The first `count` sources of RSSE dev with their references."""
    return load_rsse(data_folder(data) / "rsse" / "dev_sents.csv")[:count]


def timed(work: Callable[[], _Made]) -> tuple[_Made, float]:
    """What came out, and seconds on the clock."""
    began = time.perf_counter()
    made = work()
    return made, time.perf_counter() - began


def fastest(work: Callable[[], _Made], repeats: int) -> tuple[_Made, float]:
    """What came out, and the seconds of the fastest of some turns, so that a busy machine does not decide."""
    turns = [timed(work) for _ in range(repeats)]
    return turns[-1][0], min(seconds for _, seconds in turns)


def fresh_process(*command: str, environment: Mapping[str, str] | None = None) -> float:
    """Seconds on the clock of a fresh Python process with these arguments."""
    run = [sys.executable, *command]
    return timed(lambda: subprocess.run(run, check=True, capture_output=True, env=environment))[1]


def peak_mib() -> float:
    """The most memory that this process has ever held, in MiB."""
    status = Path("/proc/self/status")
    if status.is_file():
        # In kilobytes; `ru_maxrss` would begin with the peak of the process that started this one.
        (peak,) = (line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 2**20


def print_rates(unit: str, rates: Mapping[str, float]) -> None:
    """A line for each rate with its ratio to the first of them."""
    first = next(iter(rates.values()))
    print(f"{'':34} {unit:>14}   ratio")
    for name, rate in rates.items():
        print(f"{name:34} {rate:14,.{0 if rate >= 100 else 2}f} {rate / first:7.2f}")


def spread(values: Sequence[float], form: str = ".2f") -> str:
    """Median, least and greatest; nothing where there are no values."""
    if not values:
        return ""
    return f"{statistics.median(values):{form}} ({min(values):{form}}–{max(values):{form}})"
