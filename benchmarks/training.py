"""Speed of fine-tuning beside a bare loop: what loading, collating and transformers' Trainer cost.

    python -m benchmarks.training [--rounds 5] [--steps 8] [--threads 1] [--batch-tokens 2048] [--wide]

Both train the same fresh encoder-decoder (width 320, 2 + 2 layers, 8,000 tokens; with `--wide` the bundled generator's
4 + 3) in bf16, with the same optimizer and the same clipping. One is `training.finetuning.trainer.train` on packs on
disk, pairs of 5 to 60 tokens a side; the other a loop of forward, backward, clip and step over random numbers that lie
in memory, in tables of the very shapes that the first gets. They take turns; a ratio is taken within each round, of
tokens (padding left out) per second of the wall clock, and per second of processor time, which a busy machine disturbs
less. The first steps of a round are not timed, nor is the checkpoint at its end.

The bar, on the median ratio of processor time: 90 %. Exit code 1 where it is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from training.finetuning.epochs import Epochs
from training.finetuning.options import FinetuneOptions
from training.packed import Pack, write_pack

__all__ = ["Clock", "bare_loop", "main", "with_trainer"]

_BAR = 0.90
_VOCABULARY = 8_000
_PAIRS = 4_000
# Steps of a round that are not timed: the first allocate, and the Trainer sets itself up.
_WARM = 2


@dataclass
class Clock:
    """When steps began, by the wall and by the processor."""

    ticks: list[tuple[float, float]] = field(default_factory=list)

    def tick(self) -> None:
        """A step begins."""
        self.ticks.append((time.perf_counter(), time.process_time()))

    def speeds(self, tokens: Sequence[int]) -> tuple[float, float]:
        """Tokens a second of both clocks, the first steps and the last left out; `tokens` are those of each step."""
        done = sum(tokens[_WARM : len(self.ticks) - 1])
        (wall, processor), (wall_end, processor_end) = self.ticks[_WARM], self.ticks[-1]
        return done / (wall_end - wall), done / (processor_end - processor)


class _Timed(Epochs):
    """Batches that note when they are asked for."""

    clock: Clock

    def __getitem__(self, number: int) -> dict[str, Any]:
        self.clock.tick()
        return super().__getitem__(number)


def _pack(folder: Path) -> Pack:
    rng = np.random.default_rng(0)
    lengths = rng.integers(5, 61, size=(_PAIRS, 2)).tolist()
    write_pack(folder, (tuple(rng.integers(4, _VOCABULARY, size=n).tolist() for n in pair) for pair in lengths))
    return Pack(folder)


def _model(wide: bool) -> Any:
    import torch

    from training.ru_small_model import new_model

    torch.manual_seed(0)
    layers = (4, 3) if wide else (2, 2)
    return new_model(_VOCABULARY, begin=0, end=1, pad=2, width=320, encoder=layers[0], decoder=layers[1])


def _batches(pack: Pack, options: FinetuneOptions) -> _Timed:
    return _Timed([pack], [1.0], tokens=options.batch_tokens, causal=False, seed=0, pad=2, updates=options.steps)


def with_trainer(model: Any, pack: Pack, options: FinetuneOptions, folder: Path) -> Clock:
    """Train as the step `finetune` does."""
    from training.finetuning.trainer import train

    batches = _batches(pack, options)
    batches.clock = Clock()
    with contextlib.redirect_stdout(io.StringIO()):
        train(model, batches, options, seed=0, folder=folder)
    return batches.clock


def bare_loop(model: Any, pack: Pack, options: FinetuneOptions) -> Clock:
    """Train on random numbers in the shapes of the same batches, and do nothing else."""
    import torch

    rng = np.random.default_rng(1)
    shaped = _batches(pack, options)
    shaped.clock = Clock()
    data = [_random(shaped[number], rng) for number in range(len(shaped))]
    torch.set_num_threads(options.threads)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.learning_rate, fused=True)
    model.train()
    clock = Clock()
    for batch in data:
        clock.tick()
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), options.clip)
        optimizer.step()
        optimizer.zero_grad()
    return clock


def _random(batch: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    import torch

    drawn = {name: torch.from_numpy(rng.integers(4, _VOCABULARY, size=tuple(t.shape))) for name, t in batch.items()}
    # What is padding stays so: a bare loop would do no work for it either.
    drawn["attention_mask"] = batch["attention_mask"]
    drawn["labels"][batch["labels"] < 0] = -100
    return drawn


def _rounds(arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Speeds of the Trainer and of the loop, round by round."""
    options = FinetuneOptions.model_validate(
        {
            "model": "-",
            "steps": arguments.steps + _WARM + 1,
            "batch_tokens": arguments.batch_tokens,
            "threads": arguments.threads,
            "device": "cpu",
            "save_every": 10_000,
            "log_every": 4,
        }
    )
    pack = _pack(folder / "pack")
    counted = _batches(pack, options)
    tokens = [counted.tokens_in(number, number + 1) for number in range(len(counted))]
    for number in itertools.count():
        clocks = {}
        # Who goes first changes, for what runs second finds memory warm.
        for row in ("trainer", "loop")[:: 1 if number % 2 else -1]:
            model = _model(arguments.wide)
            clocks[row] = (
                with_trainer(model, pack, options, folder / str(number))
                if row == "trainer"
                else bare_loop(model, pack, options)
            )
        yield clocks["trainer"].speeds(tokens), clocks["loop"].speeds(tokens)


def main(given: Sequence[str] | None = None) -> int:
    """Measure, print a table, and say by the exit code whether the bar was reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=8, help="timed steps of a round")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch-tokens", type=int, default=2048)
    parser.add_argument("--wide", action="store_true", help="the bundled generator's layers")
    arguments = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        found = list(itertools.islice(_rounds(arguments, Path(folder)), arguments.rounds))
    print(f"{'':28}  {'finetune':>10}  {'bare loop':>10}  ratio: median (least to greatest)")
    medians = []
    for clock, name in enumerate(("tokens/s", "tokens/s of processor time")):
        ours, bare = ([one[side][clock] for one in found] for side in (0, 1))
        ratios = [a / b for a, b in zip(ours, bare, strict=True)]
        medians.append(statistics.median(ratios))
        spread = f"{medians[-1]:.1%} ({min(ratios):.1%} to {max(ratios):.1%})"
        print(f"{name:28}  {statistics.median(ours):10,.0f}  {statistics.median(bare):10,.0f}  {spread}")
    return int(medians[1] < _BAR)


if __name__ == "__main__":
    sys.exit(main())
