"""Examples for a judge of whole sentences as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from training.encoders.batches import LengthBatches
from training.masked.vocabulary import CLS, SEP
from training.whole.examples import Example

__all__ = ["WholeBatches"]


class WholeBatches(LengthBatches):
    """Batches of texts, each of which is cut at `window` pieces."""

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
        super().__init__([len(row) for row in self.rows], tokens=tokens, seed=seed, updates=updates)

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
