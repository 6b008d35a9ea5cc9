"""A network that begins with the weights of an earlier run, whose openers and sets may have been others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewrite.errors import ModelNotFound
from rewrite.splitting.model import OPENERS
from training.finetuning.checkpoints import find_checkpoints
from training.finetuning.judging import step_with_least
from training.finetuning.trainer import best_checkpoint

__all__ = ["begin_with"]

_STYLE = "style.weight"
_BY_OPENER = ("opening_out.weight", "opening_out.bias")


def begin_with(network: Any, openers: Sequence[tuple[str, ...]], run: Path) -> None:
    """Give `network`, which has these `openers`, the weights that the run in the folder `run` has packed.

    An opener that the run did not have keeps its random weights; all styles begin as the run's first, which is that of
    its packed model. Raises `ModelNotFound` where the folder holds no run that is over, or one of another network.
    """
    from safetensors.torch import load_file

    checkpoints, list_of_openers = run / "splitter" / "checkpoints", run / "model" / OPENERS
    if not find_checkpoints(checkpoints) or not list_of_openers.is_file():
        raise ModelNotFound(
            f"{str(run)!r} holds no run of a splitter that is over.", hint="Run: python -m training.splitter"
        )
    best, _ = best_checkpoint(checkpoints, step_with_least)
    earlier = load_file(best / "model.safetensors")
    known = [tuple(parts) for parts in json.loads(list_of_openers.read_text(encoding="utf-8"))]
    state = network.state_dict()
    rows = [(new, known.index(opener)) for new, opener in enumerate(openers) if opener in known]
    for name in _BY_OPENER:
        for new, old in rows:
            state[name][new] = earlier[name][old]
        earlier[name] = state[name]
    earlier[_STYLE] = earlier[_STYLE][:1].expand_as(state[_STYLE])
    try:
        network.load_state_dict(earlier)
    except RuntimeError as error:
        told = f"{str(best)!r} is of another network."
        raise ModelNotFound(told, hint="Give a run with an encoder of the same size.") from error
