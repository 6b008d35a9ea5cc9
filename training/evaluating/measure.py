"""How well an evaluator does on examples of good texts that it has not learnt from."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from rerank.types import FloatArray
from training.evaluating.batches import NO_LABEL, TaughtBatches
from training.evaluating.examples import HUMAN_LABELLED, groups
from training.finetuning.judging import measuring

__all__ = ["measure", "pairwise", "said"]


def said(network: Any, batches: TaughtBatches, outputs: int) -> FloatArray:
    """What the network says of each example, in their order, `[examples, outputs]`."""
    import torch

    found = np.zeros((len(batches.examples), outputs))
    with measuring(network, batches) as every:
        for number, batch in enumerate(every):
            found[batches.indices(number)] = torch.sigmoid(network(**batch)["logits"].float()).cpu().numpy()
    return found


def measure(network: Any, batches: TaughtBatches, outputs: tuple[str, ...]) -> dict[str, float]:
    """The mean squared error of all outputs, `error`, and of each, with its pairwise accuracy in all and by kind.

    The names of an output's own figures begin with its name; its error is NaN where no example has a label for it.
    """
    found = said(network, batches, len(outputs))
    labels = np.array([[one.labels.get(name, NO_LABEL) for name in outputs] for one in batches.examples])
    there = labels != NO_LABEL
    told = {"error": float(np.square(found - labels)[there].mean())}
    for column, name in enumerate(outputs):
        chosen = there[:, column]
        told[f"{name} error"] = float(np.square(found - labels)[chosen, column].mean())
        told |= {f"{name} {kind}": share for kind, share in pairwise(batches, found[:, column], chosen).items()}
    return told


def pairwise(batches: TaughtBatches, values: FloatArray, there: FloatArray) -> dict[str, float]:
    """The share in [0, 1] of mutations that get less than the text that they were made of, a tie being half of one.

    By kind, and `pairs` for all of them; a text alone is compared with texts alone.
    """
    wins: defaultdict[str, list[float]] = defaultdict(list)
    for numbers in groups(batches.examples).values():
        own = [n for n in numbers if there[n] and batches.examples[n].kind != HUMAN_LABELLED]
        good = {not batches.examples[n].source: values[n] for n in own if not batches.examples[n].kind}
        for n in own:
            one = batches.examples[n]
            best = good.get(not one.source)
            if one.kind and best is not None:
                win = float(best > values[n]) + 0.5 * float(best == values[n])
                wins[one.kind].append(win)
                wins["pairs"].append(win)
    return {kind: float(np.mean(found)) for kind, found in sorted(wins.items())}
