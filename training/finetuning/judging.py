"""What judges of a model that is learning share: going over batches, and which figure is the best."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from training.finetuning.trainer import History

__all__ = ["EpochOfBatches", "LeastIsBest", "measuring", "step_with_least", "undisturbed"]


class EpochOfBatches(Protocol):
    """Batches of which the first so many are all examples once."""

    @property
    def batches_in_epoch(self) -> int: ...

    def __getitem__(self, number: int) -> dict[str, Any]: ...


class LeastIsBest:
    """For a judge whose figure is a loss, and that does not stop a run."""

    def best(self, history: History) -> int | None:
        """See `Judge.best`."""
        return step_with_least(history)

    def is_over(self, history: History) -> bool:
        """Never: the last steps, with the rate going down, gain most."""
        return False


def step_with_least(history: History) -> int | None:
    """The step with the least figure; `None` where there is none."""
    return min(history, key=lambda entry: entry[1])[0] if history else None


@contextlib.contextmanager
def measuring(model: Any, batches: EpochOfBatches) -> Iterator[Iterator[dict[str, Any]]]:
    """All batches of an epoch on the model's device, while it does not learn; it learns again afterwards."""
    import torch

    device = next(model.parameters()).device
    model.eval()
    with undisturbed(), torch.no_grad():
        yield (
            {name: table.to(device) for name, table in batches[number].items()}
            for number in range(batches.batches_in_epoch)
        )
    model.train()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Leaves random numbers and threads as they were, so that a judgement does not change what is learnt after it."""
    import torch

    threads, python, numpy = torch.get_num_threads(), random.getstate(), np.random.get_state()
    with torch.random.fork_rng():
        try:
            yield
        finally:
            torch.set_num_threads(threads)
            random.setstate(python)
            np.random.set_state(numpy)
