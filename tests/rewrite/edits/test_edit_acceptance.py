"""How likely an editor is to pass an edit: the bundled model, its file, and the evidence on dictionary rows."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from rerank.errors import ModelNotFound
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.edit_acceptance import Acceptance, Evidence, risk
from rewrite.generators.edits.features import (
    CHANGE_FEATURES,
    CUT_FEATURES,
    Words,
    change_features,
    cut_features,
)
from tests.rewrite.edits.conftest import Bench, at


@pytest.fixture(scope="module")
def model() -> Acceptance:
    return Acceptance.load()


def chance(model: Acceptance, bench: Bench, text: str, word: str) -> float:
    """Of cutting the subtree of a word."""
    tree = bench.tree(text)
    return float(model.cuts(tree, [at(tree, word)], bench.valency, bench.analyzer.navec)[0])


@pytest.mark.parametrize(
    ("text", "safe", "torn"),
    [
        ("Бетховен — один из самых известных композиторов в мире.", "мире", "композиторов"),
        ("Почти все жители уехали из города летом.", "летом", "Почти"),
        ("Вечером он обратился к врачу городской больницы.", "Вечером", "врачу"),
        ("В прошлом году новая вакцина зависела от понимания болезни.", "году", "понимания"),
    ],
)
def test_a_torn_phrase_is_less_likely_to_pass(text: str, safe: str, torn: str, model: Acceptance, bench: Bench) -> None:
    assert chance(model, bench, text, safe) > chance(model, bench, text, torn)


def test_chances_of_changes(model: Acceptance, bench: Bench) -> None:
    tree = bench.tree("Впоследствии он осуществил значительные изменения.")
    _, changes = bench.generator.offers(tree)
    found = model.changes(tree, changes, bench.valency, bench.analyzer.navec)
    assert len(found) == len(changes) > 0
    assert ((found > 0) & (found < 1)).all()
    assert model.changes(tree, [], bench.valency, bench.analyzer.navec).shape == (0,)
    assert model.cuts(tree, [], bench.valency, bench.analyzer.navec).shape == (0,)


def test_options_carry_the_risk_of_every_edit(model: Acceptance, bench: Bench) -> None:
    text = "Впоследствии известный писатель, который жил в городе, осуществил значительные изменения."
    options = bench.options(text)
    nodes = list(options.cuts)
    found = model.cuts(options.tree, nodes, bench.valency, bench.analyzer.navec)
    assert [options.cuts[i].risk for i in nodes] == pytest.approx([-math.log(p) for p in found])
    assert all(edit.risk > 0 for edit in options.changes)


def test_risk_is_minus_log_and_never_infinite() -> None:
    assert risk(1.0) == risk(1.0 + 1e-7) == 0
    assert risk(0.5) + risk(0.5) == pytest.approx(risk(0.25))
    assert risk(0.0) == pytest.approx(-math.log(1e-3))


def test_feature_rows_have_a_column_for_every_name(bench: Bench) -> None:
    tree = bench.tree("Известный писатель осуществил значительные изменения.")
    words = Words(bench.analyzer.navec, np.eye(300)[:, :5])
    cuts, changes = bench.generator.offers(tree)
    found = cut_features(tree, [e.node for e in cuts], bench.valency, words)
    assert found.shape == (len(cuts), len(CUT_FEATURES) + 15)
    other = change_features(tree, changes, bench.valency, words)
    assert other.shape == (len(changes), len(CHANGE_FEATURES) + 20)
    assert np.isfinite(found).all()
    assert np.isfinite(other).all()
    row = dict(zip(CUT_FEATURES, found[[e.node for e in cuts].index(0)], strict=False))
    assert (row["words"], row["words_left"], row["at_start"], row["before_head"]) == (1, 4, 1, 1)


def test_no_feature_has_the_name_of_another() -> None:
    assert len(set(CUT_FEATURES)) == len(CUT_FEATURES)
    assert len(set(CHANGE_FEATURES)) == len(CHANGE_FEATURES)


def test_a_repeated_stem_is_seen(bench: Bench) -> None:
    tree = bench.tree("Лучшим вратарём стал чилийский голкипер.")
    i = at(tree, "голкипер")
    edit = Edit("word", "", changes=((i, "вратарь"),), touched=frozenset({i}), entry="голкипер → вратарь")
    words = Words(bench.analyzer.navec, np.eye(300)[:, :5])
    row = dict(zip(CHANGE_FEATURES, change_features(tree, [edit], bench.valency, words)[0], strict=False))
    assert (row["stem_distance"], row["stem_near"]) == (3, 1)
    assert row["alike"] > 0.5


def test_evidence_counts_rows_and_leaves_out_the_one_in_question() -> None:
    edits = [Edit("word", "", entry=row) for row in ("а → б", "а → б", "а → в", "")]
    evidence = Evidence.of(edits, [True, False, True, True])
    assert evidence.rows == {"а → б": (1, 2), "← а": (2, 3), "→ б": (1, 2), "а → в": (1, 1), "→ в": (1, 1)}
    row, row_count, *_ = evidence.features(edits[0])
    assert (row, row_count) == pytest.approx(((1 + 2.4) / 5, math.log(3)))
    row, row_count, *_ = evidence.features(edits[0], without=(1, 1))
    assert (row, row_count) == pytest.approx((2.4 / 4, math.log(2)))
    unknown, count, *_ = evidence.features(Edit("word", "", entry="г → д"))
    assert (unknown, count) == pytest.approx((0.8, 0))


def test_a_model_is_saved_and_read_back(model: Acceptance, bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    model.save(path)
    again = Acceptance.load(path)
    assert again.evidence == model.evidence
    text = "Вечером он обратился к врачу."
    assert chance(again, bench, text, "Вечером") == pytest.approx(chance(model, bench, text, "Вечером"), abs=1e-3)


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=r"none\.npz"):
        Acceptance.load(tmp_path / "none.npz")
    np.savez(tmp_path / "old.npz", names=np.array(["a"]))
    with pytest.raises(ModelNotFound, match="other features"):
        Acceptance.load(tmp_path / "old.npz")
