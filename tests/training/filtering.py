"""Pairs to filter, and runs on them, for the tests of the step filter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from training.filtering.run import PAIRS, Job
from training.filtering.thresholds import FilterOptions

__all__ = ["english", "kept", "make_job"]


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


def make_job(folder: Path, text: str, *, out: str = "out", language: str = "en", **options: Any) -> Job:
    path = folder / "pairs.tsv"
    path.write_text(text, encoding="utf-8")
    given = FilterOptions.model_validate({"pairs": str(path), "jobs": 1, **options})
    return Job(given, folder / out, "test", language)


def kept(job: Job) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (job.out / PAIRS).read_text(encoding="utf-8").splitlines()]
