"""What would stop the step finetune, found before anything is fetched, loaded or learnt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from rerank.presets import PRESETS
from rerank.weights import load_preset
from rewrite.engines.base import Kind
from rewrite.errors import BadInput, BadWeights, MissingExtra, RewriteError
from rewrite.prompting import load_prompt
from training.finetuning.base import INSTALL, local_folder, model_path
from training.finetuning.dev import require_metric
from training.finetuning.inputs import require_apart
from training.finetuning.options import DevOptions, FinetuneOptions
from training.finetuning.texts import PLAIN, require_kind
from training.pairs import PairFile
from training.planning import Made, caught, file_problems, folder_problems
from training.recipe import Run

__all__ = ["problems", "written"]

_MODEL = "Name a model's folder, or MAKER/NAME on the hub."


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
