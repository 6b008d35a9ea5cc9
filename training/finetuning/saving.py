"""The folder of the trained model: weights, tokenizer and prompt, as the engines `hf` and `ct2` read it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from rewrite.prompting import Prompt
from training.disk import explained, write_folder

__all__ = ["copy_weights", "write_model"]

_WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "config.json", "generation_config.json")


def copy_weights(checkpoint: Path) -> Callable[[Path], object]:
    """What writes the weights of a checkpoint to a folder."""

    def write(folder: Path) -> None:
        for pattern in _WEIGHTS:
            for path in checkpoint.glob(pattern):
                shutil.copyfile(path, folder / path.name)

    return write


def write_model(folder: Path, weights: Callable[[Path], object], tokenizer: Any, prompt: Prompt) -> None:
    """Write a model to `folder`, in the place of what is there: all of it, or nothing. Raises `CannotWrite`."""

    def write(scratch: Path) -> None:
        with explained(folder, libraries=True):
            weights(scratch)
            tokenizer.save_pretrained(scratch)
            told = prompt.model_dump(mode="json", exclude_defaults=True, exclude={"families"})
            text = yaml.safe_dump(told, allow_unicode=True, sort_keys=False)
            (scratch / "prompt.yaml").write_text(text, encoding="utf-8")

    write_folder(folder, write)
