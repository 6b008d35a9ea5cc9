"""The edits generator cross-validated: each source is rewritten by a model that was trained without it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rewrite.datasets import Example
from rewrite.generators.edits.model import EditModel
from rewrite.request import Options
from training.cross_validate import cross_validate
from training.edit_model import FOLDS, fold_of

SOURCES = [f"Старый дом номер {i} стоит на берегу большой реки." for i in range(7)]


def test_each_fold_has_a_model_of_the_others_and_keeps_it(
    analyzer: Analyzer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[list[str]] = []

    def train(_: object, sources: Sequence[str], references: object) -> EditModel:
        trained.append(list(sources))
        return EditModel.load()

    monkeypatch.setattr("training.edit_model.train_edit_model", train)

    def run(reference: str) -> list[str]:
        examples = [Example(source, (reference,)) for source in SOURCES]
        return [r.source for r in cross_validate(analyzer, examples, options=Options(n=2), models=tmp_path)]

    assert run("Дом стоит.") == SOURCES
    folds = fold_of(len(SOURCES)).tolist()
    assert trained == [[s for s, own in zip(SOURCES, folds, strict=True) if own != fold] for fold in range(FOLDS)]
    run("Дом стоит.")
    assert len(trained) == FOLDS
    # Other references make other models, whatever lies in the folder.
    run("Дом стоит у реки.")
    assert len(trained) == 2 * FOLDS
