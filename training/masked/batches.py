"""Batches of texts of like length with masks in them, as a dataset whose k-th item is the k-th batch of the run."""

from __future__ import annotations

from typing import Any

import numpy as np

from training.finetuning.epochs import Epochs
from training.masked.masking import choose
from training.masked.vocabulary import MASK, PAD
from training.packed import Pack

__all__ = ["MaskedBatches"]


class MaskedBatches(Epochs):
    """A torch dataset of whole batches. What is masked in a batch depends on the seed and its number alone.

    An item has `input_ids` (rows, longest), the flat `places` of the masks in it and the tokens that stood there,
    `targets`; and `attention_mask`, where rows are of several lengths.
    """

    def __init__(
        self,
        pack: Pack,
        *,
        tokens: int,
        seed: int,
        share: float,
        whole: float,
        accumulate: int = 1,
        updates: int | None = None,
    ) -> None:
        super().__init__([pack], [1.0], tokens=tokens, causal=False, seed=seed, accumulate=accumulate, updates=updates)
        self._masked = share
        self._whole_words = whole
        self._mask_seed = seed

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        return {name: torch.from_numpy(table) for name, table in self.arrays(number).items()}

    def arrays(self, number: int) -> dict[str, np.ndarray[Any, Any]]:
        """The k-th batch as numpy arrays."""
        pairs = [self._pair(i) for i in self._indices(number).tolist()]
        lengths = np.array([len(tokens) for tokens, _ in pairs])
        there = np.arange(lengths.max()) < lengths[:, None]
        tokens, starts = np.full(there.shape, PAD), np.zeros(there.shape, dtype=np.int64)
        tokens[there] = np.concatenate([one for one, _ in pairs])
        starts[there] = np.concatenate([marks for _, marks in pairs])
        rng = np.random.default_rng([self._mask_seed, 1, number])
        places = np.flatnonzero(choose(starts, lengths, rng, share=self._masked, whole=self._whole_words))
        targets = tokens.ravel()[places]
        tokens.ravel()[places] = MASK
        batch = {"input_ids": tokens, "places": places, "targets": targets}
        return batch if there.all() else {**batch, "attention_mask": there.astype(np.int64)}

    def tokens_in(self, first: int, end: int) -> int:
        """Tokens of the batches from number `first` to before `end`, padding left out."""
        return sum(int(self._lengths[self._indices(number), 0].sum()) for number in range(first, end))
