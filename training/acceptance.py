"""Train the model of which edits an editor passes, on edits that readers judged.

    python -m training.acceptance --data ../shared/data --out rewrite/models/acceptance_ru.npz

`training/judgements.jsonl.gz` holds, for sentences of the news and wiki files (by file and line, no text), edits of the
`edits` generator and the faults that a reader found in the result: `w` not well formed, `f` not factual, `p` main point
lost, `n` no simpler; none for one that he would print. Single edits train the model; texts with several edits only
measure it. Prints its area under the ROC curve by 8-fold cross-validation over sentences.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.types import FloatArray
from rewrite.forest import Trees
from rewrite.generators.edits import EditsGenerator
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.edit_acceptance import Acceptance, Evidence
from rewrite.generators.edits.features import (
    Words,
    change_features,
    cut_features,
    place,
)
from rewrite.generators.edits.repaired_tree import RepairedTree
from training.edit_model import word_projection
from training.forests import grow, print_groups
from training.places import Places
from training.readings import HARMLESS
from training.records import packed_rows

JUDGEMENTS = Path(__file__).parent / "judgements.jsonl.gz"
_FOLDS = 8
_TREES, _LEAF, _TRIED = 80, 6, 0.3


@dataclass(frozen=True)
class Judged:
    """One judged text: features of its cuts and of its changes, and whether it passed."""

    source: int
    cuts: FloatArray
    changes: FloatArray
    edits: tuple[Edit, ...]
    passed: bool

    @property
    def single(self) -> bool:
        """Whether it was made by one edit."""
        return len(self.cuts) + len(self.changes) == 1


def read_judgements(analyzer: Analyzer, data: Path, projection: FloatArray) -> list[Judged]:
    """Every judgement whose edits the generator still offers, with the features of the edits."""
    generator = EditsGenerator(analyzer=analyzer)
    words = Words(analyzer.navec, projection)
    judged: list[Judged] = []
    for number, (tree, rows) in enumerate(_judged_sentences(analyzer, data)):
        judged += (
            _measured(number, generator, tree, faults, edits, words)
            for faults, edits in _offered(generator, tree, rows)
        )
    return judged


def _judged_sentences(analyzer: Analyzer, data: Path) -> Iterator[tuple[RepairedTree, list[dict[str, Any]]]]:
    """Each judged sentence with its rows in the file."""
    rows = packed_rows(JUDGEMENTS)
    places = Places(data)
    groups = [(key, list(of_sentence)) for key, of_sentence in groupby(rows, key=lambda r: (r["corpus"], r["line"]))]
    analyses = analyzer.analyze(
        [places.text(f"{corpus}:{line}") for (corpus, line), _ in groups], ("morph", "syntax", "entities")
    )
    for analysis, (_, of_sentence) in zip(analyses, groups, strict=True):
        if len(analysis.sentences) == 1:
            yield RepairedTree(analysis.sentences[0], analysis.entities), of_sentence


def _offered(
    generator: EditsGenerator, tree: RepairedTree, rows: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, list[Edit]]]:
    """Faults and edits of each row whose edits the generator still offers."""
    cuts, changes = generator.offers(tree)
    offered = {(e.kind, place(e), e.entry): e for e in (*cuts, *changes)}
    for row in rows:
        edits = [offered.get(tuple(key)) for key in row["edits"]]
        known = [edit for edit in edits if edit is not None]
        if len(known) == len(edits):
            yield row["faults"], known


def _measured(
    number: int, generator: EditsGenerator, tree: RepairedTree, faults: str, edits: Sequence[Edit], words: Words
) -> Judged:
    changed = tuple(edit for edit in edits if edit.kind != "cut")
    return Judged(
        source=number,
        cuts=cut_features(tree, [edit.node for edit in edits if edit.kind == "cut"], generator.valency, words),
        changes=change_features(tree, changed, generator.valency, words),
        edits=changed,
        passed=faults in HARMLESS,
    )


def train_acceptance(judged: Sequence[Judged], projection: FloatArray) -> Acceptance:
    """Both forests and the evidence on the dictionary's rows, from judgements of single edits."""
    cuts = [j for j in judged if j.single and len(j.cuts)]
    changes = [j for j in judged if j.single and len(j.changes)]
    evidence = Evidence.of([j.edits[0] for j in changes], [j.passed for j in changes])
    counted = np.array([evidence.features(j.edits[0], without=(int(j.passed), 1)) for j in changes])
    return Acceptance(
        cut_forest=_grown(np.vstack([j.cuts for j in cuts]), cuts),
        change_forest=_grown(np.hstack([np.vstack([j.changes for j in changes]), counted]), changes),
        evidence=evidence,
        projection=projection,
    )


def _grown(features: FloatArray, judged: Sequence[Judged]) -> Trees:
    passed = np.array([j.passed for j in judged], dtype=bool)
    return grow(features, passed, trees=_TREES, leaf=_LEAF, tried=_TRIED)


def chance(model: Acceptance, judged: Judged) -> float:
    """P(all edits of a judged text pass), by the model."""
    product = 1.0
    if len(judged.cuts):
        product *= float(np.prod(model.cut_forest.predict(judged.cuts)))
    if len(judged.changes):
        counted = np.array([model.evidence.features(edit) for edit in judged.edits])
        product *= float(np.prod(model.change_forest.predict(np.hstack([judged.changes, counted]))))
    return product


def _report(judged: Sequence[Judged], projection: FloatArray) -> None:
    chances = np.zeros(len(judged))
    fold = np.array([j.source % _FOLDS for j in judged])
    for k in range(_FOLDS):
        model = train_acceptance([j for j, f in zip(judged, fold, strict=True) if f != k], projection)
        for i in np.flatnonzero(fold == k).tolist():
            chances[i] = chance(model, judged[i])
    passed = np.array([j.passed for j in judged])
    groups = {
        "cuts": [j.single and len(j.cuts) > 0 for j in judged],
        "changes": [j.single and len(j.changes) > 0 for j in judged],
        "several edits": [not j.single for j in judged],
    }
    print_groups(chances, passed, groups)


def main() -> None:
    """Read the options, measure, train, save, say how large the model is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with ru_mono")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    analyzer = Analyzer()
    projection = word_projection(analyzer.navec)
    judged = read_judgements(analyzer, options.data, projection)
    _report(judged, projection)
    train_acceptance(judged, projection).save(options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.2f} MB, {len(judged)} judgements")


if __name__ == "__main__":
    main()
