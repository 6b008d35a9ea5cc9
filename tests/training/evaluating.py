"""A recipe for an evaluator that learns from a small data folder, and its run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.training.heads import write_section
from training.recipe import Run, load_recipe

__all__ = ["open_evaluator", "write_evaluator_recipe"]

_OUTPUTS = {"quality": ["word-replacement", "cross-pair"], "grammar": ["word-replacement"]}


def write_evaluator_recipe(folder: Path, base: str, **changed: Any) -> Path:
    """A recipe that learns from `tests.training.splitting.write_data` for a few steps."""
    values: dict[str, Any] = {
        "encoder": base,
        "positives": {"wikisplit-tune": 60},
        "outputs": _OUTPUTS,
        "alone": {"grammar": 0.4},
        "window": 96,
        "dev": 8,
        "steps": 80,
        "learning_rate": 2e-3,
        "warmup": 4,
        "save_every": 20,
        "log_every": 40,
        "judge_every": 40,
        **changed,
    }
    if "epochs" in changed:
        del values["steps"]
    return write_section(folder, "evaluator-tiny", "evaluator", values)


def open_evaluator(folder: Path, out: Path, data: Path, base: str, **changed: Any) -> Run:
    """The run of `write_evaluator_recipe`, on the encoder that a recipe would name `base`."""
    return Run(load_recipe(write_evaluator_recipe(folder, base, **changed)), out, str(data))
