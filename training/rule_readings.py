"""What each group of rules of the generator `edits` is worth, by readers' verdicts on what came out with and without.

    python -m training.rule_readings

`training/rule_readings.jsonl.gz` holds 300 sentences of news, wiki and documents, from which no rule and no model of
edits was learnt, what `edits-lm` with the preset `clear` made of each, by group of rules that was left out (`full`:
none), and the faults that two readers found in each text, who did not know whose it was, where groups differ. Then
those of 2,000 more on which `edits` with `clear` does otherwise without plainer constructions, and which of the two
each reader would rather print. Letters as in `training.fresh_readings`; an unchanged source counts as no simpler.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

__all__ = ["READINGS", "compared", "main"]

READINGS = Path(__file__).with_name("rule_readings.jsonl.gz")
_FAULTS = frozenset("wfp")


def compared(rows: list[dict[str, Any]], group: str, reader: int) -> dict[str, tuple[int, int]]:
    """Of the outputs that differ without `group`: how many with it and without it are faultless, simpler, and both."""
    counts = {"differ": [0, 0], "faultless": [0, 0], "simpler": [0, 0], "both": [0, 0], "better": [0, 0]}
    for row in rows:
        if group not in row["outputs"]:
            continue
        outputs = row["outputs"]["full"], row["outputs"][group]
        if outputs[0] == outputs[1]:
            continue
        for i, text in enumerate(outputs):
            faults = set("n" if text == row["source"] else row["faults"][text][reader])
            counts["differ"][i] += 1
            counts["faultless"][i] += not faults & _FAULTS
            counts["simpler"][i] += "n" not in faults
            counts["both"][i] += not faults
            counts["better"][i] += row.get("better", {reader: ""})[reader] == ("full", group)[i]
    return {name: (a, b) for name, (a, b) in counts.items()}


def main() -> None:
    """Print a row for each group."""
    rows = [json.loads(line) for line in gzip.decompress(READINGS.read_bytes()).decode().splitlines()]
    print("left out: outputs that differ; by each reader with → without: faultless, simpler, both, better where asked")
    for group in (name for name in rows[0]["outputs"] if name != "full"):
        readers = [compared(rows, group, reader) for reader in (0, 1)]
        shown = "; ".join(
            ", ".join(f"{with_it} → {without}" for with_it, without in list(counts.values())[1:]) for counts in readers
        )
        print(f"{group}: {readers[0]['differ'][0]}; {shown}")


if __name__ == "__main__":
    main()
