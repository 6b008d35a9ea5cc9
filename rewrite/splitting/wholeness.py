"""Whether a text is one whole sentence, as a small encoder sees it that was shown broken ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rerank.masked.packed import HEAD, Floats, PackedNetwork, gelu, read_arrays, readable
from rewrite.catalogue import REINSTALL, SENTENCE_JUDGE

BUNDLED = SENTENCE_JUDGE
_REMEMBERED = 8_192
_PARTS = ("dense.weight", "dense.bias", "out.weight", "out.bias")


class SentenceJudge(PackedNetwork):
    """The judge in `folder` (the bundled one without), as `training.wholeness` writes it; see `PackedNetwork`."""

    kind, step = "whole", "training.wholeness"

    def __init__(self, folder: Path | None = None, *, threads: int = 0) -> None:
        super().__init__(folder or BUNDLED, threads=threads, reinstall="" if folder else REINSTALL)
        self._known: OrderedDict[str, float] = OrderedDict()

    def probabilities(self, sentences: Sequence[str]) -> npt.NDArray[np.float64]:
        """The chance in [0, 1] of each text that it is one complete and well-formed English sentence.

        Of a text longer than the window its beginning is read.
        """
        known = {text: self._known[text] for text in sentences if text in self._known}
        new = [text for text in dict.fromkeys(sentences) if text not in known]
        known.update(zip(new, self._judged(new), strict=True))
        for text in known:
            self._known[text] = known[text]
            self._known.move_to_end(text)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return np.array([known[text] for text in sentences], dtype=np.float64)

    def _judged(self, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        rows = [self._settings.row(self.pieces(text)[: self._settings.room]) for text in texts]
        weights = self._weights
        vectors = self.vectors(rows)
        pooled = np.stack([np.concatenate([states[0], states.mean(0)]) for states in vectors])
        inner = gelu(pooled @ weights["dense.weight"].T + weights["dense.bias"])
        odds = (inner @ weights["out.weight"].T + weights["out.bias"])[:, 0].astype(np.float64)
        return [float(chance) for chance in 1 / (1 + np.exp(-odds))]

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        with readable(self.folder / HEAD, self._hint):
            arrays = read_arrays(self.folder)
            weights = {name: arrays[name].astype(np.float32) for name in _PARTS}
        return weights
