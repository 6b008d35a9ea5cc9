"""Pairs to filter, and runs on them, for the tests of the step filter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from training.filtering.run import PAIRS, run_filter
from training.filtering.thresholds import FilterOptions
from training.recipe import Recipe, Run

__all__ = ["english", "kept", "make_run", "start"]


def english(count: int) -> str:
    """Rows of TSV without a model to load: kept, copies, duplicates, malformed, in another language."""
    rows = []
    for i in range(count):
        source = f"The {i}th house on the long street was built by a family that came from the north."
        target = (f"A family from the north built house {i}.", source, "Дом построили.")[
            (i % 7 == 1) + 2 * (i % 7 == 2)
        ]
        rows += [
            f"{source}\t{target}",
            *([f"{source}\t{target}"] if i % 5 == 0 else []),
            *(["?"] if i % 100 == 3 else []),
        ]
    return "\n".join(rows) + "\n"


def make_run(folder: Path, text: str, *, out: str = "out", language: str = "en", **options: Any) -> Run:
    path = folder / "pairs.tsv"
    path.write_text(text, encoding="utf-8")
    section = {"pairs": str(path), "jobs": 1, **options}
    recipe = Recipe.model_validate({"name": "test", "language": language, "filter": section})
    return Run(recipe, folder / out)


def start(run: Run, *, restart: bool = False) -> dict[str, Any]:
    options = run.recipe.filter
    assert isinstance(options, FilterOptions)
    return run_filter(run, options, restart=restart)


def kept(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run.out / PAIRS).read_text(encoding="utf-8").splitlines()]
