"""How well a judge of whole sentences does on sentences that it has not learnt from."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from rewrite.evaluate.curve import area_under_curve
from training.finetuning.judging import measuring
from training.whole.batches import WholeBatches
from training.whole.examples import GOOD

__all__ = ["measure", "probabilities"]

Floats = npt.NDArray[np.float64]


def probabilities(network: Any, batches: WholeBatches) -> Floats:
    """What the network says of each example, in their order."""
    import torch

    found = np.zeros(len(batches.examples))
    with measuring(network, batches) as every:
        for number, batch in enumerate(every):
            logits = network(**batch)["logits"]
            found[batches.indices(number)] = torch.sigmoid(logits).cpu().numpy()
    return found


def measure(network: Any, batches: WholeBatches) -> dict[str, float]:
    """The loss in nats, the share of right answers, the area under the curve, and both by kind of what is wrong.

    For a kind of bad sentence `auc KIND` tells it from all good ones; `right KIND` is the share that is told at 0.5.
    """
    found = probabilities(network, batches)
    labels = np.array([one.is_whole for one in batches.examples])
    chances = np.clip(np.where(labels, found, 1 - found), 1e-7, 1)
    told = {"loss": float(-np.log(chances).mean()), "right": float((chances > 0.5).mean())}
    told["auc"] = area_under_curve(found[labels], found[~labels])
    kinds: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(batches.examples):
        kinds[one.kind].append(number)
    for kind, numbers in sorted(kinds.items()):
        told[f"right {kind}"] = float((chances[numbers] > 0.5).mean())
        if kind != GOOD and not labels[numbers].any():
            told[f"auc {kind}"] = area_under_curve(found[labels], found[numbers])
    return told
