"""The pairs by hand of `training/evaluating`; nothing is learnt from them."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from training import evaluating


@dataclass(frozen=True, slots=True)
class Contrast:
    """A source, a rewrite that is right, and one with a fault of a kind, written by hand."""

    kind: str
    source: str
    good: str
    bad: str


def contrasts(language: str) -> list[Contrast]:
    """The pairs by hand of a language, `en` or `ru`, in the order of their file."""
    path = Path(evaluating.__file__).parent / f"contrasts_{language}.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return [Contrast(*row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
