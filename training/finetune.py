"""Fine-tunes a language model on pairs with transformers' Trainer, as a recipe says.

    python -m training.finetune RECIPE --out FOLDER [--data DIR] [--restart]

Writes FOLDER/model (weights, tokenizer, prompt) and FOLDER/figures.json. A run that was stopped, or killed, goes on
from its last checkpoint when the same command is given again, and ends with the same weights. See docs/finetune.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rerank.checkpoint import quietly
from rewrite.prompting import Prompt, load_prompt
from training.command import make_model, million, parameters_of, require_there
from training.disk import claim, folder_lock, write_folder, write_json
from training.finetuning.base import Base, find_base, identity, inputs, require_apart, require_trainer
from training.finetuning.data import PairCounts, dev_examples, prompt_of, training_packs
from training.finetuning.judging import make_judge, pair_batches
from training.finetuning.learning import FinetuneOptions
from training.finetuning.saving import ADAPTER, adapted, copy_files, merged, require_peft, write_model
from training.finetuning.trainer import step_of, train
from training.heads.step import section_of
from training.masked.corpora import HeldBack
from training.packed import PairBatches
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
    print(_sizes(model, batches, options), flush=True)
    causal = base.kind == "causal"
    best, state = train(
        model, batches, options, seed=seed, folder=work / "checkpoints", judge=judge, targets_alone=causal
    )
    del model
    with quietly():
        _write(options, run, base, prompt, best)
    kept = step_of(best) or 0
    report = _figures(options, state, name=run.recipe.name, seed=seed, best=kept, counts=counts, sources=len(examples))
    write_json(run.out / "figures.json", report)


def _sizes(model: Any, batches: PairBatches, options: FinetuneOptions) -> str:
    every, learnt = parameters_of(model), parameters_of(model, learning=True)
    part = f", {learnt / 1e6:.2f} M of them learn" if learnt < every else ""
    updates = f"{batches.updates:,} steps of {options.accumulate} batches" if options.accumulate > 1 else ""
    return f"{million(every)}{part}; {updates or f'{batches.updates:,} steps'}, " + (
        f"an epoch has {batches.batches_in_epoch:,} batches"
    )


def _write(options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, checkpoint: Path) -> None:
    weights: Callable[[Path], object] = partial(copy_files, checkpoint)
    if options.lora is not None:
        write_folder(run.out / "adapter", lambda folder: copy_files(checkpoint, folder, ADAPTER))
        model = merged(base.load(), checkpoint)
        weights = model.save_pretrained
    write_model(run.out / "model", weights, base.tokenizer, prompt)


def _figures(
    options: FinetuneOptions,
    state: Mapping[str, Any],
    *,
    name: str,
    seed: int,
    best: int,
    counts: PairCounts,
    sources: int,
) -> dict[str, Any]:
    """All that is told of a run: `state` is the Trainer's at its end, `best` the step whose weights were kept."""
    logs = state["log_history"]
    trained = [entry["loss"] for entry in logs if "loss" in entry]
    report: dict[str, Any] = {
        "name": name,
        "seed": seed,
        "steps": state["global_step"],
        "kept": best,
        "last_loss": trained[-1] if trained else None,
        "pairs": asdict(counts),
    }
    if options.dev is not None:
        history = {str(entry["step"]): round(entry["dev"], 4) for entry in logs if "dev" in entry}
        report["dev"] = {"sources": sources, "best": history.get(str(best)), "by_step": history}
    return report


main = partial(make_model, "finetune", __doc__, finetune)


if __name__ == "__main__":
    sys.exit(main())
