"""Speed of fine-tuning beside a bare loop: what loading, collating and transformers' Trainer cost.

    python -m benchmarks.training [--steps 100] [--threads 1] [--batch-tokens 2048] [--rounds 3]

Both train the same fresh encoder-decoder (a Pegasus of width 320, 2 + 2 layers, 8,000 tokens) in bf16, with the same
optimizer and the same clipping. One is `training.finetuning.trainer.train` on packs on disk, pairs of 5 to 60 tokens a
side, its beginning and end included; the other a loop of forward, backward, clip and step over random numbers that lie
in memory, in tables of the very shapes that the first gets. Tokens are those without padding, seconds those of the
processor, which a busy machine disturbs less. Bar: 90 % of the loop's tokens a second. Exit code 1 where it is missed.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import Race, Work, command_line
from training.finetuning.options import FinetuneOptions
from training.packed import Pack, PairBatches, write_pack

_BAR = 0.90
_VOCABULARY = 8_000
_PAIRS = 4_000


def _random(batch: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    import torch

    drawn = {name: torch.from_numpy(rng.integers(4, _VOCABULARY, size=tuple(t.shape))) for name, t in batch.items()}
    # What is padding stays so: a bare loop would do no work for it either.
    drawn["attention_mask"] = batch["attention_mask"]
    drawn["labels"][batch["labels"] < 0] = -100
    return drawn


def bare_loop(batches: Sequence[dict[str, Any]], options: FinetuneOptions, model: Any) -> None:
    """Train on batches in memory, and do nothing else."""
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=options.learning_rate, fused=True)
    model.train()
    for batch in batches:
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), options.clip)
        optimizer.step()
        optimizer.zero_grad()


def trainer(batches: PairBatches, options: FinetuneOptions, model: Any) -> None:
    """Train as the step `finetune` does."""
    from training.finetuning.trainer import train

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        train(model, batches, options, seed=0, folder=Path(folder))


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


def main(given: Sequence[str] | None = None) -> int:
    """Measure, print a table, and say by the exit code whether the bar was reached."""
    import torch

    parser = command_line(__doc__, data=False)
    parser.add_argument("--steps", type=int, default=100, help="of each in a round; default 100")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch-tokens", type=int, default=2048)
    asked = parser.parse_args(given)
    torch.set_num_threads(asked.threads)
    settings = {"steps": asked.steps, "batch_tokens": asked.batch_tokens, "threads": asked.threads}
    options = FinetuneOptions.model_validate({"model": "-", "device": "cpu", "save_every": 1_000_000, **settings})
    with tempfile.TemporaryDirectory() as folder:
        packs = [_pack(Path(folder) / "pack")]
        batches = PairBatches(packs, [1.0], updates=asked.steps, tokens=asked.batch_tokens, causal=False, seed=0, pad=2)
        rng, tokens = np.random.default_rng(1), batches.tokens_in(0, asked.steps)
        drawn = [_random(batches[number], rng) for number in range(asked.steps)]
        works = [
            Work("bare loop", partial(bare_loop, drawn, options), tokens, _model),
            Work("finetune", partial(trainer, batches, options), tokens, _model),
        ]
        race = Race.run("tokens", works, rounds=asked.rounds, clock=time.process_time)
    race.print(f"{asked.steps} steps of each")
    return int(race.missed({("finetune", "bare loop"): _BAR}))


if __name__ == "__main__":
    sys.exit(main())
