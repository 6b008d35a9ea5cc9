"""Trees that learn what readers passed: folds over sentences, calibration, how well they tell good from bad."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray
from rewrite.forest import TreeAcceptance, Trees

_FOLDS = 10
_TREES, _LEAF = 150, 3
Passed = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class JudgedTexts:
    """Judged rewrites of one sentence: features `[n, k]`, whether each passed `[n]`, and what made them.

    A sentence of which there are several says so by its `source`.
    """

    features: FloatArray
    passed: Passed
    model: str = ""
    source: str = ""


class Predicting(Protocol):
    """A model of features `[n, k]` → `[n]`."""

    def predict(self, features: FloatArray) -> FloatArray: ...


def folds_of(count: int, folds: int, seed: int = 0) -> npt.NDArray[np.int64]:
    """Fold number of each of `count` sources, equal in size, by a seeded shuffle."""
    numbers: npt.NDArray[np.int64] = np.random.default_rng(seed).permutation(count) % folds
    return numbers


def train_forest(names: tuple[str, ...], judged: Sequence[JudgedTexts]) -> TreeAcceptance:
    """A forest from judged texts; calibrated on what forests say that have not seen the sentence, which is printed."""
    from sklearn.linear_model import LogisticRegression

    passed = np.concatenate([texts.passed for texts in judged])
    shares = np.concatenate(across_folds(judged, _forest, _FOLDS)).clip(1e-3, 1 - 1e-3)
    logits = np.log(shares / (1 - shares))[:, None]
    line = LogisticRegression(C=1e3).fit(logits, passed)
    print_groups(line.predict_proba(logits)[:, 1], passed, {f"{len(judged)} sentences": np.full(len(passed), True)})
    return TreeAcceptance(names, _forest(judged), (float(line.coef_[0, 0]), float(line.intercept_[0])))


def across_folds(
    judged: Sequence[JudgedTexts], train: Callable[[Sequence[JudgedTexts]], Predicting], folds: int
) -> list[FloatArray]:
    """For each sentence what a model says of its texts that was trained on those of other sentences."""
    numbers: dict[str | int, int] = {}
    fold = [numbers.setdefault(texts.source or i, len(numbers)) % folds for i, texts in enumerate(judged)]
    predictions: list[FloatArray] = [np.zeros(0)] * len(judged)
    for k in range(folds):
        model = train([texts for texts, fold_of_texts in zip(judged, fold, strict=True) if fold_of_texts != k])
        for i, texts in enumerate(judged):
            if fold[i] == k:
                predictions[i] = model.predict(texts.features)
    return predictions


def _forest(judged: Sequence[JudgedTexts]) -> Trees:
    features, passed = np.vstack([t.features for t in judged]), np.concatenate([t.passed for t in judged])
    return grow(features, passed, trees=_TREES, leaf=_LEAF)


def grow(features: FloatArray, passed: Passed, *, trees: int, leaf: int, tried: float | str = "sqrt") -> Trees:
    """Extremely randomised trees, each with its share of the mean; a leaf holds `leaf` rows or more.

    `tried` is how many of the features a split chooses from, or their share.
    """
    from sklearn.ensemble import ExtraTreesClassifier

    model = ExtraTreesClassifier(trees, min_samples_leaf=leaf, max_features=tried, random_state=0)
    model.fit(features, passed)
    grown: list[Any] = [estimator.tree_ for estimator in model.estimators_]
    shape = len(grown), max(tree.node_count for tree in grown)
    feature, left, right = (np.zeros(shape, dtype=np.int16) for _ in range(3))
    threshold, value = (np.zeros(shape, dtype=np.float32) for _ in range(2))
    left[:], right[:] = np.arange(shape[1]), np.arange(shape[1])
    for k, tree in enumerate(grown):
        n = tree.node_count
        is_leaf = tree.children_left < 0
        node = np.arange(n)
        feature[k, :n] = np.where(is_leaf, 0, tree.feature)
        threshold[k, :n] = tree.threshold
        left[k, :n] = np.where(is_leaf, node, tree.children_left)
        right[k, :n] = np.where(is_leaf, node, tree.children_right)
        counts = tree.value[:, 0, :]
        value[k, :n] = counts[:, -1] / counts.sum(axis=1) / len(grown)
    return Trees(feature, threshold, left, right, value, 0.0, max(tree.max_depth for tree in grown))


def in_arrays(model: Any) -> Trees:
    """scikit-learn's histogram-boosted trees in plain arrays."""
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
    return Trees(feature, threshold, left, right, value, float(model._baseline_prediction.ravel()[0]), depth)


def _below(thresholds: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    # Rounding to float32 must not move a threshold past the float32 feature values on its left.
    rounded = thresholds.astype(np.float32)
    return np.where(rounded > thresholds, np.nextafter(rounded, np.float32(-np.inf)), rounded)


def report_by_model(judged: Sequence[JudgedTexts], train: Callable[[Sequence[JudgedTexts]], Predicting]) -> None:
    """`print_groups` by cross-validation over sentences, of all judged texts and of those of each `model`."""
    models = [texts.model for texts in judged for _ in texts.passed]
    groups = {name or "all": [name in ("", model) for model in models] for name in ("", *dict.fromkeys(models))}
    chances = np.concatenate(across_folds(judged, train, _FOLDS))
    print_groups(chances, np.concatenate([texts.passed for texts in judged]), groups)


def print_groups(chances: FloatArray, passed: Passed, groups: Mapping[str, Sequence[bool] | Passed]) -> None:
    """For each group of judged texts how well the chances tell what passed, with a line for each fifth of them."""
    from sklearn.metrics import roc_auc_score

    for name, members in groups.items():
        p, ok = chances[np.array(members)], passed[np.array(members)]
        best = ok[np.argsort(-p)]
        shares = " / ".join(f"{best[: int(len(best) * share)].mean():.3f}" for share in (0.1, 0.2, 0.4, 0.6))
        print(f"{name}: {len(p)} judged, {ok.mean():.3f} passed, AUC {roc_auc_score(ok, p):.3f}")
        print(f"    passed of the likeliest 10 / 20 / 40 / 60 %: {shares}; by chance predicted – passed (number):")
        for low in np.arange(0.0, 1.0, 0.2):
            inside = (p >= low) & (p < low + 0.2)
            if inside.any():
                print(f"    {p[inside].mean():.2f} – {ok[inside].mean():.2f} ({inside.sum()})")
