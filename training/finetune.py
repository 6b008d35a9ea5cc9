"""Fine-tunes a language model on pairs with transformers' Trainer, as a recipe says.

    python -m training.finetune RECIPE --out FOLDER [--data DIR] [--restart]

Writes FOLDER/model (weights, tokenizer, prompt) and FOLDER/figures.json. A run that was stopped, or killed, goes on
from its last checkpoint when the same command is given again, and ends with the same weights. See docs/finetune.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rerank.checkpoint import quietly
from rewrite.prompting import Prompt, load_prompt
from training.command import make_model, million, parameters_of, require_there
from training.disk import claim, folder_lock, write_folder, write_json
from training.finetuning.base import Base, find_base, identity, inputs, require_apart, require_trainer
from training.finetuning.data import dev_examples, prompt_of, training_packs
from training.finetuning.judging import make_judge, pair_batches
from training.finetuning.learning import FinetuneOptions
from training.finetuning.saving import ADAPTER, adapted, copy_files, merged, require_peft, write_model
from training.finetuning.targets import head_is_plain, loss_of_targets
from training.finetuning.trainer import judgements, kept_step, losses, train
from training.heads.step import section_of
from training.masked.corpora import HeldBack
from training.recipe import Run

_LOCK = ".finetune-lock"


def finetune(run: Run, *, restart: bool = False) -> Path:
    """Take the step `finetune` of the run's recipe; returns the folder of the model.

    Raises `BadInput`, `BadOption`, `BadModel` for what cannot be trained, `CannotWrite` for a full disk, and where
    another run is at work in the same folder.
    """
    options: FinetuneOptions = section_of(run, "finetune")
    require_apart(options, run)
    # Before a model is fetched: what is missing here is told at once.
    require_there(inputs(options, run))
    if options.prompt is not None:
        load_prompt(options.prompt)
    require_trainer()
    if options.lora is not None:
        require_peft()
    with folder_lock(run.out, _LOCK):
        _finetune(options, run, restart)
    return run.out / "model"


def _finetune(options: FinetuneOptions, run: Run, restart: bool) -> None:
    seed = run.recipe.seed
    examples = dev_examples(options, run)
    base = find_base(options, run)
    prompt = prompt_of(options, base.kind)
    work = run.out / "finetune"
    claim(work, identity(options, run, base, prompt), restart=restart)
    held_out = HeldBack(example.source for example in examples)
    packs, counts = training_packs(options, run, base, prompt, held_out, work / "packs")
    batches = pair_batches(
        options,
        base,
        packs,
        [file.repeat for file in options.files],
        whole=options.loss == "whole",
        seed=seed,
        accumulate=options.accumulate,
        updates=options.steps,
        epochs=options.epochs or 3.0,
    )
    judge = make_judge(options, run, base, prompt, examples, work / "dev")
    model = base.load()
    if options.lora is not None:
        start = run.path(options.lora.start) if options.lora.start is not None else None
        model = adapted(model, options.lora, kind=base.kind, seed=seed, start=start)
    print(
        f"{million(parameters_of(model))}, {million(parameters_of(model, learning=True))} learn; "
        f"{batches.updates:,} steps, an epoch has {batches.batches_in_epoch:,} batches",
        flush=True,
    )
    loss = loss_of_targets if base.kind == "causal" and head_is_plain(model) else None
    best, state = train(model, batches, options, seed=seed, folder=work / "checkpoints", judge=judge, loss=loss)
    del model
    with quietly():
        _write(options, run, base, prompt, best)
    report: dict[str, Any] = {
        "name": run.recipe.name,
        "seed": seed,
        "steps": state["global_step"],
        "kept": kept_step(state),
        "last_loss": losses(state)[-1]["loss"],
        "pairs": asdict(counts),
    }
    if judge is not None:
        by_step = judgements(state)
        report["dev"] = {"sources": len(examples), "best": by_step.get(str(report["kept"])), "by_step": by_step}
    write_json(run.out / "figures.json", report)


def _write(options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, checkpoint: Path) -> None:
    weights: Callable[[Path], object] = partial(copy_files, checkpoint)
    if options.lora is not None:
        write_folder(run.out / "adapter", lambda folder: copy_files(checkpoint, folder, ADAPTER))
        model = merged(base.load(), checkpoint)
        weights = model.save_pretrained
    write_model(run.out / "model", weights, base.tokenizer, prompt)


main = partial(make_model, "finetune", __doc__, finetune)


if __name__ == "__main__":
    sys.exit(main())
