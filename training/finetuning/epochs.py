"""All batches of a run in a row, as a dataset: each epoch is shuffled and put into batches anew, fixed by the seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewrite.errors import BadInput
from training.packed import Pack, batch_of_pairs, batch_of_shared, batch_of_texts, plan_batches, runs_of_one_source

__all__ = ["Epochs"]


class Epochs:
    """A torch dataset whose items are whole batches, the k-th of the run by its number k.

    It has `updates` × `accumulate` of them. Without `updates` it is as many as `epochs` make up. Only the batches of
    one epoch are worked out at a time, from seed and epoch, so that a run can go on anywhere. With `shared`, pairs of a
    causal model that follow one another and have one source are one row, in which it stands once.
    """

    def __init__(
        self,
        packs: Sequence[Pack],
        repeats: Sequence[float],
        *,
        tokens: int,
        causal: bool,
        seed: int,
        pad: int = 0,
        whole: bool = False,
        accumulate: int = 1,
        updates: int | None = None,
        epochs: float = 1.0,
        shared: bool = False,
    ) -> None:
        self._packs = packs
        self._repeats = repeats
        self._tokens = tokens
        self._causal = causal
        self._whole = whole
        self._pad = pad
        self._seed = seed
        self._runs = [runs_of_one_source(pack, tokens) for pack in packs] if shared else None
        lengths = [pack.lengths for pack in packs]
        if self._runs is not None:
            lengths = [_lengths_of_runs(own, runs) for own, runs in zip(lengths, self._runs, strict=True)]
        self._lengths = np.concatenate(lengths)
        self._starts = np.cumsum([0, *map(len, lengths)])
        # Where each epoch begins, as far as they are known. All are as long as the first unless their pairs change.
        self._firsts = [0]
        self._changing = any(repeat % 1 for repeat in repeats)
        self._epoch = -1
        self._batches: list[NDArray[np.int64]] = []
        if not len(self._lengths):
            raise BadInput("There are no pairs to learn from.", hint="Look at what was left out, and why.")
        self._open(0)
        if not self._batches:
            raise BadInput("An epoch holds no pairs.", hint="Raise `repeat`.")
        self.updates = updates or max(1, math.ceil(self._batches_of(epochs) / accumulate))
        self._size = self.updates * accumulate

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        indices = self._indices(number).tolist()
        batch: dict[str, NDArray[Any]]
        if self._runs is not None:
            batch = batch_of_shared([self._run(self._runs, i) for i in indices], self._pad)
            return {name: torch.from_numpy(table) for name, table in batch.items()}
        pairs = [self._pair(i) for i in indices]
        if self._causal:
            batch = batch_of_texts(pairs, self._pad, whole=self._whole)
        else:
            batch = batch_of_pairs(pairs, self._pad)
        return {name: torch.from_numpy(table) for name, table in batch.items()}

    @property
    def batches_in_epoch(self) -> int:
        """Of the epoch last looked into."""
        return len(self._batches)

    def tokens_in(self, first: int, end: int) -> int:
        """Tokens of the batches from number `first` to before `end`, of sources and targets, padding left out."""
        return sum(int(self._lengths[self._indices(number)].sum()) for number in range(first, end))

    def _indices(self, number: int) -> NDArray[np.int64]:
        """The pairs of a batch."""
        if not self._changing:
            epoch, place = divmod(number, self._firsts[1])
        else:
            while number >= self._firsts[-1]:
                self._open(len(self._firsts) - 1)
            epoch = int(np.searchsorted(self._firsts, number, side="right")) - 1
            place = number - self._firsts[epoch]
        if epoch != self._epoch:
            self._open(epoch)
        return self._batches[place]

    def _open(self, epoch: int) -> None:
        """Work out the batches of an epoch; where it ends is noted once."""
        rng = np.random.default_rng([self._seed, epoch])
        chosen = self._chosen(rng)
        lengths = self._lengths[chosen]
        sizes = lengths.sum(axis=1) if self._causal else lengths.max(axis=1)
        self._batches = [chosen[batch] for batch in plan_batches(sizes, self._tokens, rng)]
        self._epoch = epoch
        if epoch == len(self._firsts) - 1:
            self._firsts.append(self._firsts[-1] + len(self._batches))

    def _chosen(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """The pairs of an epoch: each as often as its file says, of a fraction of them a random part."""
        parts: list[NDArray[np.int64]] = []
        for start, end, repeat in zip(self._starts[:-1], self._starts[1:], self._repeats, strict=True):
            every = np.arange(start, end)
            times, fraction = int(repeat), repeat - int(repeat)
            parts += [every] * times
            if fraction:
                parts.append(np.sort(rng.choice(every, round(fraction * len(every)), replace=False)))
        return np.concatenate(parts) if parts else np.arange(0)

    def _batches_of(self, epochs: float) -> int:
        """How many batches so many epochs have."""
        whole, rest = int(epochs), epochs - int(epochs)
        needed = whole + bool(rest)
        while self._changing and len(self._firsts) <= needed:
            self._open(len(self._firsts) - 1)
        ends = self._firsts if self._changing else [self._firsts[1] * epoch for epoch in range(needed + 1)]
        partly = math.ceil(rest * (ends[needed] - ends[whole])) if rest else 0
        return ends[whole] + partly

    def _pair(self, index: int) -> tuple[NDArray[Any], NDArray[Any]]:
        part = int(np.searchsorted(self._starts, index, side="right")) - 1
        return self._packs[part][index - int(self._starts[part])]

    def _run(
        self, runs: Sequence[NDArray[np.int64]], index: int
    ) -> tuple[int, list[tuple[NDArray[Any], NDArray[Any]]]]:
        part = int(np.searchsorted(self._starts, index, side="right")) - 1
        first, count, common = runs[part][index - int(self._starts[part])].tolist()
        return common, [self._packs[part][i] for i in range(first, first + count)]


def _lengths_of_runs(lengths: NDArray[np.int64], runs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Tokens that all pairs of a run begin with, and the others, (n, 2)."""
    sums = np.concatenate([[0], np.cumsum(lengths.sum(axis=1))])
    first, count, common = runs.T
    return np.stack([common, sums[first + count] - sums[first] - count * common], axis=1)
