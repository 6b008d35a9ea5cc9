"""The curve of Figure 3: how well metrics follow people's scores on pairs that share more and more of their words."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rerank.ndd.distance import Ndd
from rerank.types import FloatArray
from rewrite.errors import BadInput, CannotWrite, MissingExtra
from training.papers.probes.metrics import METRICS, Metrics, overlap_ratio, pearson
from training.papers.probes.models import drawn, masked_model, run_signature
from training.papers.probes.progress import Progress
from training.papers.probes.report import Cell, Probe, ProbeReport, Table
from training.papers.probes.sensitivity import add_data_arguments
from training.papers.probes.stsb import load_stsb, stsb_file

__all__ = ["PROBE", "RATIOS", "curve", "draw_curve", "run"]

RATIOS = tuple(step / 10 for step in range(11))
"""The points of the curve: pairs with a higher ratio than that; for 1, with that ratio."""

_NOTES = (
    "r: pairs that share more than that part of the shorter sentence's words; at 1, all of them.",
    "The paper prints no numbers in Figure 3; of its text: S_C drops, to below 0 for r > 0.8, NDD rises with r, and",
    "their ensemble is better than either for r up to 0.8.",
)


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


def draw_curve(table: Table, path: Path) -> None:
    """Writes what `curve` found as a PNG. Raises `MissingExtra` without matplotlib, `CannotWrite`."""
    figure, axes = _pyplot().subplots(figsize=(7, 4.5), dpi=120, layout="constrained")
    rows = [row for row in table.rows if row[0] != "all"]
    for column, name in enumerate(table.head[2:], 2):
        # An ensemble may lie on one of its parts.
        style = "--" if "+" in name else "-"
        points = [float(str(row[0])) for row in rows]
        axes.plot(points, [row[column] for row in rows], style, marker="o", label=name)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("ratio of overlapped words r")
    axes.set_ylabel("Pearson's correlation · 100")
    axes.legend()
    try:
        # Without the library's version in the file, the same curve makes the same bytes.
        figure.savefig(path, format="png", metadata={"Software": None})
    except OSError as error:
        raise CannotWrite(f"{path}: {error.strerror or error}.", hint="Check --png.") from error
    finally:
        _pyplot().close(figure)


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingExtra("The curve needs matplotlib.", hint="Run: pip install 'rewrite-rerank[plots]'") from None
    matplotlib.use("Agg")  # no window, wherever it runs
    from matplotlib import pyplot

    return pyplot


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for; writes the PNG where one is named."""
    if given.png is not None:
        _pyplot()  # told now, not after all has been measured
        if not given.png.resolve().parent.is_dir():
            raise CannotWrite(f"{given.png}: there is no such folder.", hint="Check --png.")
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
    table = curve(_ratios(Ndd(model), kept), metrics.similarities(kept, Progress("overlap", len(kept))), scores)
    if given.png is not None:
        draw_curve(table, given.png)
    settings = {"data": path.name, "limit": given.limit, "seed": given.seed}
    return ProbeReport([table], _NOTES, run_signature("overlap", model, settings))


def _ratios(ndd: Ndd, pairs: Sequence[tuple[str, str]]) -> FloatArray:
    return np.array([overlap_ratio(ndd, first, second) for first, second in pairs], dtype=np.float64)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_arguments(parser)
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw the curve there (needs the extra plots)")


PROBE = Probe("overlap", "Figure 3: metrics by the ratio of overlapped words, on STS-B.", _add_arguments, run)
