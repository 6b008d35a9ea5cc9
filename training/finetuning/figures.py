"""What a run is worth, in a file: the figures on dev beside those of baselines, and what was read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rewrite.datasets import Example
from training.disk import write_text
from training.finetuning.dev import baselines
from training.finetuning.options import FinetuneOptions
from training.finetuning.texts import PairCounts

__all__ = ["figures", "write_figures"]


def figures(
    options: FinetuneOptions,
    state: Mapping[str, Any],
    *,
    name: str,
    seed: int,
    best: int,
    counts: PairCounts,
    examples: Sequence[Example],
) -> dict[str, Any]:
    """All that is told of a run: `state` is the Trainer's at its end, `best` the step whose weights were kept."""
    logs = state["log_history"]
    trained = [(entry["step"], entry["loss"]) for entry in logs if "loss" in entry]
    found: dict[str, Any] = {
        "name": name,
        "seed": seed,
        "steps": state["global_step"],
        "kept": best,
        "last_loss": trained[-1][1] if trained else None,
        "pairs": asdict(counts),
    }
    if options.dev is not None:
        history = {str(entry["step"]): round(entry["dev"], 4) for entry in logs if "dev" in entry}
        found["dev"] = {"metric": options.dev.metric, "best": history.get(str(best)), "by_step": history}
        if options.dev.metric == "sari":
            found["dev"] |= {"sources": len(examples), "n": options.dev.n, "preset": options.dev.preset}
            found["dev"]["baselines"] = baselines(examples)
    return found


def write_figures(path: Path, found: Mapping[str, Any]) -> None:
    """Write them, all or nothing. Raises `CannotWrite`."""
    write_text(path, json.dumps(found, ensure_ascii=False, indent=1) + "\n")
