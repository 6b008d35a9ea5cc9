"""Speed and memory of the engines on models with random weights, each beside the library that it calls.

    python -m benchmarks.generation [--rounds 3] [--threads 2] [--models DIR] [--only TEXT]

Models have the sizes of ruGPT3-small, of T5-small and of a Marian (`benchmarks.shapes`). 30 samples of 45 tokens are
drawn (top-p 0.95, top-k 200) after 40 tokens. With weights so random every next token is nearly as probable as any
other, so hardly a text ends early; and tokens are counted as they were really drawn, so that an early end flatters
nobody. Rows: `hf` and `ct2` are the engines of this package, in float32 and int8; `transformers` and `ctranslate2` are
the libraries' own calls, with the same settings and without probabilities of the samples, which the engines add.
`ctranslate2 keeping` calls it in a process that keeps freed memory, as `ct2` makes its own do: the difference from the
row before is what that is worth, the one from `ct2` what the engine costs.

Each row is a process of its own and takes turns with the others, after one round that warms up. Ratios are taken within
each round. Bars, on medians: `ct2` ≥ 4 × `hf` with GPT-2 and ≥ 3 × with the encoder-decoders, and ≥ 0.9 × the library
called directly with one source. Exit code 1 where one is missed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.drawing import draw_of
from benchmarks.measuring import Apart, Race, command_line
from rewrite.generators.base import Sampling

__all__ = ["COMPARISONS", "Comparison", "compare"]

_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows on one model: `bars` says how many times as fast as another a row must be."""

    title: str
    model: str
    rows: tuple[str, ...]
    sources: int = 1
    bars: Mapping[tuple[str, str], float] = field(default_factory=dict)


COMPARISONS = (
    Comparison(
        "GPT-2 small",
        "gpt2-small",
        ("transformers", "hf", "ct2", "ctranslate2", "ctranslate2 keeping"),
        bars={("ct2", "hf"): 4.0, ("ct2", "ctranslate2"): 0.9},
    ),
    Comparison("T5 small", "t5-small", ("hf", "ct2"), bars={("ct2", "hf"): 3.0}),
    Comparison("Marian in BART", "bart-6+6", ("hf", "ct2"), bars={("ct2", "hf"): 3.0}),
    Comparison("GPT-2 small, 8 sources", "gpt2-small", ("ctranslate2", "ctranslate2 keeping", "ct2"), sources=8),
)


def compare(comparison: Comparison, models: Path, sampling: Sampling, *, rounds: int, threads: int) -> bool:
    """Print the rows with their peaks of memory, then the bars; whether one was missed."""
    folder = models / comparison.model
    with Apart() as apart:
        arguments = (folder, comparison.sources, sampling, threads)
        works = [apart.work(row, draw_of, row, *arguments) for row in comparison.rows]
        race = Race.run("tokens", works, rounds=rounds, warm=1)
        race.print(comparison.title, apart.peaks())
    return race.missed(comparison.bars)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all comparisons; returns the exit status."""
    parser = command_line(__doc__, data=False)
    parser.add_argument("--threads", type=int, default=2, help="of each row")
    parser.add_argument("--samples", type=int, default=30, help="for each source")
    parser.add_argument("--tokens", type=int, default=45, help="of each sample")
    parser.add_argument("--models", type=Path, help="folder that keeps the models for the next time")
    parser.add_argument("--only", default="", metavar="TEXT", help="only comparisons with this in their title")
    options = parser.parse_args(arguments)
    chosen = [comparison for comparison in COMPARISONS if options.only in comparison.title]
    if not chosen:
        titles = ", ".join(comparison.title for comparison in COMPARISONS)
        raise SystemExit(f"No title has {options.only!r} in it: {titles}.")
    sampling = Sampling(n=options.samples, max_tokens=options.tokens)
    with tempfile.TemporaryDirectory(prefix="rewrite-models-") as scratch:
        models = (options.models or Path(scratch)).resolve()
        # In a process of its own, for it needs torch and gigabytes.
        names = dict.fromkeys(comparison.model for comparison in chosen)
        subprocess.run([sys.executable, "-m", "benchmarks.shapes", str(models), *names], check=True, cwd=_ROOT)
        missed = [compare(each, models, sampling, rounds=options.rounds, threads=options.threads) for each in chosen]
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main())
