"""Batches of examples as tensors: which examples share one, drawn anew in each epoch, and how rows are padded."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

__all__ = ["LengthBatches", "padded", "piece_tables"]

_BLUR = 3
"""Pieces by which a length is taken for another: examples of one length would meet the same company in each epoch."""


def padded(rows: Sequence[Any], fill: float = 0) -> Any:
    """Rows of unlike length, none of them empty, as one tensor `[rows, longest, …]` with `fill` behind their ends."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    return pad_sequence([torch.as_tensor(row) for row in rows], batch_first=True, padding_value=fill)


def piece_tables(rows: Sequence[Sequence[int]], pad: int = 0) -> dict[str, Any]:
    """What an encoder reads: `pieces`, and `attention`, 1 where there is one, both `[rows, longest]`."""
    return {"pieces": padded(rows, pad), "attention": padded([[1.0] * len(row) for row in rows])}


class LengthBatches:
    """A torch dataset whose k-th item is the k-th batch of the run, of examples of like length.

    A subclass makes the tensors of a batch. `lengths` are the word pieces of the `examples`, to which a row of a batch
    adds `around`. A batch has at most `tokens` pieces, padding included, but for an example that alone has more; and
    with `rows` so many examples at most. Without `updates` there is one epoch. `groups` are numbers of examples that
    belong together: those of one stand one behind the other, mostly in one batch.
    """

    accumulate = 1

    def __init__(
        self,
        examples: Sequence[Any],
        lengths: Sequence[int],
        *,
        tokens: int,
        seed: int,
        updates: int | None = None,
        around: int = 0,
        rows: int | None = None,
        groups: Sequence[int] | None = None,
    ) -> None:
        self.examples = examples
        self._groups = range(len(lengths)) if groups is None else groups
        self._lengths, self._around = lengths, around
        self._most_tokens, self._most_rows, self._seed = tokens, rows, seed
        self._epochs: list[list[list[int]]] = [self._epoch(0)]
        self.updates = updates or len(self._epochs[0])

    def __len__(self) -> int:
        return self.updates

    def __getitem__(self, number: int) -> dict[str, Any]:
        """The tensors of a batch, by the names of the network's arguments."""
        raise NotImplementedError

    @property
    def batches_in_epoch(self) -> int:
        """Of the first epoch; others have about as many."""
        return len(self._epochs[0])

    def tokens_in(self, first: int, end: int) -> int:
        """Word pieces of the batches from number `first` to before `end`, padding left out."""
        return sum(self._lengths[i] for number in range(first, end) for i in self.indices(number))

    def indices(self, number: int) -> list[int]:
        """Numbers of the examples in a batch."""
        for epoch in itertools.count():
            if epoch == len(self._epochs):
                self._epochs.append(self._epoch(epoch))
            if number < len(self._epochs[epoch]):
                return self._epochs[epoch][number]
            number -= len(self._epochs[epoch])
        raise AssertionError

    def _epoch(self, epoch: int) -> list[list[int]]:
        rng = random.Random(f"{self._seed} {epoch}")
        rows = [length + self._around for length in self._lengths]
        longest_of: dict[int, float] = {}
        for group, length in zip(self._groups, rows, strict=True):
            longest_of[group] = max(length, longest_of.get(group, 0))
        places = {group: (length + rng.uniform(-_BLUR, _BLUR), group) for group, length in longest_of.items()}
        batches: list[list[int]] = [[]]
        longest = 0
        for i in sorted(range(len(rows)), key=lambda i: places[self._groups[i]]):
            longest = max(longest, rows[i])
            if batches[-1] and (
                (len(batches[-1]) + 1) * longest > self._most_tokens or len(batches[-1]) == self._most_rows
            ):
                batches.append([])
                longest = rows[i]
            batches[-1].append(i)
        rng.shuffle(batches)
        return batches
