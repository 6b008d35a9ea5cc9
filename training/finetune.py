"""Fine-tunes a language model on pairs with transformers' Trainer, or trains a fresh one, as a recipe says.

    python -m training.finetune RECIPE --out FOLDER [--data DIR] [--dry-run] [--restart]

Writes FOLDER/model (weights, tokenizer, prompt) and FOLDER/figures.json. A run that was stopped, or killed, goes on
from its last checkpoint when the same command is given again, and ends with the same weights. See docs/finetune.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rewrite.errors import BadInput
from training.command import open_run, run_to_the_end, step_parser
from training.finetuning.base import find_base, require_trainer
from training.finetuning.data import training_packs
from training.finetuning.epochs import Epochs
from training.finetuning.identity import claim, identity
from training.finetuning.options import FinetuneOptions
from training.finetuning.saving import copy_weights, write_model
from training.finetuning.texts import prompt_of
from training.finetuning.trainer import train
from training.recipe import Run

__all__ = ["finetune", "main"]


def finetune(run: Run, *, restart: bool = False) -> Path:
    """Take the step `finetune` of the run's recipe; returns the folder of the model.

    Raises `BadInput`, `BadOption`, `BadModel` for what cannot be trained, `CannotWrite` for a full disk.
    """
    options = section(run)
    require_trainer()
    base = find_base(options, run)
    prompt = prompt_of(options, base.kind, options.prompt)
    work = run.out / "finetune"
    claim(work, identity(options, run, base), restart=restart)
    packs, _ = training_packs(options, run, base, prompt, frozenset(), work / "packs")
    batches = Epochs(
        packs,
        [file.repeat for file in options.files] or [1.0],
        tokens=options.batch_tokens,
        causal=base.kind == "causal",
        whole=options.loss == "whole",
        seed=run.recipe.seed,
        pad=base.pad,
        accumulate=options.accumulate,
        updates=options.steps,
        epochs=options.length_in_epochs,
    )
    best, _ = train(base.load(run.recipe.seed), batches, options, seed=run.recipe.seed, folder=work / "checkpoints")
    write_model(run.out / "model", copy_weights(best), base.tokenizer, prompt)
    return run.out / "model"


def section(run: Run) -> FinetuneOptions:
    """The recipe's section. Raises `BadInput` where it has none."""
    if run.recipe.finetune is None:
        raise BadInput(f"The recipe {run.recipe.name!r} has no section finetune.", hint="See docs/finetune.md.")
    return run.recipe.finetune


def _parser() -> argparse.ArgumentParser:
    parser = step_parser("finetune", __doc__)
    parser.add_argument("--dry-run", action="store_true", help="tell what would be done, and do nothing")
    parser.add_argument("--restart", action="store_true", help="remove what an earlier run has left in FOLDER")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    given = _parser().parse_args(arguments)

    def work() -> None:
        run = open_run(given)
        print(f"model: {finetune(run, restart=given.restart)}")

    return run_to_the_end("finetune", work)


if __name__ == "__main__":
    sys.exit(main())
