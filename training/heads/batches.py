"""Batches of examples as tensors: which examples share one, drawn anew in each epoch, and how rows are padded."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rewrite.errors import BadInput

_BLUR = 3
"""Pieces by which a length is taken for another: examples of one length would meet the same company in each epoch."""
Numbers = NDArray[np.int64]


def padded(rows: Sequence[Any], fill: float = 0) -> Any:
    """Rows of unlike length, none of them empty, as one tensor `[rows, longest, …]` with `fill` behind their ends."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    return pad_sequence([torch.as_tensor(row) for row in rows], batch_first=True, padding_value=fill)


def piece_tables(rows: Sequence[Sequence[int]], pad: int = 0) -> dict[str, Any]:
    """What an encoder reads: `pieces`, and `attention`, 1 where there is one, both `[rows, longest]`."""
    return {"pieces": padded(rows, pad), "attention": padded([[1.0] * len(row) for row in rows])}


def gathered(vectors: Any, places: Any) -> Any:
    """Of tensors `[rows, longest, width]` the vectors at some `places` of each row, `[rows, n]`."""
    return vectors.gather(1, places.unsqueeze(-1).expand(-1, -1, vectors.shape[-1]))


class LengthBatches:
    """A torch dataset whose k-th item is the k-th batch of the run, of examples of like length, fixed by the seed.

    A subclass makes the tensors of a batch. `lengths` are the tokens of the `examples`, to which a row of a batch adds
    `around`. A batch has at most `tokens`, padding included, but for an example that alone has more, and with
    `most_rows` so many examples. `groups` are numbers of examples that belong together: those of one stand one behind
    the other, mostly in one batch. `repeats` say how often an epoch holds each example; 0.5 is half of them, others
    each epoch.

    There are `updates` × `accumulate` batches; without `updates` as many as `epochs` make up. Raises `BadInput` where
    an epoch has none.
    """

    def __init__(
        self,
        examples: Sequence[Any],
        lengths: ArrayLike,
        *,
        tokens: int,
        seed: int,
        updates: int | None = None,
        epochs: float = 1.0,
        accumulate: int = 1,
        around: int = 0,
        most_rows: int | None = None,
        groups: Sequence[int] | None = None,
        repeats: ArrayLike = 1.0,
    ) -> None:
        self.examples = examples
        self._lengths = np.asarray(lengths, dtype=np.int64) + around
        self._groups = np.arange(len(examples)) if groups is None else np.asarray(groups)
        self._repeats = np.broadcast_to(np.asarray(repeats, dtype=np.float64), len(examples))
        self._most_tokens, self._most_rows, self._seed = tokens, most_rows, seed
        self._batches: list[Numbers] = []
        wanted = updates * accumulate if updates else math.inf
        epochs = math.inf if updates else epochs
        for epoch in itertools.count():
            if epoch >= epochs or len(self._batches) >= wanted:
                break
            drawn = self._epoch(epoch)
            if epoch == 0:
                self.batches_in_epoch = len(drawn)
                """Of the first epoch; others have about as many."""
            if not drawn:
                raise BadInput("An epoch holds no examples.", hint="Raise `repeat`.")
            self._batches += drawn[: math.ceil(min(1.0, epochs - epoch) * len(drawn))]
        self.updates = updates or math.ceil(len(self._batches) / accumulate)
        self._length = min(len(self._batches), self.updates * accumulate)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, number: int) -> dict[str, Any]:
        """The tensors of a batch, by the names of the network's arguments."""
        raise NotImplementedError

    def indices(self, number: int) -> list[int]:
        """Numbers of the examples in a batch."""
        numbers: list[int] = self._batches[number].tolist()
        return numbers

    def _epoch(self, epoch: int) -> list[Numbers]:
        """The batches of an epoch."""
        rng = np.random.default_rng([self._seed, epoch])
        chosen = self._chosen(rng)
        if not len(chosen):
            return []
        lengths = self._lengths[chosen]
        _, owners = np.unique(self._groups[chosen], return_inverse=True)
        longest = np.zeros(len(chosen))
        np.maximum.at(longest, owners, lengths)
        places = longest + rng.uniform(-_BLUR, _BLUR, len(longest))
        order = np.lexsort((owners, places[owners]))
        batches = np.split(chosen[order], self._cuts(lengths[order].tolist()))
        return [batches[number] for number in rng.permutation(len(batches))]

    def _chosen(self, rng: np.random.Generator) -> Numbers:
        """Numbers of the examples of an epoch: each as often as is said, of a fraction of them a random part."""
        times, fractions = np.divmod(self._repeats, 1)
        parts = [np.repeat(np.arange(len(times)), times.astype(np.int64))]
        for fraction in np.unique(fractions[fractions > 0]):
            numbers = np.flatnonzero(fractions == fraction)
            parts.append(np.sort(rng.choice(numbers, round(fraction * len(numbers)), replace=False)))
        return np.concatenate(parts)

    def _cuts(self, lengths: Sequence[int]) -> list[int]:
        """Where a batch ends and another begins."""
        cuts: list[int] = []
        start = longest = 0
        for place, length in enumerate(lengths):
            longest = max(longest, length)
            size = place - start
            if size and ((size + 1) * longest > self._most_tokens or size == self._most_rows):
                cuts.append(place)
                start, longest = place, length
        return cuts
