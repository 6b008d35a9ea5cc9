"""What a reader said of splits by `rewrite split` with the learned judge of splits and with the rules before it.

    python -m training.split_readings

`training/split_readings.jsonl.gz` holds 600 sentences by their place in the data folder (WikiSplit validation from row
4,001, FLORES, NTREX, TICO; none among the judged ones of `training.split_acceptance`), the different splits that the
systems made of them, and the faults that a reader found, who did not know whose a split was. Letters as there.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from training.text_acceptance import HARMLESS

__all__ = ["READINGS", "figures", "main"]

READINGS = Path(__file__).with_name("split_readings.jsonl.gz")


def figures(rows: Iterable[dict[str, Any]], system: str) -> tuple[int, int, int]:
    """How many sentences there are, how many the system split, and how many of these splits have no fault."""
    sentences = split = passed = 0
    for row in rows:
        sentences += 1
        for one in row["splits"]:
            if system in one["systems"]:
                split += 1
                passed += one["faults"] in HARMLESS
    return sentences, split, passed


def main() -> None:
    """Print a row for each system, and for each source of sentences."""
    rows = [json.loads(line) for line in gzip.decompress(READINGS.read_bytes()).decode().splitlines()]
    names = sorted({row["place"].split(":")[0] for row in rows})
    for system in ("rules, balanced", "balanced", "simple"):
        for name in ("", *names):
            sentences, split, passed = figures([row for row in rows if row["place"].startswith(name)], system)
            kept = 1 - (split - passed) / sentences
            print(
                f"{system} ({name or 'all'}): {split} of {sentences} split, {passed} ({passed / split:.0%}) without a "
                f"fault; {kept:.0%} of all outputs have none"
            )


if __name__ == "__main__":
    main()
