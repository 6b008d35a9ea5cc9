"""Train the model of which cut of a sentence in two an editor passes, on cuts that readers judged.

    python -m training.break_acceptance --data ../shared/data --out rewrite/models/breaks_ru.npz

`training/break_judgements.jsonl.gz` holds sentences of the data folder by their place (`training.ru_pairs.Places`), or
as text, with cuts of each and the faults that a reader found: `w` not well formed, `f` not factual, `p` main point
lost, `n` no easier, none for one that he would print. Needs the adapter gemma-ru, which says how probable a cut is.
Prints the area under the ROC curve by 10-fold cross-validation over sentences, and how many sentences would be cut.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.types import FloatArray
from rerank.wellformed import WellFormedness
from rewrite.engines.ct2 import CT2Engine
from rewrite.gain.break_judge import BreakAcceptance, BreakJudge, Cut, offered_cuts
from rewrite.generators.edits.boosting import Boosting
from rewrite.generators.edits.breaks import BREAK_FEATURES
from rewrite.generators.edits.tree import Tree
from training.ru_pairs import Places
from training.text_acceptance import HARMLESS

__all__ = ["JUDGEMENTS", "JudgedCuts", "main", "read_break_judgements", "train_break_acceptance"]

JUDGEMENTS = Path(__file__).parent / "break_judgements.jsonl.gz"
_FOLDS = 10
_TREES, _LEAF = 150, 3
_BANDS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class JudgedCuts:
    """The judged cuts of one sentence: features `[n, k]`, and whether each passed `[n]`."""

    features: FloatArray
    passed: npt.NDArray[np.bool_]


def read_break_judgements(analyzer: Analyzer, data: Path, file: Path = JUDGEMENTS) -> list[JudgedCuts]:
    """The judged cuts of each sentence that are still offered."""
    places = Places(data)
    judge = BreakJudge(CT2Engine("gemma-ru"), analyzer=analyzer)
    guard, form = FactGuard(analyzer, morphology=analyzer.morphology), WellFormedness(analyzer.morphology)
    trees: list[Tree] = []
    cuts: list[list[Cut]] = []
    verdicts: list[dict[str, str]] = []
    for line in gzip.decompress(file.read_bytes()).decode().splitlines():
        row = json.loads(line)
        source = row.get("source") or places.text(row["place"])
        analysis = analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        if len(analysis.sentences) == 1:
            trees.append(Tree(analysis.sentences[0], analysis.entities))
            cuts.append(offered_cuts(trees[-1], analyzer, guard, form))
            verdicts.append({_key(text["text"]): text["faults"] for text in row["texts"]})
    judged: list[JudgedCuts] = []
    for own, rows, known in zip(cuts, judge.features(trees, cuts), verdicts, strict=True):
        read = [i for i, cut in enumerate(own) if _key(cut.text) in known]
        if read:
            passed = np.array([known[_key(own[i].text)] in HARMLESS for i in read], dtype=bool)
            judged.append(JudgedCuts(rows[read], passed))
    return judged


def _key(text: str) -> str:
    """A text without spaces and capitals, which do not tell cuts apart."""
    return "".join(text.lower().split())


def train_break_acceptance(judged: Sequence[JudgedCuts]) -> BreakAcceptance:
    """The model from judged cuts; calibrated on what forests say that have not seen the sentence."""
    from sklearn.linear_model import LogisticRegression

    share = np.concatenate(_unseen(judged)).clip(1e-3, 1 - 1e-3)
    passed = np.concatenate([one.passed for one in judged])
    line = LogisticRegression(C=1e3).fit(np.log(share / (1 - share))[:, None], passed)
    return BreakAcceptance(_forest(judged), float(line.coef_[0, 0]), float(line.intercept_[0]))


def _unseen(judged: Sequence[JudgedCuts]) -> list[FloatArray]:
    """For each sentence what a forest says of its cuts that was grown on those of other sentences."""
    shares: list[FloatArray] = [np.zeros(0)] * len(judged)
    for k in range(_FOLDS):
        forest = _forest([one for i, one in enumerate(judged) if i % _FOLDS != k])
        for i in range(k, len(judged), _FOLDS):
            shares[i] = forest.predict(judged[i].features)
    return shares


def _forest(judged: Sequence[JudgedCuts]) -> Boosting:
    """Extremely randomised trees, each with its share of the mean."""
    from sklearn.ensemble import ExtraTreesClassifier

    model = ExtraTreesClassifier(_TREES, min_samples_leaf=_LEAF, random_state=0)
    model.fit(np.vstack([one.features for one in judged]), np.concatenate([one.passed for one in judged]))
    trees: list[Any] = [estimator.tree_ for estimator in model.estimators_]
    shape = len(trees), max(tree.node_count for tree in trees)
    feature, left, right = (np.zeros(shape, dtype=np.int16) for _ in range(3))
    threshold, value = (np.zeros(shape, dtype=np.float32) for _ in range(2))
    for k, tree in enumerate(trees):
        n = tree.node_count
        leaf = tree.children_left < 0
        own = np.arange(n)
        feature[k, :n] = np.where(leaf, 0, tree.feature)
        threshold[k, :n] = tree.threshold
        left[k, :n] = np.where(leaf, own, tree.children_left)
        right[k, :n] = np.where(leaf, own, tree.children_right)
        counts = tree.value[:, 0, :]
        value[k, :n] = counts[:, -1] / counts.sum(axis=1) / len(trees)
    return Boosting(feature, threshold, left, right, value, 0.0, max(tree.max_depth for tree in trees))


def _report(judged: Sequence[JudgedCuts], model: BreakAcceptance) -> None:
    from sklearn.metrics import roc_auc_score

    shares = _unseen(judged)
    passed = np.concatenate([one.passed for one in judged])
    print(f"{len(passed)} cuts of {len(judged)} sentences, {passed.mean():.3f} passed")
    n = len(BREAK_FEATURES)
    for name, part in (("parse", slice(None, n)), ("log-probabilities", slice(n, None))):
        alone = _unseen([replace(one, features=one.features[:, part]) for one in judged])
        print(f"    by the {name} alone: AUC {roc_auc_score(passed, np.concatenate(alone)):.3f}")
    print(f"    AUC {roc_auc_score(passed, np.concatenate(shares)):.3f}; the surest cut of each sentence:")
    logits = [np.log(s.clip(1e-3, 1 - 1e-3) / (1 - s.clip(1e-3, 1 - 1e-3))) for s in shares]
    chances = [1 / (1 + np.exp(-(model.slope * x + model.offset))) for x in logits]
    for least in _BANDS:
        best = [(c.max(), one.passed[c.argmax()]) for c, one in zip(chances, judged, strict=True) if c.max() >= least]
        print(f"    at {least}: {len(best)} cut, {np.mean([ok for _, ok in best]) if best else 0:.2f} of them passed")


def main() -> None:
    """Read the options, measure, train, save, say how large the model is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with ru_mono")
    parser.add_argument("--judgements", type=Path, default=JUDGEMENTS, help="default: those of the repository")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    judged = read_break_judgements(Analyzer(), options.data, options.judgements)
    model = train_break_acceptance(judged)
    _report(judged, model)
    model.save(options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
