"""The files of a small masked language model: what is in its folder, and how its head is kept."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.errors import ModelNotFound

__all__ = [
    "ENCODER",
    "FORMAT",
    "HEAD",
    "SETTINGS",
    "TOKENIZER",
    "Head",
    "Settings",
    "checksum",
    "read_arrays",
    "read_head",
    "read_settings",
    "readable",
]

ENCODER, HEAD, TOKENIZER, SETTINGS = "model.bin", "head.npz", "tokenizer.json", "masked.json"
FORMAT = 1
"""Of `masked.json` and `head.npz`; raised where older releases could not read them."""

Floats = npt.NDArray[np.float32]
_BROKEN = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    IndexError,
    TypeError,
    AttributeError,
    zipfile.BadZipFile,
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a model says of itself: numbers of its special tokens, and the longest row, special tokens included."""

    name: str
    language: str
    window: int
    mask: int
    pad: int
    unknown: int
    prefix: tuple[int, ...]
    suffix: tuple[int, ...]

    @property
    def room(self) -> int:
        """Tokens of a text that a row holds at most."""
        return self.window - len(self.prefix) - len(self.suffix)

    def row(self, tokens: Iterable[int]) -> tuple[int, ...]:
        """The tokens of a text with the special ones around them."""
        return (*self.prefix, *tokens, *self.suffix)


@dataclass(frozen=True, slots=True)
class Head:
    """The output layer of a BERT: dense layer, norm, and the embeddings again, `[vocabulary, size]`, with a bias."""

    dense: Floats
    dense_bias: Floats
    norm: Floats
    norm_bias: Floats
    epsilon: float
    words: Floats
    words_bias: Floats


def read_settings(folder: Path, hint: str) -> Settings:
    """The settings of the model in `folder`. Raises `ModelNotFound` with `hint` where a file is missing or broken."""
    missing = [name for name in (SETTINGS, ENCODER, HEAD, TOKENIZER) if not (folder / name).is_file()]
    if missing:
        raise ModelNotFound(f"{folder}: it holds no model: {', '.join(missing)} missing.", hint=hint)
    with readable(folder / SETTINGS, hint):
        data: dict[str, Any] = json.loads((folder / SETTINGS).read_bytes().decode("utf-8"))
        if data.pop("format") != FORMAT:
            raise ValueError("it is of another format, written by another release")
        found = Settings(**{**data, "prefix": tuple(data["prefix"]), "suffix": tuple(data["suffix"])})
        numbers = (found.window, found.mask, found.pad, found.unknown, *found.prefix, *found.suffix)
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError("window and tokens are whole numbers of 0 or more")
        if not found.prefix or not found.suffix:
            raise ValueError("a text has tokens before and after it")
    return found


def read_head(folder: Path, hint: str) -> Head:
    """The output layer in 32 bits. Raises `ModelNotFound` with `hint` where the file is broken."""
    with readable(folder / HEAD, hint):
        parts = read_arrays(folder)
        words = parts["words"].astype(np.float32)
        if "scales" in parts:
            words *= parts["scales"].astype(np.float32)[:, None]
        found = Head(
            dense=parts["dense"].astype(np.float32),
            dense_bias=parts["dense_bias"],
            norm=parts["norm"],
            norm_bias=parts["norm_bias"],
            epsilon=float(parts["epsilon"]),
            words=words,
            words_bias=parts["words_bias"],
        )
        _require_one_size(found)
    return found


def read_arrays(folder: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the head by name. Raises what `readable` takes for a broken file."""
    with np.load(folder / HEAD, allow_pickle=False) as data:
        return {name: data[name] for name in data.files}


@contextmanager
def readable(path: Path, hint: str) -> Iterator[None]:
    """What goes wrong in reading a file of a model is raised as a `ModelNotFound` that names it."""
    try:
        yield
    except _BROKEN as error:
        raise ModelNotFound(f"{path}: it cannot be read: {error}.", hint=hint) from error


def _require_one_size(head: Head) -> None:
    count, size = head.words.shape
    wide = (head.dense_bias, head.norm, head.norm_bias)
    if head.dense.shape != (size, size) or any(part.shape != (size,) for part in wide):
        raise ValueError(f"its parts do not belong together, beside vectors of {size}")
    if head.words_bias.shape != (count,):
        raise ValueError(f"{len(head.words_bias):,} biases for {count:,} words")


def checksum(folder: Path, *also: str) -> str:
    """Of all that decides what the model says; `also` are names of files that other models do not have."""
    digest = hashlib.sha256()
    for name in (SETTINGS, ENCODER, HEAD, TOKENIZER, *also):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]
