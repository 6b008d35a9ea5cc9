"""What a run says while it goes on, and that it stops when its loss is no number any more."""

from __future__ import annotations

import math
import time
from typing import Any, Protocol

from rewrite.errors import RewriteError
from training.clock import duration

__all__ = ["Batches", "Meter", "line"]


def line(step: int, steps: int, logs: dict[str, Any], speed: float, left: float) -> str:
    """One line of progress; `speed` in tokens a second, `left` in seconds."""
    share = f"{100 * step / steps:.1f} %"
    rate = f"{logs.get('learning_rate', 0.0):.2e}"
    figures = f"loss {logs['loss']:.4f}, rate {rate}, {speed:,.0f} tokens/s"
    return f"step {step:,}/{steps:,} ({share}), {figures}, {duration(left)} left"


class Batches(Protocol):
    """A dataset whose k-th item is the k-th batch of a run that has so many `updates`."""

    updates: int

    def __len__(self) -> int: ...

    def __getitem__(self, number: int) -> dict[str, Any]: ...

    def tokens_in(self, first: int, end: int) -> int:
        """Tokens of the batches from number `first` to before `end`, padding left out."""
        ...


class Meter:
    """Tokens and time from one line to the next; `pause`s, for checkpoints and dev, do not count."""

    def __init__(self, batches: Batches, accumulate: int) -> None:
        self._batches = batches
        self._accumulate = accumulate
        self._begun = self._since = time.monotonic()
        self._first = self._last = 0

    def begin(self, step: int) -> None:
        """The run starts, or goes on, after `step` updates."""
        self._begun = self._since = time.monotonic()
        self._first = self._last = step

    def pause(self, seconds: float) -> None:
        """Leave so many seconds out of the speed."""
        self._since += seconds

    def report(self, step: int, steps: int, logs: dict[str, Any]) -> str:
        """The line for `step`. Raises `RewriteError` where the loss is no number."""
        if not math.isfinite(logs["loss"]):
            raise RewriteError(
                f"The loss is {logs['loss']} at step {step:,}: the weights are spoilt.",
                hint="Lower learning_rate or clip, raise warmup, or take precision: fp32; then start with --restart.",
            )
        now = time.monotonic()
        tokens = self._batches.tokens_in(self._last * self._accumulate, step * self._accumulate)
        speed = tokens / max(now - self._since, 1e-9)
        left = (now - self._begun) / max(step - self._first, 1) * (steps - step)
        self._since, self._last = now, step
        return line(step, steps, logs, speed, left)
