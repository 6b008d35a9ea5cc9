"""Packed networks, which run without torch: in one folder an encoder in CTranslate2 and a head of its own in numpy.

A bundled one that was taught from a bundled masked model has of its encoder what differs (`rerank.masked.weights`), and
shares that model's tokenizer.
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from rerank.checkpoint import digest_of
from rerank.errors import ModelNotFound
from rerank.masked.base import in_batches
from rerank.masked.weights import DIFFERENCE, restored
from rerank.workers import cores

ENCODER, HEAD, TOKENIZER, SETTINGS = "model.bin", "head.npz", "tokenizer.json", "masked.json"
SCALE = ".scale"
"""Ends the name of an array of a head that has the scales of another one, which is in 8 bits."""
CONFIG, VOCABULARY = "config.json", "vocabulary.json"
BUNDLED = Path(__file__).resolve().parents[1] / "models"
"""Where the models lie that others may be kept as differences from."""
FORMAT = 2
"""Of `masked.json` and `head.npz`; raised where older releases could not read them."""
BATCH_TOKENS = 1024
"""Of a batch: a layer's numbers for so many tokens stay in a core's cache."""

Floats = npt.NDArray[np.float32]
_Item = TypeVar("_Item")
_WORDS_KEPT = 20_000
_NAME = re.compile(r"[\w-]+")
_BROKEN: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, EOFError, IndexError, TypeError, AttributeError)
_BROKEN += (zipfile.BadZipFile, zlib.error, struct.error)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a model says of itself: numbers of its special tokens, and the longest row, special tokens included.

    `base` is the bundled model whose tokenizer it has and from which its weights differ; empty where it has its own.
    """

    name: str
    language: str
    window: int
    mask: int
    pad: int
    unknown: int
    prefix: tuple[int, ...]
    suffix: tuple[int, ...]
    base: str = ""

    @property
    def room(self) -> int:
        """Tokens of a text that a row holds at most."""
        return self.window - len(self.prefix) - len(self.suffix)

    def row(self, tokens: Iterable[int]) -> tuple[int, ...]:
        """The tokens of a text with the special ones around them."""
        return (*self.prefix, *tokens, *self.suffix)


def read_settings(folder: Path, hint: str) -> Settings:
    """The settings of the model in `folder`. Raises `ModelNotFound` with `hint` where a file is missing or broken."""
    is_near = (folder / DIFFERENCE).is_file()
    needed = (SETTINGS, HEAD) if is_near else (SETTINGS, ENCODER, HEAD, TOKENIZER)
    missing = [name for name in needed if not (folder / name).is_file()]
    if missing:
        raise ModelNotFound(f"{folder}: it holds no model: {', '.join(missing)} missing.", hint=hint)
    with readable(folder / SETTINGS, hint):
        data: dict[str, Any] = json.loads((folder / SETTINGS).read_bytes().decode("utf-8"))
        if data.pop("format") != FORMAT:
            raise ValueError("it is of another format, written by another release")
        settings = Settings(**{**data, "prefix": tuple(data["prefix"]), "suffix": tuple(data["suffix"])})
        numbers = (settings.window, settings.mask, settings.pad, settings.unknown, *settings.prefix, *settings.suffix)
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError("window and tokens are whole numbers of 0 or more")
        if not settings.prefix or not settings.suffix:
            raise ValueError("a text has tokens before and after it")
        if is_near != bool(settings.base and _NAME.fullmatch(settings.base)):
            raise ValueError(f"base names the bundled model that {DIFFERENCE} is to")
        if is_near and not (BUNDLED / settings.base / ENCODER).is_file():
            raise ValueError(f"its base {settings.base} is not in this release")
    return settings


def encoder_files(folder: Path, settings: Settings) -> list[Path]:
    """The files that a model's encoder and its tokenizer are made of."""
    if not settings.base:
        return [folder / ENCODER, folder / TOKENIZER]
    base = BUNDLED / settings.base
    return [base / ENCODER, base / TOKENIZER, folder / DIFFERENCE]


def encoder_bytes(folder: Path, settings: Settings) -> bytes:
    """The encoder's file of CTranslate2. Raises what `readable` takes for a broken file."""
    path, _, *differences = encoder_files(folder, settings)
    data = path.read_bytes()
    return restored(differences[0], data) if differences else data


