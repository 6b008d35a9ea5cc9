"""Speed and memory of the engines on models with random weights, each beside the library that it calls.

    python -m benchmarks.generation [--rounds 5] [--threads 2] [--models DIR] [--only TEXT]
    python -m benchmarks.generation --gpu

Models have the sizes of ruGPT3-small, of T5-small and of a Marian (`benchmarks.shapes`). 30 samples of 45 tokens are
drawn (top-p 0.95, top-k 200) after 40 tokens. With weights so random every next token is nearly as probable as any
other, so hardly a text ends early; and tokens are counted as they were really drawn, so that an early end flatters
nobody. Rows: `hf` and `ct2` are the engines of this package, in float32 and int8; `transformers` and `ctranslate2` are
the libraries' own calls, with the same settings and without probabilities of the samples, which the engines add.
`ctranslate2 keeping` calls it in a process that keeps freed memory, as `ct2` makes its own do: the difference from the
row before is what that is worth, the one from `ct2` what the engine costs.

Each row is a process of its own, which gives it a peak of memory of its own, loads its model before the clock starts
and takes turns with the others, so that a busy machine slows all alike. A ratio is taken within each round; given are
the median, least and greatest. Bars, on medians: `ct2` ≥ 4 × `hf` with GPT-2 and ≥ 3 × with the encoder-decoders, and
≥ 0.9 × the library called directly with one source. Exit code 1 where one is missed.

`--gpu` draws from a model of ruGPT3-large's sizes in bfloat16 with `hf` on CUDA, and has no bars.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.drawing import Draw, Task, task_draw
from benchmarks.measuring import command_line, peak_mib, spread, timed
from benchmarks.shapes import SHAPES, make

__all__ = ["RACES", "Race", "Turn", "missed_bars", "ratios", "run_race", "table"]

_ROOT = Path(__file__).resolve().parents[1]
# Threads of OpenMP go on spinning for a while after their work; the next in turn must not pay for that.
_SETTLE = 0.3
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_GPU_SAMPLES = (30, 100)
# Load of a machine that does little else.
_QUIET = 0.5


@dataclass(frozen=True, slots=True)
class Race:
    """Rows that are measured in turns: `bars` says how many times as fast as another a row must be."""

    title: str
    model: str
    rows: tuple[str, ...]
    sources: int = 1
    bars: Mapping[tuple[str, str], float] = field(default_factory=dict)


RACES = (
    Race(
        "GPT-2 small",
        "gpt2-small",
        ("transformers", "hf", "ct2", "ctranslate2", "ctranslate2 keeping"),
        bars={("ct2", "hf"): 4.0, ("ct2", "ctranslate2"): 0.9},
    ),
    Race("T5 small", "t5-small", ("hf", "ct2"), bars={("ct2", "hf"): 3.0}),
    Race("Marian in BART", "bart-6+6", ("hf", "ct2"), bars={("ct2", "hf"): 3.0}),
    Race("GPT-2 small, 8 sources", "gpt2-small", ("ct2", "ctranslate2", "ctranslate2 keeping"), sources=8),
)
# What is compared: with the library underneath, and with the reference engine.
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "× its library": {"hf": "transformers", "ct2": "ctranslate2"},
    "× it keeping": {"ct2": "ctranslate2 keeping"},
    "× hf": {"ct2": "hf"},
}


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn came to: tokens drawn, seconds on the clock, MiB held at most since the process began."""

    tokens: int
    seconds: float
    peak: float

    @property
    def rate(self) -> float:
        """Tokens a second."""
        return self.tokens / self.seconds


_draw: Draw | None = None
"""The work of the row whose process this is."""


def _begin(task: Task) -> None:
    global _draw
    _draw = task_draw(task)


def _turn(seed: int) -> Turn:
    assert _draw is not None
    tokens, seconds = timed(partial(_draw, seed))
    return Turn(tokens, seconds, peak_mib())


def run_race(
    race: Race, models: Path, *, rounds: int, samples: int, tokens: int, threads: int
) -> dict[str, list[Turn]]:
    """Turns of each row, one in each round, after one round that warms up."""
    turns: dict[str, list[Turn]] = {row: [] for row in race.rows}
    for name in _THREAD_VARIABLES:
        os.environ.pop(name, None)
    with ExitStack() as stack:
        processes = {}
        for row in race.rows:
            task = Task(row, str(models / race.model), race.sources, samples, tokens, threads)
            pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin, (task,))
            processes[row] = stack.enter_context(pool)
        for number in range(rounds + 1):
            # There and back again, so that none is always first.
            for row in race.rows[:: 1 if number % 2 else -1]:
                try:
                    turn = processes[row].submit(_turn, number).result()
                except BrokenProcessPool:
                    raise SystemExit("The process of a row ended early; what it said is above.") from None
                if number:
                    turns[row].append(turn)
                time.sleep(_SETTLE)
    return turns


