"""What the step finetune would do, and what would stop it: nothing is fetched, and torch is not loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import yaml

from rerank.weights import PRESETS, load_preset
from rewrite.engines.base import Kind
from rewrite.engines.checkpoint import weight_files
from rewrite.errors import BadInput, BadModel, BadWeights, MissingExtra, RewriteError
from rewrite.prompting import load_prompt
from training.finetuning.base import INSTALL, local_folder, model_path
from training.finetuning.data import require_metric
from training.finetuning.identity import require_apart
from training.finetuning.options import DevOptions, FinetuneOptions
from training.finetuning.texts import PLAIN, require_kind
from training.pairs import PairFile
from training.planning import Made, caught, file_problems, folder_problems, state
from training.recipe import Run
from training.sizes import million, parameters_in

__all__ = ["plan", "problems", "written"]

# Bytes for each parameter that learns: weight, gradient and Adam's two means, in 32 bits.
_LEARNT, _FIXED = 16, 4
_MODEL = "Name a model's folder, or MAKER/NAME on the hub."


def plan(options: FinetuneOptions, run: Run, made: Made) -> list[str]:
    """Lines that say what is read, what is set, what training takes and where it writes; `made` by steps before it.

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
        f"settings: {_settings(options)}",
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
    if options.dev is not None:
        yield f"{options.dev.path}, {state(options.dev.path, run, made)}"


def _settings(options: FinetuneOptions) -> str:
    """What the recipe sets and no other line tells, in its own words; docs/finetune.md has the defaults."""
    values = options.model_dump(mode="json", exclude_unset=True, exclude={"model", "prompt", "pairs"})
    return yaml.safe_dump(values, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000).strip()


def _memory(options: FinetuneOptions, run: Run) -> str:
    count = _parameters(options, run)
    if count is None:
        return "known when the model is at hand"
    each = _FIXED if options.lora is not None else _LEARNT
    what = "weights" if options.lora is not None else "weights, gradients and Adam's means"
    return f"{count * each / 1e9:.2f} GB for {what}, and what a batch takes on its way (grows with batch_tokens)"


def written(run: Run) -> tuple[Path, ...]:
    """What later steps may read."""
    return run.out / "model", run.out / "adapter", run.out / "figures.json"


def problems(options: FinetuneOptions, run: Run, made: Made) -> Iterator[RewriteError]:
    """What would stop the step. Whether the hub has a model of some name is not asked."""
    for file in options.files:
        yield from file_problems("finetune.pairs", file.path, run, made, spec=file)
    if model_path(options, run) is not None:
        yield from folder_problems("finetune.model", options.model, run, made, hint=_MODEL)
    yield from caught(lambda: _check_prompt(options, run), key="finetune.prompt")
    if options.dev is not None:
        yield from _of_dev(options.dev, run, made)
    # What a path needs that cannot be told is told of above.
    with suppress(BadInput):
        yield from caught(lambda: require_apart(options, run))
    yield from _of_libraries(options)


def _check_prompt(options: FinetuneOptions, run: Run) -> None:
    kind = _kind(options, run)
    prompt = load_prompt(options.prompt) if options.prompt is not None else None
    if kind is not None:
        require_kind(prompt or (load_prompt(PLAIN) if kind == "seq2seq" else None), kind)


def _kind(options: FinetuneOptions, run: Run) -> Kind | None:
    """The kind of model, as far as the recipe or a config at hand tells it."""
    with suppress(OSError, ValueError, AttributeError, BadInput):
        folder = local_folder(options, run)
        if folder is not None:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            return "seq2seq" if config.get("is_encoder_decoder") else "causal"
    return options.kind


def _of_dev(dev: DevOptions, run: Run, made: Made) -> Iterator[RewriteError]:
    yield from caught(lambda: require_metric(dev, run))
    yield from file_problems("finetune.dev.path", dev.path, run, made, spec=PairFile(path=dev.path), several=True)
    if dev.metric == "sari" and dev.preset not in PRESETS:
        yield from caught(lambda: _check_preset(dev.preset), key="finetune.dev.preset")


def _check_preset(said: str) -> None:
    if not Path(said).exists() and Path(said).name == said and not said.endswith((".yaml", ".yml")):
        raise BadWeights(f"Unknown preset {said!r}.", hint=f"Known: {', '.join(PRESETS)}; or give a file.")
    load_preset(said)


def _of_libraries(options: FinetuneOptions) -> Iterator[RewriteError]:
    wanted = ["torch", "transformers", "accelerate", *(["peft"] if options.lora is not None else [])]
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        yield MissingExtra(f"Training needs {' and '.join(missing)}, not installed.", hint=INSTALL)
