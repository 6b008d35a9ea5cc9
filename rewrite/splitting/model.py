"""The splitter's model: an encoder in CTranslate2, heads in numpy, and the list of openers, in one folder."""

from __future__ import annotations

import hashlib
import itertools
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from rerank.errors import BadModel, ModelNotFound
from rerank.masked.bundled_files import ENCODER, HEAD, SETTINGS, TOKENIZER, Settings, read_settings
from rerank.masked.encoder import PackedEncoder
from rewrite.bundled import REINSTALL, SPLITTER
from rewrite.splitting.asides import asides
from rewrite.splitting.connectives import connected
from rewrite.splitting.features import LONGEST, features_of
from rewrite.splitting.grammar import beginnings
from rewrite.splitting.network import Floats, Heads
from rewrite.splitting.proposals import proposals
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["BUNDLED", "OPENERS", "SplitModel", "require_window"]

BUNDLED = SPLITTER
OPENERS = "openers.json"
_ANEW = "Give a folder that `python -m training.splitter` has written."
_BATCH_TOKENS = 1024


class SplitModel:
    """The model in `folder` (the bundled one without), as `training.splitter` writes it.

    Weights are loaded when it is first asked for something. `threads` are those of the encoder, 0 one for each core.
    Raises `ModelNotFound` where a file of the folder is missing or broken, `BadModel` where its window is too small.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 0) -> None:
        self.folder = folder or BUNDLED
        self._hint = _ANEW if folder else REINSTALL
        self._settings: Settings = read_settings(self.folder, self._hint)
        require_window(self.folder, self._settings.window)
        name = "bundled" if folder is None else self._settings.name
        self._encoder = PackedEncoder(
            self.folder, self._settings, name=name, threads=threads, batch_tokens=_BATCH_TOKENS, hint=self._hint
        )
        self.name = f"splitter:{name}"

    def signature(self) -> str:
        """Name and checksum of all that decides what the model says."""
        return f"{self.name}@{self._checksum}"

    def propose(self, sentences: Sequence[Words]) -> list[tuple[list[Split], float]]:
        """For each sentence its splits by falling log-probability, and the log-probability of no split, in nats.

        Of a sentence longer than the window its beginning is read: there it is cut.
        """
        shown = [self._beginning(words) for words in sentences]
        features = [features_of(words, self._encoder.tokens) for words in shown]
        rows = [
            (*self._settings.prefix, *(piece for word in one.pieces for piece in word), *self._settings.suffix)
            for one in features
        ]
        found = []
        for whole, words, one, vectors in zip(sentences, shown, features, self._encoder.vectors(rows), strict=True):
            reading = self._heads.read(one, vectors)
            also = (*connected(words), *asides(words))
            splits, none = proposals(self._heads, reading, self._openers, also, partial(beginnings, words))
            found.append((_to_the_end(splits, words, whole), none))
        return found

    def _beginning(self, words: Words) -> Words:
        """A sentence, or as much of its beginning as the model's window holds."""
        room = self._settings.window - len(self._settings.prefix) - len(self._settings.suffix)
        lengths = itertools.accumulate(len(self._encoder.tokens(word.text)) for word in words.words)
        return words.first(sum(length <= room for length in lengths))

    @cached_property
    def _heads(self) -> Heads:
        try:
            with np.load(self.folder / HEAD, allow_pickle=False) as data:
                weights: dict[str, Floats] = {name: data[name].astype(np.float32) for name in data.files}
            if len(weights["opening_out.bias"]) != len(self._openers):
                raise ValueError(f"it is of other openers than {OPENERS}")
            return Heads(weights)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ModelNotFound(f"{self.folder / HEAD}: it cannot be read: {error}.", hint=self._hint) from error

    @cached_property
    def _openers(self) -> list[tuple[str, ...]]:
        path = self.folder / OPENERS
        try:
            return [tuple(map(str, parts)) for parts in json.loads(path.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError) as error:
            raise ModelNotFound(f"{path}: it cannot be read: {error}.", hint=self._hint) from error

    @cached_property
    def _checksum(self) -> str:
        digest = hashlib.sha256()
        for name in (SETTINGS, ENCODER, HEAD, TOKENIZER, OPENERS):
            digest.update((self.folder / name).read_bytes())
        return digest.hexdigest()[:16]


def require_window(folder: Path, window: int) -> None:
    """`BadModel` where the encoder in `folder`, whose rows have `window` tokens at most, cannot hold a sentence."""
    if window < LONGEST + 2:
        raise BadModel(
            f"{folder}: its window holds {window} tokens, a splitter needs one of {LONGEST + 2} or more.",
            hint=f"Train the masked language model with a window of at least {LONGEST + 2}, and a splitter on it.",
        )


def _to_the_end(splits: Sequence[Split], shown: Words, whole: Words) -> list[Split]:
    """Splits of the beginning of a sentence as those of all of it: what is behind the window goes with the second."""
    if len(shown) == len(whole):
        return list(splits)
    return [replace(split, stop=whole.end) if split.stop == shown.end else split for split in splits]
