"""Speed of fine-tuning beside a bare loop: what loading, collating and transformers' Trainer cost.

    python -m benchmarks.training [--steps 200] [--block 5] [--threads 1] [--batch-tokens 2048]

Both train the same fresh encoder-decoder (a Pegasus of width 320, 2 + 2 layers, 8,000 tokens) in bf16, with the same
optimizer and the same clipping. One is `training.finetuning.trainer.train` on packs on disk, pairs of 5 to 60 tokens a
side; the other a loop of forward, backward, clip and step over random numbers that lie in memory, in tables of the very
shapes that the first gets. Both go on side by side in one process: `--block` steps of the one, then the same steps of
the other, and so on, `--steps` of each, so that what else the machine does meets both. A ratio is taken within each
pair of blocks, of the wall clock and of processor time, which a busy machine disturbs less. The first blocks are not
timed, nor is the checkpoint at the end. Tokens are those without padding.

The bar, on the median ratio of processor time: 90 %. Exit code 1 where it is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import command_line
from training.finetuning.options import FinetuneOptions
from training.packed import Pack, PairBatches, write_pack
from training.sizes import million, parameters_of

__all__ = ["BareLoop", "SideBySide", "main", "measure"]

_BAR = 0.90
_VOCABULARY = 8_000
_PAIRS = 4_000
# Blocks that are not timed: the first steps allocate, and the Trainer sets itself up.
_WARM = 1

Seconds = tuple[float, float]
"""By the wall clock, and of processor time."""


def _now() -> Seconds:
    return time.perf_counter(), time.process_time()


def _since(began: Seconds) -> Seconds:
    wall, processor = _now()
    return wall - began[0], processor - began[1]


class BareLoop:
    """Trains on random numbers in the shapes of given batches, and does nothing else."""

    def __init__(self, model: Any, batches: PairBatches, options: FinetuneOptions) -> None:
        import torch

        rng = np.random.default_rng(1)
        self._data = [_random(batches[number], rng) for number in range(len(batches))]
        self._model = model.train()
        self._clip = options.clip
        self._optimizer = torch.optim.AdamW(model.parameters(), lr=options.learning_rate, fused=True)

    def run(self, first: int, end: int) -> Seconds:
        """Take the steps from number `first` to before `end`; returns how long they took."""
        import torch

        began = _now()
        for batch in self._data[first:end]:
            with torch.autocast("cpu", torch.bfloat16):
                loss = self._model(**batch).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self._model.parameters(), self._clip)
            self._optimizer.step()
            self._optimizer.zero_grad()
        return _since(began)


def _random(batch: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    import torch

    drawn = {name: torch.from_numpy(rng.integers(4, _VOCABULARY, size=tuple(t.shape))) for name, t in batch.items()}
    # What is padding stays so: a bare loop would do no work for it either.
    drawn["attention_mask"] = batch["attention_mask"]
    drawn["labels"][batch["labels"] < 0] = -100
    return drawn


class SideBySide(PairBatches):
    """Batches for the Trainer; whenever it has asked for a block of them, a loop takes as many steps, and it waits.

    `ours` and `bare` are the seconds of each block. What the Trainer does from one batch to the next is its own time,
    fetching the next included.
    """

    block: int
    loop: BareLoop

    def begin(self, loop: BareLoop, block: int) -> None:
        """Set up before the Trainer starts."""
        self.loop, self.block = loop, block
        self.ours: list[Seconds] = []
        self.bare: list[Seconds] = []
        self._resumed = _now()

    def __getitem__(self, number: int) -> dict[str, Any]:
        if number and number % self.block == 0:
            self.ours.append(_since(self._resumed))
            self.bare.append(self.loop.run(number - self.block, number))
            self._resumed = _now()
        return super().__getitem__(number)


def measure(options: FinetuneOptions, *, block: int, folder: Path) -> SideBySide:
    """Train both, of which the Trainer as the step `finetune` does; returns what the blocks took."""
    import torch

    from training.finetuning.trainer import train

    torch.set_num_threads(options.threads)
    pack = _pack(folder / "pack")
    settings: dict[str, Any] = {"tokens": options.batch_tokens, "causal": False, "seed": 0, "pad": 2}
    batches = SideBySide([pack], [1.0], updates=options.steps, **settings)
    batches.begin(BareLoop(_model(), PairBatches([pack], [1.0], updates=options.steps, **settings), options), block)
    model = _model()
    print(f"{million(parameters_of(model))}, {options.steps} steps of each, {block} at a time", flush=True)
    with contextlib.redirect_stdout(io.StringIO()):
        train(model, batches, options, seed=0, folder=folder / "checkpoints")
    return batches


def _pack(folder: Path) -> Pack:
    rng = np.random.default_rng(0)
    lengths = rng.integers(5, 61, size=(_PAIRS, 2)).tolist()
    write_pack(folder, (tuple(rng.integers(4, _VOCABULARY, size=n).tolist() for n in pair) for pair in lengths))
    return Pack(folder)


def _model() -> Any:
    import torch
    from transformers import PegasusConfig, PegasusForConditionalGeneration

    torch.manual_seed(0)
    config = PegasusConfig(
        vocab_size=_VOCABULARY,
        d_model=320,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=5,
        decoder_attention_heads=5,
        encoder_ffn_dim=1280,
        decoder_ffn_dim=1280,
        max_position_embeddings=256,
        dropout=0.0,
        decoder_start_token_id=0,
        eos_token_id=1,
        pad_token_id=2,
    )
    return PegasusForConditionalGeneration(config)


def _options(arguments: argparse.Namespace) -> FinetuneOptions:
    blocks = _WARM + -(-arguments.steps // arguments.block)
    return FinetuneOptions.model_validate(
        {
            "model": "-",
            # One more, for a block ends when the next is asked for.
            "steps": blocks * arguments.block + 1,
            "batch_tokens": arguments.batch_tokens,
            "threads": arguments.threads,
            "device": "cpu",
            "save_every": 1_000_000,
        }
    )


def _table(found: SideBySide, block: int) -> tuple[list[str], float]:
    """Its lines, and the median ratio of processor time."""
    counted = range(_WARM, len(found.ours))
    tokens = found.tokens_in(_WARM * block, len(found.ours) * block)
    lines = [
        f"{'':28}  {'finetune':>10}  {'bare loop':>10}  ratio: of all, median of {len(counted)} blocks (quartiles)"
    ]
    medians = []
    for clock, name in enumerate(("tokens/s", "tokens/s of processor time")):
        ours, bare = ([seconds[i][clock] for i in counted] for seconds in (found.ours, found.bare))
        ratios = [b / a for a, b in zip(ours, bare, strict=True)]
        low, median, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
        spread = f"{sum(bare) / sum(ours):.1%}, {median:.1%} ({low:.1%} to {high:.1%})"
        lines.append(f"{name:28}  {tokens / sum(ours):10,.0f}  {tokens / sum(bare):10,.0f}  {spread}")
        medians.append(median)
    return lines, medians[1]


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def main(given: Sequence[str] | None = None) -> int:
    """Measure, print a table, and say by the exit code whether the bar was reached."""
    parser = command_line(__doc__, data=False)
    parser.add_argument("--steps", type=_positive, default=200, help="timed steps of each; default 200")
    parser.add_argument("--block", type=_positive, default=5, help="steps of the one before it is the other's turn")
    parser.add_argument("--threads", type=_positive, default=1)
    parser.add_argument("--batch-tokens", type=_positive, default=2048)
    arguments = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        found = measure(_options(arguments), block=arguments.block, folder=Path(folder))
    lines, ratio = _table(found, arguments.block)
    print("\n".join(lines))
    return int(ratio < _BAR)


if __name__ == "__main__":
    sys.exit(main())
