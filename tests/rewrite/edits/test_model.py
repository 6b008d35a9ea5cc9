"""The bundled model, its file and its errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rerank.errors import ModelNotFound
from rewrite.generators.edits.model import GAIN_FEATURES, EditModel
from tests.rewrite.edits.conftest import Bench, at

SOURCE = "Известный писатель Лев Толстой, живший в своём имении, закончил в этом году новый роман."


@pytest.fixture(scope="module")
def model() -> EditModel:
    return EditModel.load()


def test_keep_is_one_number_for_each_token_about_a_share(model: EditModel, bench: Bench) -> None:
    tree = bench.tree(SOURCE)
    keep = model.keep(tree, bench.valency, bench.analyzer.navec)
    assert keep.shape == (len(tree),)
    assert (keep > -0.3).all()
    assert (keep < 1.3).all()


def test_editors_keep_the_name_rather_than_the_aside(model: EditModel, bench: Bench) -> None:
    tree = bench.tree(SOURCE)
    keep = model.keep(tree, bench.valency, bench.analyzer.navec)
    assert keep[at(tree, "Толстой")] > keep[at(tree, "своём")]


def test_the_file_gives_the_same_model_back(model: EditModel, bench: Bench, tmp_path: Path) -> None:
    model.save(tmp_path / "model.npz")
    again = EditModel.load(tmp_path / "model.npz")
    tree = bench.tree(SOURCE)
    first, second = (m.keep(tree, bench.valency, bench.analyzer.navec) for m in (model, again))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(model.weights, again.weights)
    assert model.weights.shape == (len(GAIN_FEATURES),)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=r"none\.npz"):
        EditModel.load(tmp_path / "none.npz")


@pytest.mark.parametrize("content", [b"", b"no model", b"PK\x03\x04 torn"])
def test_a_broken_file_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(content)
    with pytest.raises(ModelNotFound, match=r"broken\.npz"):
        EditModel.load(path)


def test_a_model_of_other_features_is_refused(model: EditModel, tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    np.savez(path, names=np.array(["length"]), projection=model.projection, weights=model.weights)
    with pytest.raises(ModelNotFound, match="other features"):
        EditModel.load(path)
    np.savez(path, weights=model.weights)
    with pytest.raises(ModelNotFound, match=r"other\.npz"):
        EditModel.load(path)
