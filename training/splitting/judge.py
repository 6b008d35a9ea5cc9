"""How well a splitter does on pairs that it has not learnt from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from training.finetuning.judging import measuring
from training.splitting.batches import SplitBatches

__all__ = ["measure", "total_loss"]


def measure(network: Any, batches: SplitBatches) -> dict[str, float]:
    """Losses of the heads in nats (`loss cut`, …) and shares of right first guesses (`right cut`, …)."""
    totals: defaultdict[str, float] = defaultdict(float)
    weights: defaultdict[str, int] = defaultdict(int)
    with measuring(network, batches) as every:
        for batch in every:
            found, size = network(**batch), len(batch["start"])
            for kind in ("losses", "right"):
                for name, value in found[kind].items():
                    key = f"{'loss' if kind == 'losses' else 'right'} {name}"
                    totals[key] += float(value) * size
                    weights[key] += size
    return {key: totals[key] / weights[key] for key in sorted(totals)}


def total_loss(figures: Mapping[str, float]) -> float:
    """The losses of all heads together, of what `measure` gives."""
    return sum(value for name, value in figures.items() if name.startswith("loss"))
