"""A recipe for a judge of whole sentences that learns from a small data folder, and its packed folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.training.heads import write_section
from tests.training.splitting import write_encoder
from training.heads.encoder import pack_network
from training.recipe import Run, load_recipe
from training.whole.network import new_network

__all__ = ["open_whole", "write_judge", "write_whole_recipe"]


def write_whole_recipe(folder: Path, encoder: Path, **changed: Any) -> Path:
    """A recipe that learns from `tests.training.splitting.write_data` for a few steps."""
    whole: dict[str, Any] = {
        "encoder": str(encoder),
        "pairs": {"wikisplit-tune": 60},
        "dev": 30,
        "steps": 60,
        "learning_rate": 2e-3,
        "warmup": 4,
        "save_every": 15,
        "log_every": 30,
        "judge_every": 30,
    }
    return write_section(folder, "whole-tiny", "whole", {**whole, **changed})


def open_whole(folder: Path, out: Path, data: Path, encoder: Path, **changed: Any) -> Run:
    """The run of `write_whole_recipe`."""
    return Run(load_recipe(write_whole_recipe(folder, encoder, **changed)), out, str(data))


def write_judge(folder: Path, *, window: int = 122) -> Path:
    """A packed judge with random weights, which runs as a trained one does."""
    import torch

    encoder = write_encoder(folder / "encoder", window=window)
    torch.manual_seed(0)
    network = new_network(encoder, 0.0)
    pack_network(network, encoder, folder / "judge", name="untaught")
    return folder / "judge"
