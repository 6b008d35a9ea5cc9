"""The trained model as files: weights, tokenizer and prompt, as the engines `hf` and `ct2` read them; adapters.

Low-rank adapters are those of peft (Hu et al., "LoRA", 2021): what is trained is W + (alpha / rank) · B A, W fixed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from rerank.checkpoint import first_line
from rewrite.engines.base import Kind
from rewrite.errors import BadOption, MissingExtra
from rewrite.prompting import Prompt
from training.disk import explained, write_folder
from training.finetuning.learning import LoraOptions

WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "config.json", "generation_config.json")
ADAPTER_WEIGHTS = "adapter_model.safetensors"
ADAPTER = (ADAPTER_WEIGHTS, "adapter_config.json")


def copy_files(checkpoint: Path, folder: Path, patterns: Sequence[str] = WEIGHTS) -> None:
    """Write the weights of a checkpoint to a folder, or other files of it. Raises `CannotWrite`."""
    with explained(folder):
        for pattern in patterns:
            for path in checkpoint.glob(pattern):
                shutil.copyfile(path, folder / path.name)


def write_model(folder: Path, weights: Callable[[Path], object], tokenizer: Any, prompt: Prompt) -> None:
    """Write a model to `folder`, in the place of what is there: all of it, or nothing. Raises `CannotWrite`."""

    def write(scratch: Path) -> None:
        with explained(folder, libraries=True):
            weights(scratch)
            tokenizer.save_pretrained(scratch)
            write_prompt(prompt, scratch)

    write_folder(folder, write)


def write_prompt(prompt: Prompt, folder: Path) -> None:
    """Write the prompt beside the model that it asks, as `prompt.yaml`."""
    settings = prompt.model_dump(mode="json", exclude_defaults=True, exclude={"families"})
    text = yaml.safe_dump(settings, allow_unicode=True, sort_keys=False)
    (folder / "prompt.yaml").write_text(text, encoding="utf-8")


def require_peft() -> None:
    """Raises `MissingExtra` where peft is not installed."""
    if find_spec("peft") is None:
        raise MissingExtra(
            "finetune.lora needs peft, which is not installed.", hint="Run: pip install 'rewrite-rerank[train]'"
        )


def _peft() -> Any:
    # Not by an import statement: whether peft is there must not decide what a check of types says.
    return import_module("peft")


def adapted(model: Any, options: LoraOptions, *, kind: Kind, seed: int, start: Path | None = None) -> Any:
    """`model` with adapters, which alone are trained: fresh, or those in the folder `start`.

    Raises `BadOption` for targets that the model does not have, and for a `start` of another rank or other layers.
    """
    import torch

    peft = _peft()
    settings = peft.LoraConfig(
        r=options.rank,
        lora_alpha=options.alpha,
        lora_dropout=options.dropout,
        target_modules=list(options.targets) if options.targets is not None else None,
        layers_to_transform=_layers_from(model, options.first_layer),
        task_type="SEQ_2_SEQ_LM" if kind == "seq2seq" else "CAUSAL_LM",
        fan_in_fan_out=model.config.model_type == "gpt2",
    )
    torch.manual_seed(seed)
    try:
        model = peft.get_peft_model(model, settings)
    except ValueError as error:
        raise BadOption(
            f"finetune.lora.targets: {first_line(error)}.", hint=f"Its layers: {', '.join(_layers(model))}."
        ) from error
    if start is not None:
        load_adapter(model, start)
    return model


def _layers_from(model: Any, first: int) -> list[int] | None:
    return list(range(first, model.config.num_hidden_layers)) if first else None


def load_adapter(model: Any, start: Path) -> None:
    """Put the weights in the folder `start` into the adapters of `model`. Raises `BadOption` for those of another."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    peft = _peft()
    same = "It must have the rank and the targets that the recipe names."
    try:
        weights = load_file(start / ADAPTER_WEIGHTS)
        wanted = peft.get_peft_model_state_dict(model)
    except (OSError, SafetensorError) as error:
        raise BadOption(f"finetune.lora.start: {start}: {first_line(error)}.", hint=same) from error
    if {name: tuple(w.shape) for name, w in weights.items()} != {name: tuple(w.shape) for name, w in wanted.items()}:
        raise BadOption(f"finetune.lora.start: {start} holds an adapter of another shape.", hint=same)
    peft.set_peft_model_state_dict(model, weights)


def merged(model: Any, adapter: Path) -> Any:
    """`model` with the adapters in the folder `adapter` added to its weights; peft is no longer needed to run it."""
    with_adapters: Any = _peft().PeftModel.from_pretrained(model, str(adapter), local_files_only=True)
    return with_adapters.merge_and_unload()


def _layers(model: Any) -> list[str]:
    """The last names of the model's layers that can have an adapter."""
    kinds = ("Linear", "Conv1D")
    names = (name.rpartition(".")[2] for name, layer in model.named_modules() if type(layer).__name__ in kinds)
    return sorted(dict.fromkeys(names))
