"""The curve of Figure 3: how well metrics follow people's scores on pairs that share more and more of their words."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.ndd.distance import Ndd
from rerank.types import FloatArray
from rewrite.datasets import data_folder, read_text
from rewrite.errors import BadInput
from training.papers.probes.metrics import METRICS, Metrics, overlap_ratio, pearson
from training.papers.probes.report import Cell, ProbeReport, Table, drawn, masked_model, run_signature

PARTS = ("train", "dev", "test")
_HIGHEST = 5.0
RATIOS = tuple(step / 10 for step in range(11))
"""The points of the curve: pairs with a higher ratio than that; for 1, with that ratio."""
_NOTES = (
    "r: pairs that share more than that part of the shorter sentence's words; at 1, all of them.",
    "The paper prints no numbers in Figure 3; of its text: S_C drops, to below 0 for r > 0.8, NDD rises with r, and",
    "their ensemble is better than either for r up to 0.8.",
)


@dataclass(frozen=True, slots=True)
class RatedPair:
    """Two sentences and how alike people found them, in [0, 5]."""

    first: str
    second: str
    score: float


def stsb_file(data: str | None, part: str) -> Path:
    """The English file of `part`: `data` itself, or stsb-en-PART.csv in that folder or its folder stsb.

    Without `data` the folder is what REWRITE_DATA names. Raises `BadInput` where there is no such file.
    """
    if data is not None and Path(data).is_file():
        return Path(data)
    folder = data_folder(data)
    name = f"stsb-en-{part}.csv"
    for path in (folder / name, folder / "stsb" / name):
        if path.is_file():
            return path
    raise BadInput(f"There is no {name} in {str(folder)!r}.", hint="Give --data a folder that has it, or the file.")


def load_stsb(path: Path) -> list[RatedPair]:
    """The pairs of a CSV file `sentence,sentence,score` without a header. Raises `BadInput` with file and line."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    pairs = []
    try:
        for row in filter(None, reader):
            match [field.strip() for field in row]:
                case [first, second, score] if first and second and _is_score(score):
                    pairs.append(RatedPair(first, second, float(score)))
                case _:
                    reason = f"{','.join(row)[:60]!r} is no two sentences and a score from 0 to 5"
                    raise BadInput(f"{path}, line {reader.line_num}: {reason}.", hint="Is this STS-B?")
    except csv.Error as error:
        raise BadInput(f"{path}, line {reader.line_num}: {error}.", hint="Is this a CSV file?") from error
    if not pairs:
        raise BadInput(f"{path}: no pairs in it.", hint="A row is two sentences and a score.")
    return pairs


def _is_score(text: str) -> bool:
    try:
        return 0 <= float(text) <= _HIGHEST
    except ValueError:
        return False


def sentences_of(pairs: list[RatedPair]) -> list[str]:
    """All different sentences, in their order."""
    return list(dict.fromkeys(text for pair in pairs for text in (pair.first, pair.second)))


def curve(ratios: FloatArray, values: Mapping[str, FloatArray], scores: FloatArray) -> Table:
    """Pearson's correlation · 100 of each metric's `values` with `scores` at each of `RATIOS`; all `[pairs]`.

    The first row is of all pairs, those without a common word among them.
    """
    metrics = [name for name in METRICS if name in values and np.isfinite(values[name]).all()]
    rows: list[list[Cell]] = []
    for ratio in (None, *RATIOS):
        chosen = _chosen(ratios, ratio)
        figures = [pearson(values[name][chosen], scores[chosen]) for name in metrics]
        rows.append(["all" if ratio is None else f"{ratio:.1f}", int(chosen.sum()), *figures])
    return Table("Figure 3: Pearson's correlation · 100 by overlap", ("r", "pairs", *metrics), rows)


def _chosen(ratios: FloatArray, above: float | None) -> Any:
    # Ratios are of whole numbers of words; rounding must not take 8 of 10 for more than 0.8.
    if above is None:
        return np.ones(len(ratios), dtype=bool)
    return ratios >= 1.0 - 1e-9 if above >= 1.0 else ratios > above + 1e-9


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    path = stsb_file(given.data, given.part)
    pairs = drawn(load_stsb(path), given.limit, given.seed)
    model = masked_model(given.masked_model, device=given.device)
    metrics = Metrics(model, spec=given.masked_model, device=given.device)
    texts = [(pair.first, pair.second) for pair in pairs]
    fits = metrics.fitting(texts)
    kept = [pair for pair, fit in zip(texts, fits, strict=True) if fit]
    if not kept:
        raise BadInput(f"{path}: every pair is longer than the model's window.", hint="Give another model.")
    scores = np.array([pair.score for pair in pairs], dtype=np.float64)[np.array(fits)]
    table = curve(_ratios(Ndd(model), kept), metrics.similarities(kept, "overlap"), scores)
    settings = {"data": path.name, "limit": given.limit, "seed": given.seed}
    return ProbeReport([table], _NOTES, run_signature("overlap", model, settings))


def _ratios(ndd: Ndd, pairs: Sequence[tuple[str, str]]) -> FloatArray:
    return np.array([overlap_ratio(ndd, first, second) for first, second in pairs], dtype=np.float64)
