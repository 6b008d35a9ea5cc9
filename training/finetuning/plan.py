"""What a recipe would do, told without doing it: nothing is fetched, and torch is not loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rewrite.engines.checkpoint import weight_files
from rewrite.errors import BadInput, BadModel
from rewrite.prompting import load_prompt
from training.finetuning.base import local_folder
from training.finetuning.inputs import require_apart
from training.finetuning.options import FinetuneOptions
from training.finetuning.texts import PLAIN
from training.planning import Made, state
from training.recipe import Run
from training.sizes import million, parameters_in

__all__ = ["plan"]

# Bytes for each parameter that learns: weight, gradient and Adam's two means, in 32 bits.
_LEARNT, _FIXED = 16, 4


def plan(options: FinetuneOptions, run: Run, made: Made) -> list[str]:
    """Lines that say what is read, how long training is, what it takes and where it writes; `made` by steps before it.

    Raises `UnknownName` or `BadInput` for a prompt that is not there, `BadOption` where it would write over what it
    reads.
    """
    # A plan needs no data folder; the run itself does.
    with suppress(BadInput):
        require_apart(options, run)
    return [
        f"recipe: {run.recipe.name}, language {run.recipe.language}, seed {run.recipe.seed}",
        f"model: {_model(options, run)}",
        f"prompt: {load_prompt(options.prompt or PLAIN).name}",
        *(f"reads: {line}" for line in _reads(options, run, made)),
        f"length: {_length(options)}",
        f"batch: {_batch(options)}",
        f"rate: {_rate(options)}",
        f"numbers: {options.precision}, device {options.device}",
        f"judged by: {_judged(options, run, made)}",
        f"memory: {_memory(options, run)}",
        f"writes: {run.out / 'model'}, {run.out / 'figures.json'}, {run.out / 'finetune'} (checkpoints)",
    ]


def _model(options: FinetuneOptions, run: Run) -> str:
    count = _parameters(options, run)
    size = f", {million(count)}" if count else ""
    lora = f", LoRA of rank {options.lora.rank}" if options.lora is not None else ""
    folder = local_folder(options, run)
    where = f"{folder}" if folder is not None else f"{options.model} (not at hand: a name on the hub, or not made yet)"
    return f"{where}{size}{lora}"


def _parameters(options: FinetuneOptions, run: Run) -> float | None:
    """How many, if that can be known without fetching anything."""
    folder = local_folder(options, run)
    if folder is not None:
        return _size_of(folder, allow_pickle=options.allow_pickle)
    return options.million_parameters * 1e6 if options.million_parameters else None


def _size_of(folder: Path, *, allow_pickle: bool = False) -> int | None:
    """Parameters of a model in a folder, by the sizes that its files name; `None` where there are no weights."""
    try:
        files = weight_files(folder, allow_pickle=allow_pickle)
    except BadModel:
        return None
    return parameters_in(files) or None


def _reads(options: FinetuneOptions, run: Run, made: Made) -> Iterator[str]:
    for file in options.files:
        repeat = f" × {file.repeat:g}" if file.repeat != 1 else ""
        yield f"{file.path}{repeat}, {state(file.path, run, made, spec=file)}"


def _length(options: FinetuneOptions) -> str:
    if options.steps is not None:
        return f"{options.steps:,} steps"
    return f"{options.length_in_epochs:g} epochs; the steps are counted when the pairs are tokens"


def _batch(options: FinetuneOptions) -> str:
    tokens, times = options.batch_tokens, options.accumulate
    several = f" × {times} = {tokens * times:,}" if times > 1 else ""
    return f"{tokens:,}{several} tokens, padding included, pairs of like length; longest {options.longest}"


def _rate(options: FinetuneOptions) -> str:
    warmup = f"{options.warmup:g} steps" if options.warmup >= 1 else f"{options.warmup:.0%}"
    falls = f", falls in the last {options.decay:.0%}" if options.schedule == "hold" else ""
    return f"{options.learning_rate:g}, {options.schedule} after a warmup of {warmup}{falls}"


def _judged(options: FinetuneOptions, run: Run, made: Made) -> str:
    dev = options.dev
    if dev is None:
        return "nothing; the last weights are kept"
    way = f"SARI of {dev.sources} sources × {dev.n} candidates ({dev.engine}, preset {dev.preset})"
    over = f", over after {dev.patience} without a better one" if dev.patience else ""
    metric = way if dev.metric == "sari" else "loss"
    return f"{metric} on {dev.path} ({state(dev.path, run, made)}) every {dev.every:,} steps{over}; the best are kept"


def _memory(options: FinetuneOptions, run: Run) -> str:
    count = _parameters(options, run)
    if count is None:
        return "known when the model is at hand"
    each = _FIXED if options.lora is not None else _LEARNT
    what = "weights" if options.lora is not None else "weights, gradients and Adam's means"
    return f"{count * each / 1e9:.2f} GB for {what}, and what a batch takes on its way (grows with batch_tokens)"
