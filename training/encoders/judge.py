"""How a network on a small encoder does on dev examples while it learns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from training.finetuning.judging import LeastIsBest

__all__ = ["DevJudge"]

Figures = Mapping[str, float]


class DevJudge(LeastIsBest):
    """Has dev examples measured and tells all figures; `loss` makes one of them, and the weights with the least win."""

    def __init__(self, measure: Callable[[Any], Figures], loss: Callable[[Figures], float], every: int) -> None:
        self._measure, self._loss = measure, loss
        self.every = every

    def judge(self, model: Any, step: int) -> float:
        """See `Judge.judge`."""
        found = self._measure(model)
        print(f"dev at step {step:,}: {', '.join(f'{name} {value:.3f}' for name, value in found.items())}", flush=True)
        return self._loss(found)
