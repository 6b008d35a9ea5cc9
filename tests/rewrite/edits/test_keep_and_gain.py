"""The bundled model, its file and its errors, and what it sees of a set of edits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rerank.errors import ModelNotFound
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.keep_and_gain import GAIN_FEATURES, EditModel, gain_features
from tests.rewrite.edits.conftest import Bench, at

SOURCE = "Известный писатель Лев Толстой, живший в своём имении, закончил в этом году новый роман."

_TROOP = "Отряд быстро вошёл в старый город."


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
    np.testing.assert_allclose(first, second, atol=0.02)  # thresholds are kept in 16 bits
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


def features(bench: Bench, *edits: Edit) -> dict[str, float]:
    return dict(zip(GAIN_FEATURES, gain_features([bench.options(_TROOP)], [edits]), strict=True))


def test_nothing_done(bench: Bench) -> None:
    found = features(bench)
    assert found["kept_words"] == found["square"] == 6
    assert found["kept_keep"] == pytest.approx(bench.options(_TROOP).keep[:6].sum())
    assert not any(v for k, v in found.items() if k not in ("kept_words", "kept_keep", "square"))


def test_a_cut(bench: Bench) -> None:
    options = bench.options(_TROOP)
    i = at(options.tree, "быстро")
    found = features(bench, options.cuts[i])
    assert (found["cuts"], found["cut:advmod"], found["cut_words"], found["kept_words"]) == (1, 1, 1, 5)
    assert found["cut_keep"] == pytest.approx(options.keep[i])
    assert found["square"] == pytest.approx(6 * (5 / 6) ** 2)


def test_a_change_and_a_split_are_counted_by_kind(bench: Bench) -> None:
    i = at(bench.tree(_TROOP), "старый")
    found = features(bench, Edit("word", "", changes=((i, "древний"),), touched=frozenset({i})))
    assert (found["word"], found["changed_words"], found["kept_words"], found["cuts"]) == (1, 1, 5, 0)
    found = features(bench, Edit("split", "", changes=((i, "."),), touched=frozenset({i})))
    assert (found["split"], found["cuts"], found["cut_words"]) == (1, 0, 0)


def test_short_counts_words_below_a_third(bench: Bench) -> None:
    i = at(bench.tree(_TROOP), "вошёл")
    found = features(bench, Edit("cut", "", i))
    assert found["cut_words"] == 6
    assert found["short"] == pytest.approx(6 * 0.35)


def test_sentences_add_up(bench: Bench) -> None:
    one = bench.options(_TROOP)
    twice = gain_features([one, one], [[], []])
    np.testing.assert_allclose(twice, 2 * gain_features([one], [[]]))


def test_an_empty_text_has_features(bench: Bench) -> None:
    assert gain_features([], []).tolist() == [0.0] * len(GAIN_FEATURES)