def read_arrays(folder: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the head by name; those in 8 bits, which have scales beside them, in 32 bits.

    Raises what `readable` takes for a broken file.
    """
    with np.load(folder / HEAD, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    for name in [name for name in arrays if name.endswith(SCALE)]:
        scales = arrays.pop(name)
        arrays[name.removesuffix(SCALE)] = arrays[name.removesuffix(SCALE)] * scales
    return arrays


@contextmanager
def readable(path: Path, hint: str) -> Iterator[None]:
    """What goes wrong in reading a file of a model is raised as a `ModelNotFound` that names it."""
    try:
        yield
    except _BROKEN as error:
        raise ModelNotFound(f"{path}: it cannot be read: {error}.", hint=hint) from error


def gelu(x: Floats) -> Floats:
    """x Φ(x), with the error function of Abramowitz and Stegun, 7.1.26, right to 1.5e-7."""
    z = np.abs(x) * np.float32(np.sqrt(0.5))
    t = 1.0 / (1.0 + 0.3275911 * z)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    activated: Floats = 0.5 * x * (1.0 + np.sign(x) * (1.0 - tail * np.exp(-z * z)))
    return activated


class PackedNetwork:
    """The network in `folder`: an encoder with its tokenizer, and files that `step` writes beside them.

    `kind` begins its name, and `also` are the files that it has beside those of every packed network. `threads` are
    those of the encoder, 0 one for each core; rows are sorted by length and run in batches of at most `batch_tokens`
    tokens. Weights are loaded when it is first asked for something. Raises `ModelNotFound` where a file of the folder
    is missing or broken, with the hint `reinstall`, which a bundled one has, and `TextTooLong` for a row that is longer
    than the window.
    """

    kind: ClassVar[str]
    step: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, folder: Path, *, threads: int = 0, reinstall: str = "", batch_tokens: int = BATCH_TOKENS
    ) -> None:
        self.folder = folder
        self._hint = reinstall or f"Give a folder that `python -m {self.step}` has written."
        self._settings: Settings = read_settings(folder, self._hint)
        self.name = f"{self.kind}:{'bundled' if reinstall else self._settings.name}"
        self._threads = threads or cores()
        self._batch_tokens = batch_tokens
        self.pieces: Callable[[str], tuple[int, ...]] = lru_cache(maxsize=_WORDS_KEPT)(self._encode)

    def signature(self) -> str:
        """Name and checksum of all that decides what the network says."""
        return f"{self.name}@{self._checksum}"

    @cached_property
    def _checksum(self) -> str:
        with readable(self.folder, self._hint):
            files = [self.folder / name for name in (SETTINGS, HEAD, *self.also)]
            return digest_of([*files, *encoder_files(self.folder, self._settings)])[:16]

    def vectors(self, rows: Sequence[tuple[int, ...]], kinds: Sequence[tuple[int, ...]] | None = None) -> list[Floats]:
        """The last layer's vectors of each row, `[tokens, size]`; `kinds` are the segments of its tokens, 0 without."""

        def run(batch: list[int]) -> list[Floats]:
            vectors = self.encoded([rows[i] for i in batch], [kinds[i] for i in batch] if kinds else None)
            return [states[: len(rows[i])].copy() for states, i in zip(vectors, batch, strict=True)]

        return self.in_batches(range(len(rows)), run, rows)

    def in_batches(
        self, items: Sequence[_Item], run: Callable[[list[_Item]], list[Floats]], rows: Sequence[tuple[int, ...]]
    ) -> list[Floats]:
        """What `run` answers to items whose rows of tokens are `rows`, so many at once as fit."""
        window, tokens = self._settings.window, self._batch_tokens
        return in_batches(items, run, lengths=[len(row) for row in rows], tokens=tokens, window=window, name=self.name)

    def encoded(self, rows: Sequence[tuple[int, ...]], kinds: Sequence[tuple[int, ...]] | None = None) -> Floats:
        """The last layer's vectors, `[rows, longest, size]`; behind the end of a row they mean nothing."""
        from ctranslate2 import StorageView

        lengths = np.array([len(row) for row in rows], dtype=np.int32)
        width = int(lengths.max())
        table = StorageView.from_array(_table(rows, width, self._settings.pad))
        segments = _table(kinds, width, 0).tolist() if kinds else None
        output = self._encoder.forward_batch(table, StorageView.from_array(lengths), segments)
        states: Floats = np.array(output.last_hidden_state, dtype=np.float32)
        return states

    def _encode(self, text: str) -> tuple[int, ...]:
        # A lone surrogate is no text for the tokenizer.
        clean = text.encode("utf-8", "replace").decode("utf-8")
        tokens: list[int] = self._tokenizer.encode(clean, add_special_tokens=False).ids
        return tuple(tokens) or (self._settings.unknown,)

    @cached_property
    def _encoder(self) -> Any:
        import ctranslate2

        given: dict[str, Any] = {"device": "cpu", "inter_threads": 1, "intra_threads": self._threads}
        base = self._settings.base
        with readable(self.folder / (DIFFERENCE if base else ENCODER), self._hint):
            config = (BUNDLED / base if base else self.folder) / CONFIG
            files = {CONFIG: config.read_bytes(), ENCODER: encoder_bytes(self.folder, self._settings)}
        # What CTranslate2 wants as a file of its own the tokenizer has, too.
        files[VOCABULARY] = json.dumps(self.vocabulary).encode()
        try:
            return ctranslate2.Encoder(str(self.folder), files=files, **given)
        except (RuntimeError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise ModelNotFound(f"{self.folder}: CTranslate2 cannot load it: {reason}.", hint=self._hint) from error

    @cached_property
    def vocabulary(self) -> list[str]:
        """The tokens, by number."""
        return [token for token, _ in sorted(self._tokenizer.get_vocab().items(), key=itemgetter(1))]

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        path = encoder_files(self.folder, self._settings)[1]
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare exceptions
            raise ModelNotFound(f"{path}: it is no tokenizer: {error}.", hint=self._hint) from error
        # A mark such as "[MASK]" in a text is text.
        tokenizer.encode_special_tokens = True
        return tokenizer


def _table(rows: Sequence[tuple[int, ...]], width: int, filler: int) -> npt.NDArray[np.int32]:
    """Rows of different lengths as an array `[rows, width]`."""
    table = np.full((len(rows), width), filler, dtype=np.int32)
    for line, row in zip(table, rows, strict=True):
        line[: len(row)] = row
    return table