def ratios(turns: Mapping[str, Sequence[Turn]], row: str, other: str) -> list[float]:
    """How many times as fast as `other` a row was, by round; none where one of them did not run."""
    return [a.rate / b.rate for a, b in zip(turns.get(row, ()), turns.get(other, ()), strict=False)]


def missed_bars(race: Race, turns: Mapping[str, Sequence[Turn]]) -> list[str]:
    """A sentence for each bar that was not reached."""
    medians = {pair: statistics.median(ratios(turns, *pair)) for pair in race.bars}
    return [
        f"{race.title}: {row} is {medians[row, other]:.2f} × {other}, not {bar:g} ×"
        for (row, other), bar in race.bars.items()
        if medians[row, other] < bar
    ]


def table(results: Sequence[tuple[Race, Mapping[str, Sequence[Turn]]]]) -> str:
    """All rows of all races, one below the other."""
    lines = [f"{'':24}{'':22}{'tokens/s':>9}  " + "".join(f"{name:<22}" for name in _COLUMNS) + "peak MiB"]
    for race, turns in results:
        for row, title in itertools.zip_longest(race.rows, [race.title], fillvalue=""):
            rate = statistics.median(turn.rate for turn in turns[row])
            cells = "".join(
                f"{spread(ratios(turns, row, others[row])) if row in others else '':<22}"
                for others in _COLUMNS.values()
            )
            peak = max(turn.peak for turn in turns[row])
            lines.append(f"{title:24}{row:22}{rate:9.0f}  {cells}{peak:8.0f}")
    return "\n".join(lines)


def measure_gpu(models: Path, *, rounds: int, tokens: int) -> None:
    """Print tokens a second and peak GPU memory of `hf` with the large model, in this process."""
    import torch

    if not torch.cuda.is_available():
        raise SystemExit("--gpu needs a GPU with CUDA, and torch finds none here. Without --gpu no GPU is needed.")
    name = "gpt2-large"
    folder = make(SHAPES[name], models / name)
    print(
        f"{torch.cuda.get_device_name()}, {name}, bfloat16\n{'samples':>8}{'tokens/s':>10}{'peak MiB on the GPU':>22}"
    )
    for samples in _GPU_SAMPLES:
        task = Task("hf", str(folder), sources=1, samples=samples, tokens=tokens, threads=0)
        draw = task_draw(task, device="cuda", dtype="bfloat16")
        draw(0)
        torch.cuda.reset_peak_memory_stats()
        rates = []
        for seed in range(1, rounds + 1):
            # The engine returns texts, so nothing is left to wait for on the GPU.
            drawn, seconds = timed(partial(draw, seed))
            rates.append(drawn / seconds)
        peak = torch.cuda.max_memory_allocated() / 2**20
        print(f"{samples:8}{statistics.median(rates):10.0f}{peak:22.0f}")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="rewrite-models-") as scratch:
        models = (options.models or Path(scratch)).resolve()
        if options.gpu:
            measure_gpu(models, rounds=options.rounds, tokens=options.tokens)
            return 0
        return _compare([race for race in RACES if options.only in race.title], models, options)


def _compare(races: Sequence[Race], models: Path, options: argparse.Namespace) -> int:
    if not races:
        raise SystemExit(f"No title has {options.only!r} in it: {', '.join(race.title for race in RACES)}.")
    if hasattr(os, "getloadavg") and (load := os.getloadavg()[0]) > _QUIET:
        print(f"This machine is busy (load {load:.1f}): figures will scatter, and not all alike.", file=sys.stderr)
    # In a process of its own, for it needs torch and gigabytes.
    names = dict.fromkeys(race.model for race in races)
    subprocess.run([sys.executable, "-m", "benchmarks.shapes", str(models), *names], check=True, cwd=_ROOT)
    amounts = {"samples": options.samples, "tokens": options.tokens, "threads": options.threads}
    results = [(race, run_race(race, models, rounds=options.rounds, **amounts)) for race in races]
    print(table(results))
    missed = [line for race, turns in results for line in missed_bars(race, turns)]
    print("\n".join(missed) or "All bars reached.")
    return 1 if missed else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command_line(__doc__, data=False)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2, help="of each row")
    parser.add_argument("--samples", type=int, default=30, help="for each source")
    parser.add_argument("--tokens", type=int, default=45, help="of each sample")
    parser.add_argument("--models", type=Path, help="folder that keeps the models for the next time")
    parser.add_argument("--only", default="", metavar="TEXT", help="only comparisons with this in their title")
    parser.add_argument("--gpu", action="store_true", help="a large model on CUDA instead")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
