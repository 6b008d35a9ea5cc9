"""Fits and measures the embedded encoders' calibration: on ParaPhraser, and in English on STS-B train.

    python -m training.calibrate_similarity [--lang en] [DATA FOLDER]

Prints the correlation with the annotators' classes (−1 different, 0 close, 1 the same; STS-B's 0 to 5 are scaled to
that), raw and cross-validated, then the constants for `rerank/encoders/word_vectors.py`.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rerank.encoders.word_vectors import NavecEncoder, PieceEncoder, WordEncoder
from rerank.english import EnglishAnalyzer
from rerank.similarity import cosines
from rerank.types import FloatArray
from rewrite.datasets import data_folder, load_stsb
from training.command import command_line

_BINS = 12
_FOLDS = 5

Pairs = tuple[list[str], list[str], FloatArray]


def read_pairs(path: Path) -> Pairs:
    """First texts, second texts and classes of the ParaPhraser file `paraphrases.xml`."""
    # The file declares its encoding as "UTF8", which expat does not know by that name.
    root = ElementTree.parse(path, ElementTree.XMLParser(encoding="utf-8")).getroot()
    rows = [{value.get("name"): value.text or "" for value in pair} for pair in root.iter("paraphrase")]
    classes = np.array([float(row["class"]) for row in rows])
    return [row["text_1"] for row in rows], [row["text_2"] for row in rows], classes


def read_stsb(path: Path) -> Pairs:
    """First texts, second texts and classes of a file of STS-B. Raises `BadInput`."""
    rated = load_stsb(path)
    return [p.first for p in rated], [p.second for p in rated], np.array([p.score / 2.5 - 1 for p in rated])


def correlations(values: FloatArray, classes: FloatArray) -> tuple[float, float]:
    """Pearson's and Spearman's correlation."""
    from scipy.stats import pearsonr, spearmanr

    return float(pearsonr(values, classes).statistic), float(spearmanr(values, classes).statistic)


def fit(cosine: FloatArray, classes: FloatArray, *, bins: int = _BINS) -> tuple[FloatArray, FloatArray]:
    """Knots of a monotone piecewise linear map from cosines to (class + 1)/2, from (0, 0) to (1, 1).

    The knots are the means of equally filled bins, raised where needed to keep the map from falling.
    """
    order = np.array_split(np.argsort(cosine), bins)
    x = np.array([0.0, *(cosine[part].mean() for part in order), 1.0])
    y = np.array([0.0, *((classes[part].mean() + 1) / 2 for part in order), 1.0])
    kept = np.concatenate(([True], np.diff(x) > 1e-6)) & (x >= 0.0)
    return x[kept], np.clip(np.maximum.accumulate(y[kept]), 0.0, 1.0)


def cross_validated(cosine: FloatArray, classes: FloatArray) -> FloatArray:
    """Calibrated values, each from the map fitted on the folds that it is not in."""
    fold = np.random.default_rng(0).integers(_FOLDS, size=len(classes))
    values = np.empty_like(cosine)
    for k in range(_FOLDS):
        x, y = fit(cosine[fold != k], classes[fold != k])
        values[fold == k] = np.interp(cosine[fold == k], x, y)
    return values


def main(arguments: Sequence[str]) -> None:
    """Read the options, fit and print."""
    parser = command_line("calibrate_similarity", __doc__)
    parser.add_argument("folder", nargs="?", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--lang", choices=("ru", "en"), default="ru")
    given = parser.parse_args(arguments)
    folder = data_folder(given.folder)
    encoder: WordEncoder
    if given.lang == "en":
        left, right, classes = read_stsb(folder / "stsb" / "stsb-en-train.csv")
        encoder = PieceEncoder(EnglishAnalyzer())
    else:
        left, right, classes = read_pairs(folder / "paraphraser_ru" / "paraphrases.xml")
        encoder = NavecEncoder()
    cosine = cosines(encoder.encode(left), encoder.encode(right))
    print(f"{len(classes)} pairs")
    for name, values in (("raw cosine", cosine), (f"calibrated, {_FOLDS}-fold", cross_validated(cosine, classes))):
        pearson, spearman = correlations(values, classes)
        print(f"{name:24} Pearson {pearson:.4f}  Spearman {spearman:.4f}")
    x, y = fit(cosine, classes)
    print("_COSINES =", tuple(round(float(v), 3) for v in x))
    print("_SIMILARITIES =", tuple(round(float(v), 3) for v in y))


if __name__ == "__main__":
    main(sys.argv[1:])
