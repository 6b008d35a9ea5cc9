"""Train the model of the `edits` generator on RuSimpleSentEval dev.

    python -m training.edit_model --data ../shared/data --out rewrite/models/edits_ru.npz

The target of a word is the share of the references of its sentence that contain it, in any place and the same form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.analysis import Analyzer
from rerank.morphology import Morphology
from rerank.types import FloatArray
from rewrite.datasets import load_rsse
from rewrite.evaluate.sari import SariSource
from rewrite.forest import Trees
from rewrite.generators.base import Sampling
from rewrite.generators.edits.features import token_features
from rewrite.generators.edits.generator import EditsGenerator, draw
from rewrite.generators.edits.keep_and_gain import GAIN_FEATURES as FEATURES
from rewrite.generators.edits.keep_and_gain import EditModel, gain_features
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency
from training.command import command_line
from training.forests import folds_of, in_arrays

FOLDS = 5
_DIMENSIONS = 24
_DRAWN = 20
_TREES = 350
_ROUNDS, _PENALTY = 4, 30.0
_WORDS_FOR_PROJECTION = 60_000
_WORD = re.compile(r"\w+")


def kept_share(words: Sequence[str], references: Sequence[str]) -> FloatArray:
    """Share of the references that contain each word, shape `[n_words]`."""
    word_sets = [frozenset(_WORD.findall(r.lower())) for r in references]
    return np.array([np.mean([w.lower() in f for f in word_sets]) for w in words])


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
    valency = RussianValency(Morphology())
    features, targets, numbers = [], [], []
    analyses = analyzer.analyze(sources, ("morph", "syntax", "entities"))
    for number, (analysis, refs) in enumerate(zip(analyses, references, strict=True)):
        for sentence in analysis.sentences:
            tree = RepairedTree(sentence, analysis.entities)
            words = np.array([t.pos != "PUNCT" for t in tree.tokens])
            features.append(token_features(tree, valency, analyzer.navec, projection)[words])
            targets.append(kept_share([t.text for t in tree.tokens], refs)[words])
            numbers.append(np.full(int(words.sum()), number))
    return np.vstack(features), np.concatenate(targets), np.concatenate(numbers)


def fit(features: FloatArray, targets: FloatArray) -> Trees:
    """Least-squares boosting with scikit-learn, stored in plain arrays."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(
        max_iter=_TREES,
        learning_rate=0.03,
        max_leaf_nodes=31,
        max_features=0.15,
        l2_regularization=5,
        min_samples_leaf=25,
        random_state=0,
    )
    model.fit(features.astype(np.float32), targets)
    return in_arrays(model)


def train_edit_model(analyzer: Analyzer, sources: Sequence[str], references: Sequence[Sequence[str]]) -> EditModel:
    """An edit model from sources and their references.

    The weights of the gain are fitted on keep probabilities that were predicted for sources left out in turn, as they
    are for sources never seen.
    """
    projection = word_projection(analyzer.navec)
    features, targets, numbers = training_rows(analyzer, sources, references, projection)
    folds = folds_of(len(sources), FOLDS, seed=1)
    generator = EditsGenerator(analyzer=analyzer)
    held_out: list[tuple[FloatArray, FloatArray]] = []
    for fold in range(FOLDS):
        inside = folds[numbers] != fold
        keep = EditModel(fit(features[inside], targets[inside]), projection, np.zeros(len(FEATURES)))
        partial = EditsGenerator(analyzer=analyzer, model=keep, lexicon=generator.lexicon)
        held_out += [
            _gains(partial, analyzer, sources[i], references[i]) for i in np.flatnonzero(folds == fold).tolist()
        ]
    return EditModel(trees=fit(features, targets), projection=projection, weights=fit_gain(held_out))


def _gains(
    generator: EditsGenerator, analyzer: Analyzer, source: str, references: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    """Features `[n, len(FEATURES)]` and SARI statistics `[n, 3, 4, 3]` of the candidates drawn for a source."""
    options = generator.options(analyzer.analyze_one(source, ("morph", "syntax", "entities")))
    drawn = draw(options, source, Sampling(n=_DRAWN, seed=1))
    scored = SariSource(source, references)
    features = [gain_features(options, edits) for edits, _ in drawn.values()]
    statistics = [scored.statistics(text) for text in drawn]
    return (
        np.array(features).reshape(-1, len(FEATURES)),
        np.array(statistics).reshape(-1, 3, 4, 3),
    )


def fit_gain(held_out: Sequence[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """Ridge weights for the part of each candidate in corpus SARI, made linear where the last choice stands.

    F1 of an operation is 2·right / (done + due) over the corpus; a candidate adds (2·right − F1·(done + due)) / that
    sum. The choice and the point where the line is drawn settle within a few rounds.
    """
    pools = [(x, s) for x, s in held_out if len(x) > 1]
    chosen = [0] * len(pools)
    centred = np.vstack([x - x.mean(axis=0) for x, _ in pools])
    scale = centred.std(axis=0) + 1e-9
    weights = np.zeros(centred.shape[1])
    for _ in range(_ROUNDS):
        totals = np.sum([s[j] for (_, s), j in zip(pools, chosen, strict=True)], axis=0)
        extent = totals[..., 1] + totals[..., 2]
        f1 = 2 * totals[..., 0] / extent
        parts = [
            (100 / 12 * len(pools) * (2 * s[..., 0] - f1 * (s[..., 1] + s[..., 2])) / extent).sum(axis=(-1, -2))
            for _, s in pools
        ]
        wanted = np.concatenate([p - p.mean() for p in parts])
        scaled = centred / scale
        weights = np.linalg.solve(scaled.T @ scaled + _PENALTY * np.eye(scaled.shape[1]), scaled.T @ wanted) / scale
        chosen = [int(np.argmax(x @ weights)) for x, _ in pools]
    return np.asarray(weights)


def main() -> None:
    """Read the options, train, save, say how large the model is."""
    parser = command_line("edit_model", __doc__)
    parser.add_argument("--data", type=Path, required=True, help="data folder with rsse/dev_sents.csv")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    items = load_rsse(options.data / "rsse" / "dev_sents.csv")
    model = train_edit_model(Analyzer(), [item.source for item in items], [item.references for item in items])
    model.save(options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.2f} MB, {len(items)} sources")


if __name__ == "__main__":
    main()
