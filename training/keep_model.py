"""Train the keep model of the `edits` generator on RuSimpleSentEval dev.

    python -m training.keep_model --data ../shared/data --out rewrite/models/edits_ru.npz

The target of a word is the share of the references of its sentence that contain it, in any place and the same form.
With `--exclude-fold K` the sources of fold K (of five, by a seeded shuffle) are left out: that is how every
cross-validated figure is made.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.analysis import Analyzer
from rerank.morphology import Morphology
from rerank.types import FloatArray
from rewrite.datasets import load_rsse
from rewrite.generators.edits.boosting import Boosting
from rewrite.generators.edits.features import token_features
from rewrite.generators.edits.model import KeepModel
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["FOLDS", "fold_of", "train_keep_model"]

FOLDS = 5
_DIMENSIONS = 24
_WORDS_FOR_PROJECTION = 60_000
_WORD = re.compile(r"\w+")


def fold_of(count: int, *, seed: int = 0) -> npt.NDArray[np.int64]:
    """Fold number of each of `count` sources, equal in size, by a seeded shuffle."""
    folds: npt.NDArray[np.int64] = np.random.default_rng(seed).permutation(count) % FOLDS
    return folds


def kept_share(words: Sequence[str], references: Sequence[str]) -> FloatArray:
    """Share of the references that contain each word, shape `[n_words]`."""
    found = [frozenset(_WORD.findall(r.lower())) for r in references]
    return np.array([np.mean([w.lower() in f for f in found]) for w in words])


def word_projection(navec: Any) -> FloatArray:
    """Principal directions of the vectors of frequent words, shape `[300, 24]`."""
    words = navec.vocab.words[:_WORDS_FOR_PROJECTION:3]
    vectors = np.array([navec[w] for w in words])
    _, _, directions = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    projection: FloatArray = directions[:_DIMENSIONS].T.astype(np.float16).astype(np.float64)
    return projection


def training_rows(
    analyzer: Analyzer, sources: Sequence[str], references: Sequence[Sequence[str]], projection: FloatArray
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.int64]]:
    """Features, targets and source numbers of all words of `sources`; punctuation is left out."""
    valency = Valency(Morphology())
    features, targets, numbers = [], [], []
    analyses = analyzer.analyze(sources, ("morph", "syntax", "entities"))
    for number, (analysis, refs) in enumerate(zip(analyses, references, strict=True)):
        for sentence in analysis.sentences:
            tree = Tree(sentence, analysis.entities)
            words = np.array([t.pos != "PUNCT" for t in tree.tokens])
            features.append(token_features([tree], valency, analyzer.navec, projection)[words])
            targets.append(kept_share([t.text for t in tree.tokens], refs)[words])
            numbers.append(np.full(int(words.sum()), number))
    return np.vstack(features), np.concatenate(targets), np.concatenate(numbers)


def fit(features: FloatArray, targets: FloatArray) -> Boosting:
    """Least-squares boosting with scikit-learn, stored in plain arrays."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(
        max_iter=300, learning_rate=0.04, max_leaf_nodes=15, l2_regularization=5, min_samples_leaf=40, random_state=0
    )
    model.fit(features.astype(np.float32), targets)
    trees = [stage[0].nodes for stage in model._predictors]
    size = max(len(t) for t in trees)
    shape = (len(trees), size)
    feature, left, right = (np.zeros(shape, dtype=np.int16) for _ in range(3))
    threshold, value = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    left[:], right[:] = np.arange(size), np.arange(size)
    for i, nodes in enumerate(trees):
        inner = nodes["is_leaf"] == 0
        at = np.flatnonzero(inner)
        feature[i, at] = nodes["feature_idx"][inner]
        threshold[i, at] = _below(nodes["num_threshold"][inner])
        left[i, at] = nodes["left"][inner]
        right[i, at] = nodes["right"][inner]
        value[i, : len(nodes)] = np.where(inner, 0.0, nodes["value"])
    depth = max(int(t["depth"].max()) for t in trees)
    return Boosting(feature, threshold, left, right, value, float(model._baseline_prediction.ravel()[0]), depth)


def _below(thresholds: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    # Rounding to float32 must not move a threshold past the float32 feature values on its left.
    rounded = thresholds.astype(np.float32)
    return np.where(rounded > thresholds, np.nextafter(rounded, np.float32(-np.inf)), rounded)


def train_keep_model(
    analyzer: Analyzer, sources: Sequence[str], references: Sequence[Sequence[str]], *, without: Collection[int] = ()
) -> KeepModel:
    """A keep model from all sources but those numbered in `without`."""
    chosen = [i for i in range(len(sources)) if i not in set(without)]
    projection = word_projection(analyzer.navec)
    features, targets, _ = training_rows(
        analyzer, [sources[i] for i in chosen], [references[i] for i in chosen], projection
    )
    return KeepModel(trees=fit(features, targets), projection=projection)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with rsse/dev_sents.csv")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--exclude-fold", type=int, choices=range(FOLDS))
    options = parser.parse_args()
    items = load_rsse(options.data / "rsse" / "dev_sents.csv")
    sources = [item.source for item in items]
    without = np.flatnonzero(fold_of(len(sources)) == options.exclude_fold) if options.exclude_fold is not None else ()
    model = train_keep_model(Analyzer(), sources, [item.references for item in items], without=without)
    model.save(options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.2f} MB, {len(sources) - len(without)} sources")


if __name__ == "__main__":
    main()
