"""Fine-tunes a language model on pairs with transformers' Trainer, as a recipe says.

    python -m training.finetune RECIPE --out FOLDER [--data DIR] [--dry-run] [--restart]

Writes FOLDER/model (weights, tokenizer, prompt) and FOLDER/figures.json. A run that was stopped, or killed, goes on
from its last checkpoint when the same command is given again, and ends with the same weights. See docs/finetune.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewrite.engines.checkpoint import quietly
from rewrite.errors import BadOption
from rewrite.prompting import Prompt
from training.command import add_restart, open_run, run_to_the_end, step_parser
from training.disk import FolderLock, write_folder
from training.finetuning.base import Base, find_base, require_trainer
from training.finetuning.checkpoints import step_of
from training.finetuning.data import dev_examples, figures, make_judge, training_packs, write_figures
from training.finetuning.epochs import Epochs
from training.finetuning.identity import claim, identity, require_apart
from training.finetuning.options import FinetuneOptions
from training.finetuning.plan import plan, problems
from training.finetuning.saving import adapted, copy_adapter, copy_weights, merged, require_peft, write_model
from training.finetuning.texts import prompt_of
from training.finetuning.trainer import train
from training.held_back import HeldBack
from training.packed import Pack
from training.planning import all_in_one
from training.recipe import Run
from training.sizes import million, parameters_of

__all__ = ["finetune", "main"]

_LOCK = ".finetune-lock"


def finetune(run: Run, *, restart: bool = False) -> Path:
    """Take the step `finetune` of the run's recipe; returns the folder of the model.

    Raises `BadInput`, `BadOption`, `BadModel` for what cannot be trained, `CannotWrite` for a full disk, and where
    another run is at work in the same folder.
    """
    options = section(run)
    require_apart(options, run)
    # Before a model is fetched: what is missing here is told at once.
    if (problem := all_in_one(problems(options, run, {}))) is not None:
        raise problem
    require_trainer()
    if options.lora is not None:
        require_peft()
    with FolderLock(run.out, _LOCK):
        _finetune(options, run, restart)
    return run.out / "model"


def _finetune(options: FinetuneOptions, run: Run, restart: bool) -> None:
    seed = run.recipe.seed
    base = find_base(options, run)
    prompt = prompt_of(options, base.kind)
    examples = dev_examples(options, run)
    work = run.out / "finetune"
    claim(work, identity(options, run, base, prompt), restart=restart)
    held_out = HeldBack(example.source for example in examples)
    packs, counts = training_packs(options, run, base, prompt, held_out, work / "packs")
    batches = _batches(options, base, packs, seed)
    judge = make_judge(options, run, base, prompt, examples, work / "dev")
    model = base.load()
    if options.lora is not None:
        start = run.path(options.lora.start) if options.lora.start is not None else None
        model = adapted(model, options.lora, kind=base.kind, seed=seed, start=start)
    print(_told(model, batches, options), flush=True)
    causal = base.kind == "causal"
    best, state = train(
        model, batches, options, seed=seed, folder=work / "checkpoints", judge=judge, targets_alone=causal
    )
    del model
    with quietly():
        _write(options, run, base, prompt, best)
    kept = step_of(best) or 0
    report = figures(options, state, name=run.recipe.name, seed=seed, best=kept, counts=counts, examples=examples)
    write_figures(run.out / "figures.json", report)


def _batches(options: FinetuneOptions, base: Base, packs: Sequence[Pack], seed: int) -> Epochs:
    return Epochs(
        packs,
        [file.repeat for file in options.files],
        tokens=options.batch_tokens,
        causal=base.kind == "causal",
        whole=options.loss == "whole",
        seed=seed,
        pad=base.pad,
        accumulate=options.accumulate,
        updates=options.steps,
        epochs=options.length_in_epochs,
        shared=options.share_sources,
    )


def _told(model: Any, batches: Epochs, options: FinetuneOptions) -> str:
    every, learnt = parameters_of(model), parameters_of(model, learning=True)
    part = f", {learnt / 1e6:.2f} M of them learn" if learnt < every else ""
    updates = f"{batches.updates:,} steps of {options.accumulate} batches" if options.accumulate > 1 else ""
    return f"{million(every)}{part}; {updates or f'{batches.updates:,} steps'}, " + (
        f"an epoch has {batches.batches_in_epoch:,} batches"
    )


def _write(options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, checkpoint: Path) -> None:
    weights = copy_weights(checkpoint)
    if options.lora is not None:
        write_folder(run.out / "adapter", copy_adapter(checkpoint))
        model = merged(base.load(), checkpoint)
        weights = model.save_pretrained
    write_model(run.out / "model", weights, base.tokenizer, prompt)


def section(run: Run) -> FinetuneOptions:
    """The recipe's section. Raises `BadOption` where it has none."""
    if run.recipe.finetune is None:
        raise BadOption(f"The recipe {run.recipe.name!r} has no section finetune.", hint="See docs/finetune.md.")
    return run.recipe.finetune


def _parser() -> argparse.ArgumentParser:
    parser = step_parser("finetune", __doc__)
    parser.add_argument("--dry-run", action="store_true", help="tell what would be done, and do nothing")
    add_restart(parser)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    given = _parser().parse_args(arguments)

    def work() -> None:
        run = open_run(given)
        if given.dry_run:
            print("\n".join(line for line in plan(section(run), run, {}) if line))
            return
        print(f"model: {finetune(run, restart=given.restart)}")

    return run_to_the_end("finetune", work)


if __name__ == "__main__":
    sys.exit(main())
