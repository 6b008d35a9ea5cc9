"""How well a splitter does on pairs that it has not learnt from."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from training.finetuning.judges import undisturbed
from training.finetuning.trainer import History
from training.splitting.batches import SplitBatches

__all__ = ["DevJudge", "measure", "step_with_least"]


def measure(network: Any, batches: SplitBatches) -> dict[str, float]:
    """Losses of the heads in nats (`loss cut`, …) and shares of right first guesses (`right cut`, …)."""
    import torch

    network.eval()
    totals: defaultdict[str, float] = defaultdict(float)
    weights: defaultdict[str, int] = defaultdict(int)
    with undisturbed(), torch.no_grad():
        for number in range(batches.batches_in_epoch):
            batch = {name: table.to(next(network.parameters()).device) for name, table in batches[number].items()}
            found, size = network(**batch), len(batch["start"])
            for kind in ("losses", "right"):
                for name, value in found[kind].items():
                    key = f"{'loss' if kind == 'losses' else 'right'} {name}"
                    totals[key] += float(value) * size
                    weights[key] += size
    network.train()
    return {key: totals[key] / weights[key] for key in sorted(totals)}


def step_with_least(history: History) -> int | None:
    """The step with the least figure; `None` where there is none."""
    return min(history, key=lambda entry: entry[1])[0] if history else None


class DevJudge:
    """The loss of all heads on dev pairs; the weights that do best are kept."""

    def __init__(self, batches: SplitBatches, every: int) -> None:
        self._batches = batches
        self.every = every

    def judge(self, model: Any, step: int) -> float:
        """See `Judge.judge`."""
        found = measure(model, self._batches)
        told = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        print(f"dev at step {step:,}: {told}", flush=True)
        return sum(value for name, value in found.items() if name.startswith("loss"))

    def best(self, history: History) -> int | None:
        """See `Judge.best`."""
        return step_with_least(history)

    def is_over(self, history: History) -> bool:
        """Never: the last steps, with the rate going down, gain most."""
        return False
