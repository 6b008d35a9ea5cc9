"""The folder of the trained model: weights, tokenizer and prompt, as the engines `hf` and `ct2` read it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from rewrite.errors import CannotWrite
from rewrite.prompting import Prompt

__all__ = ["copy_weights", "write_model"]

_WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "config.json", "generation_config.json")


def copy_weights(checkpoint: Path) -> Callable[[Path], None]:
    """What writes the weights of a checkpoint to a folder."""

    def write(folder: Path) -> None:
        for pattern in _WEIGHTS:
            for path in checkpoint.glob(pattern):
                shutil.copyfile(path, folder / path.name)

    return write


def write_model(folder: Path, weights: Callable[[Path], None], tokenizer: Any, prompt: Prompt) -> None:
    """Write a model to `folder`, in the place of what is there: all of it, or nothing. Raises `CannotWrite`."""
    scratch = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        scratch.mkdir(parents=True)
        weights(scratch)
        tokenizer.save_pretrained(scratch)
        told = prompt.model_dump(mode="json", exclude_defaults=True)
        told.pop("families", None)
        (scratch / "prompt.yaml").write_text(
            yaml.safe_dump(told, allow_unicode=True, sort_keys=False), encoding="utf-8"
        )
        shutil.rmtree(folder, ignore_errors=True)
        scratch.rename(folder)
    except OSError as error:
        shutil.rmtree(scratch, ignore_errors=True)
        raise CannotWrite(
            f"Cannot write the model to {str(folder)!r}: {error.strerror or error}.",
            hint="Make room, then start the same command again: the training itself is kept.",
        ) from error
