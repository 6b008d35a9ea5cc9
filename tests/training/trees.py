"""A recipe for a parser that learns from a made-up treebank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.training.heads import write_section
from tests.training.test_english_parser import treebank
from training.recipe import Run, load_recipe

__all__ = ["open_trees", "write_trees_recipe"]


def write_trees_recipe(folder: Path, encoder: Path, **changed: Any) -> Path:
    """A recipe that learns forty sentences of two documents, with a third one to look at."""
    treebank(folder / "one.conllu", {"a": 30, "b": 10, "held": 5})
    treebank(folder / "dev.conllu", {"held": 5})
    parser = {
        "name": "tiny",
        "summary": "A test.",
        "licence": "CC0",
        "train": [{"files": str(folder / "o*.conllu"), "what": "A treebank", "licence": "CC BY 4.0"}],
        "dev": str(folder / "dev.conllu"),
    }
    (folder / "treebanks.yaml").write_text(yaml.safe_dump(parser), encoding="utf-8")
    trees: dict[str, Any] = {
        "encoder": str(encoder),
        "treebanks": str(folder / "treebanks.yaml"),
        "steps": 60,
        "learning_rate": 3e-3,
        "warmup": 4,
        "save_every": 15,
        "log_every": 30,
        "judge_every": 30,
    }
    return write_section(folder, "trees-tiny", "trees", {**trees, **changed})


def open_trees(folder: Path, out: Path, encoder: Path, data: Path | None = None, **changed: Any) -> Run:
    """The run of `write_trees_recipe`."""
    return Run(load_recipe(write_trees_recipe(folder, encoder, **changed)), out, str(data) if data else None)
