"""How well a model fills the masks of texts that it has not learnt from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.finetuning.judging import LeastIsBest, measuring
from training.masked.batches import MaskedBatches

__all__ = ["HeldOut", "HeldOutJudge", "frequency_baseline", "measure"]


@dataclass(frozen=True)
class HeldOut:
    """`loss` in nats a mask, the share of masks whose first guess is right, and how many masks there were."""

    loss: float
    accuracy: float
    masks: int


def measure(model: Any, batches: MaskedBatches) -> HeldOut:
    """All held-out texts once, with the masks of epoch 0."""
    loss, right, masks = 0.0, 0, 0
    with measuring(model, batches) as every:
        for batch in every:
            found, count = model(**batch), len(batch["targets"])
            loss += float(found["loss"]) * count
            right += int((found["logits"].argmax(-1) == batch["targets"]).sum())
            masks += count
    return HeldOut(loss / max(masks, 1), right / max(masks, 1), masks)


def frequency_baseline(batches: MaskedBatches, counts: NDArray[np.int64]) -> HeldOut:
    """What one reaches by the frequency of tokens alone: `counts` of each in the texts learnt from."""
    smooth = (counts + 1.0) / (counts + 1.0).sum()
    targets = np.concatenate([batches.arrays(number)["targets"] for number in range(batches.batches_in_epoch)])
    most = int(counts.argmax())
    return HeldOut(float(-np.log(smooth[targets]).mean()), float((targets == most).mean()), len(targets))


class HeldOutJudge(LeastIsBest):
    """Nats a mask on held-out texts; the weights that do best are kept."""

    def __init__(self, batches: MaskedBatches, every: int) -> None:
        self._batches = batches
        self.every = every

    def judge(self, model: Any, step: int) -> float:
        """See `Judge.judge`."""
        found = measure(model, self._batches)
        print(
            f"held out at step {step:,}: loss {found.loss:.4f}, {found.accuracy:.2%} right of {found.masks:,}",
            flush=True,
        )
        return found.loss
