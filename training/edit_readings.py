"""How far readers agree on single edits, and how well the model of which edits pass foretells readers new to it.

    python -m training.edit_readings

`training/edit_readings.jsonl.gz` holds 320 of the sentences with one edit of `judgements.jsonl.gz` (160 cuts, 160
changes, drawn at random): its text, the `chance` to pass by a model trained without its sentence
(`training.acceptance`, 8 folds), and the faults by three readers: the one of `judgements.jsonl.gz`, and two who read
later and knew nothing of it. Letters as there.
"""

from __future__ import annotations

import gzip
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from training.text_acceptance import HARMLESS

__all__ = ["READINGS", "main", "passed_by"]

READINGS = Path(__file__).with_name("edit_readings.jsonl.gz")


def passed_by(kind: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Of the edits of a kind (`cut`, `change`) the chances `[n]`, and whether each reader passed them `[n, 3]`."""
    rows = [json.loads(line) for line in gzip.decompress(READINGS.read_bytes()).decode().splitlines()]
    of_kind = [row for row in rows if row["kind"] == kind]
    passed = [[faults in HARMLESS for faults in row["faults"]] for row in of_kind]
    return np.array([row["chance"] for row in of_kind]), np.array(passed)


def main() -> None:
    """Print, for cuts and for changes, agreement of each two readers, and the model's AUC for each reader."""
    from sklearn.metrics import cohen_kappa_score, roc_auc_score

    for kind in ("cut", "change"):
        chances, passed = passed_by(kind)
        print(
            f"{kind}: {len(chances)} edits, passed by the readers: {', '.join(f'{x:.2f}' for x in passed.mean(axis=0))}"
        )
        for i, j in combinations(range(3), 2):
            one, other = passed[:, i], passed[:, j]
            agreement = f"agree on {(one == other).mean():.2f}, kappa {cohen_kappa_score(one, other):.2f}"
            print(f"    readers {i} and {j}: {agreement}; {i} as a judge of {j}: AUC {roc_auc_score(other, one):.2f}")
        areas = [roc_auc_score(passed[:, i], chances) for i in range(3)]
        print(f"    the model as a judge of each reader: AUC {', '.join(f'{x:.3f}' for x in areas)}", end="; ")
        agreed = passed.all(axis=1) | ~passed.any(axis=1)
        print(f"where all three agree ({agreed.mean():.2f}): {roc_auc_score(passed[agreed, 0], chances[agreed]):.3f}")


if __name__ == "__main__":
    main()
