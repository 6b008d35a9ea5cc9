"""What the gain model sees of a set of edits."""

from __future__ import annotations

import numpy as np
import pytest

from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.model import GAIN_FEATURES as FEATURES
from rewrite.generators.edits.model import gain_features
from tests.rewrite.edits.conftest import Bench, at

SOURCE = "Отряд быстро вошёл в старый город."


def features(bench: Bench, *edits: Edit) -> dict[str, float]:
    return dict(zip(FEATURES, gain_features([bench.options(SOURCE)], [edits]), strict=True))


def test_nothing_done(bench: Bench) -> None:
    found = features(bench)
    assert found["kept_words"] == found["square"] == 6
    assert found["kept_keep"] == pytest.approx(bench.options(SOURCE).keep[:6].sum())
    assert not any(v for k, v in found.items() if k not in ("kept_words", "kept_keep", "square"))


def test_a_cut(bench: Bench) -> None:
    options = bench.options(SOURCE)
    i = at(options.tree, "быстро")
    found = features(bench, options.cuts[i])
    assert (found["cuts"], found["cut:advmod"], found["cut_words"], found["kept_words"]) == (1, 1, 1, 5)
    assert found["cut_keep"] == pytest.approx(options.keep[i])
    assert found["square"] == pytest.approx(6 * (5 / 6) ** 2)


def test_a_change_and_a_split_are_counted_by_kind(bench: Bench) -> None:
    i = at(bench.tree(SOURCE), "старый")
    found = features(bench, Edit("word", "", changes=((i, "древний"),), touched=frozenset({i})))
    assert (found["word"], found["changed_words"], found["kept_words"], found["cuts"]) == (1, 1, 5, 0)
    found = features(bench, Edit("split", "", changes=((i, "."),), touched=frozenset({i})))
    assert (found["split"], found["cuts"], found["cut_words"]) == (1, 0, 0)


def test_short_counts_words_below_a_third(bench: Bench) -> None:
    i = at(bench.tree(SOURCE), "вошёл")
    found = features(bench, Edit("cut", "", i))
    assert found["cut_words"] == 6
    assert found["short"] == pytest.approx(6 * 0.35)


def test_sentences_add_up(bench: Bench) -> None:
    one = bench.options(SOURCE)
    twice = gain_features([one, one], [[], []])
    np.testing.assert_allclose(twice, 2 * gain_features([one], [[]]))


def test_an_empty_text_has_features(bench: Bench) -> None:
    assert gain_features([], []).tolist() == [0.0] * len(FEATURES)
