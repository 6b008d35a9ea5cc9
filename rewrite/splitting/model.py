"""The splitter's model: an encoder in CTranslate2, heads in numpy, and the list of openers, in one folder."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from rerank.errors import BadModel
from rerank.masked.packed import HEAD, PackedNetwork, read_arrays, readable
from rewrite.catalogue import REINSTALL, SPLITTER
from rewrite.splitting.asides import asides
from rewrite.splitting.connectives import connected
from rewrite.splitting.features import LONGEST, features_of
from rewrite.splitting.grammar import beginnings
from rewrite.splitting.network import Heads
from rewrite.splitting.proposals import proposals
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["BUNDLED", "OPENERS", "SplitModel", "require_window"]

BUNDLED = SPLITTER
OPENERS = "openers.json"


class SplitModel(PackedNetwork):
    """The model in `folder` (the bundled one without), as `training.splitter` writes it; see `PackedNetwork`.

    Raises `BadModel` where its window is too small.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 0) -> None:
        super().__init__(
            folder,
            BUNDLED,
            kind="splitter",
            step="training.splitter",
            threads=threads,
            reinstall=REINSTALL,
            also=(OPENERS,),
        )
        require_window(self.folder, self._settings.window)

    def propose(self, sentences: Sequence[Words]) -> list[tuple[list[Split], float]]:
        """For each sentence its splits by falling log-probability, and the log-probability of no split, in nats.

        Of a sentence longer than the window its beginning is read: there it is cut.
        """
        shown = [self._beginning(words) for words in sentences]
        features = [features_of(words, self._encoder.tokens) for words in shown]
        rows = [self._settings.row(itertools.chain(*one.pieces)) for one in features]
        found = []
        for whole, words, one, vectors in zip(sentences, shown, features, self._encoder.vectors(rows), strict=True):
            reading = self._heads.read(one, vectors)
            also = (*connected(words), *asides(words))
            splits, none = proposals(self._heads, reading, self._openers, also, partial(beginnings, words))
            settled = [one.settled(words) for one in splits]
            found.append((_to_the_end(settled, words, whole), none))
        return found

    def _beginning(self, words: Words) -> Words:
        """A sentence, or as much of its beginning as the model's window holds."""
        lengths = itertools.accumulate(len(self._encoder.tokens(word.text)) for word in words.words)
        return words.first(sum(length <= self._settings.room for length in lengths))

    @cached_property
    def _heads(self) -> Heads:
        with readable(self.folder / HEAD, self._hint):
            weights = {name: part.astype(np.float32) for name, part in read_arrays(self.folder).items()}
            if len(weights["opening_out.bias"]) != len(self._openers):
                raise ValueError(f"it is of other openers than {OPENERS}")
        return Heads(weights)

    @cached_property
    def _openers(self) -> list[tuple[str, ...]]:
        path = self.folder / OPENERS
        with readable(path, self._hint):
            found = [tuple(map(str, parts)) for parts in json.loads(path.read_text(encoding="utf-8"))]
        return found


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
