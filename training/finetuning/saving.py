"""The folder of the trained model: weights, tokenizer and prompt, as the engines `hf` and `ct2` read it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from rewrite.engines.checkpoint import first_line
from rewrite.errors import CannotWrite, RewriteError
from rewrite.prompting import Prompt

__all__ = ["copy_weights", "reason_of", "write_folder", "write_model"]

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
        weights(scratch)
        tokenizer.save_pretrained(scratch)
        told = prompt.model_dump(mode="json", exclude_defaults=True, exclude={"families"})
        text = yaml.safe_dump(told, allow_unicode=True, sort_keys=False)
        (scratch / "prompt.yaml").write_text(text, encoding="utf-8")

    write_folder(folder, write)


def write_folder(folder: Path, write: Callable[[Path], object]) -> None:
    """Have `write` fill a folder, and put it in the place of `folder` when it is whole. Raises `CannotWrite`."""
    scratch = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        scratch.mkdir(parents=True)
        write(scratch)
        shutil.rmtree(folder, ignore_errors=True)
        scratch.rename(folder)
    except RewriteError:
        raise
    except Exception as error:  # each library has its own for a full disk
        raise CannotWrite(
            f"Cannot write {str(folder)!r}: {reason_of(error)}.",
            hint="Make room, then start the same command again: the checkpoints are kept.",
        ) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def reason_of(error: Exception) -> str:
    """Why something could not be written, in the words of the system where it says so."""
    return error.strerror if isinstance(error, OSError) and error.strerror else first_line(error)
