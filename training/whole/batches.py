"""Examples as tensors: sentences of like length share a batch, drawn anew in each epoch."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

from training.masked.vocabulary import CLS, SEP
from training.whole.examples import Example

__all__ = ["WholeBatches"]


class WholeBatches:
    """A torch dataset of whole batches, the k-th of the run by its number, for `training.finetuning.trainer`.

    A batch has at most `tokens` pieces, padding included; a row is cut at `window` pieces.
    """

    accumulate = 1

    def __init__(
        self,
        examples: Sequence[Example],
        tokenizer: Any,
        *,
        window: int,
        tokens: int,
        seed: int,
        updates: int | None = None,
    ) -> None:
        encoded = tokenizer.encode_batch([one.text for one in examples], add_special_tokens=False)
        self.rows: list[tuple[int, ...]] = [(CLS, *one.ids[: window - 2], SEP) for one in encoded]
        self.examples = examples
        self._tokens, self._seed = tokens, seed
        self._epochs: list[list[list[int]]] = [self._epoch(0)]
        self.updates = updates or len(self._epochs[0])

    def __len__(self) -> int:
        return self.updates

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        chosen = self.indices(number)
        longest = max(len(self.rows[i]) for i in chosen)
        pieces = torch.zeros(len(chosen), longest, dtype=torch.long)
        attention = torch.zeros(len(chosen), longest)
        for place, i in enumerate(chosen):
            row = self.rows[i]
            pieces[place, : len(row)] = torch.tensor(row)
            attention[place, : len(row)] = 1
        labels = torch.tensor([float(self.examples[i].is_whole) for i in chosen])
        return {"pieces": pieces, "attention": attention, "labels": labels}

    @property
    def batches_in_epoch(self) -> int:
        """Of the first epoch; others have about as many."""
        return len(self._epochs[0])

    def tokens_in(self, first: int, end: int) -> int:
        """Word pieces of the batches from number `first` to before `end`, padding left out."""
        return sum(len(self.rows[i]) for n in range(first, end) for i in self.indices(n))

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
        order = sorted(range(len(self.rows)), key=lambda i: len(self.rows[i]) + rng.uniform(-3, 3))
        made: list[list[int]] = [[]]
        longest = 0
        for i in order:
            longest = max(longest, len(self.rows[i]))
            if made[-1] and (len(made[-1]) + 1) * longest > self._tokens:
                made.append([])
                longest = len(self.rows[i])
            made[-1].append(i)
        rng.shuffle(made)
        return made
