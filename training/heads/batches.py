"""Batches of examples as tensors: which examples share one, drawn anew in each epoch, and how rows are padded."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    `around`; `counts` what is told of an example's tokens where that is another number. A batch has at most `tokens`,
    padding included, but for an example that alone has more, and with `most_rows` so many examples. `groups` are
    numbers of examples that belong together: those of one stand one behind the other, mostly in one batch. `repeats`
    say how often an epoch holds each example; 0.5 is half of them, others each epoch.

    There are `updates` × `accumulate` batches; without `updates` as many as `epochs` make up. The batches of one epoch
    are worked out at a time, so that a run can go on anywhere.
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
        counts: ArrayLike | None = None,
    ) -> None:
        self.examples, self.accumulate = examples, accumulate
        self._lengths = np.asarray(lengths, dtype=np.int64)
        self._counts = self._lengths if counts is None else np.asarray(counts)
        self._groups = np.arange(len(examples)) if groups is None else np.asarray(groups)
        self._repeats = np.broadcast_to(np.asarray(repeats, dtype=np.float64), len(examples))
        self._around, self._most_tokens, self._most_rows, self._seed = around, tokens, most_rows, seed
        # Where each epoch begins, as far as that is known, and the batches of the one last looked into.
        self._firsts = [0]
        self._open(0)
        self.updates = updates or max(1, math.ceil(self._batches_of(epochs) / accumulate))

    def __len__(self) -> int:
        return self.updates * self.accumulate

    def __getitem__(self, number: int) -> dict[str, Any]:
        """The tensors of a batch, by the names of the network's arguments."""
        raise NotImplementedError

    @property
    def batches_in_epoch(self) -> int:
        """Of the first epoch; others have about as many."""
        return self._firsts[1]

    def tokens_in(self, first: int, end: int) -> int:
        """Tokens of the batches from number `first` to before `end`, padding left out."""
        return sum(int(self._counts[self.indices(number)].sum()) for number in range(first, end))

    def indices(self, number: int) -> list[int]:
        """Numbers of the examples in a batch."""
        while number >= self._firsts[-1]:
            self._open(len(self._firsts) - 1)
        epoch = bisect_right(self._firsts, number) - 1
        if epoch != self._epoch:
            self._open(epoch)
        numbers: list[int] = self._batches[number - self._firsts[epoch]].tolist()
        return numbers

    def _batches_of(self, epochs: float) -> int:
        """How many batches so many epochs have."""
        whole, rest = int(epochs), epochs % 1
        while len(self._firsts) <= whole + 1:
            self._open(len(self._firsts) - 1)
        first, end = self._firsts[whole : whole + 2]
        return first + math.ceil(rest * (end - first))

    def _open(self, epoch: int) -> None:
        """Work out the batches of an epoch; where it ends is noted once."""
        rng = np.random.default_rng([self._seed, epoch])
        chosen = self._chosen(rng)
        lengths = self._lengths[chosen] + self._around
        _, owners = np.unique(self._groups[chosen], return_inverse=True)
        longest = np.zeros(len(chosen))
        np.maximum.at(longest, owners, lengths)
        places = longest + rng.uniform(-_BLUR, _BLUR, len(longest))
        order = np.lexsort((owners, places[owners]))
        batches = np.split(chosen[order], self._cuts(lengths[order].tolist())) if len(chosen) else []
        self._batches: list[Numbers] = [batches[number] for number in rng.permutation(len(batches))]
        self._epoch = epoch
        if epoch == len(self._firsts) - 1:
            self._firsts.append(self._firsts[-1] + len(batches))

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
