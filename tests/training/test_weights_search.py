"""The search finds what there is to find, within its budget; cross-validation never scores what it tuned on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rerank.types import FloatArray
from rerank.weights import load_preset
from rewrite.datasets import Example
from rewrite.errors import BadInput
from rewrite.evaluate.resampling import Bootstrap
from rewrite.evaluate.sari import SARI
from tests.training.contested import COMPONENTS, made_up, references
from training.forests import folds_of
from training.weighting.arena import Arena, IntArray, contests
from training.weighting.command import write_preset
from training.weighting.validate import Best, Validation, cross_validated, drop_tail, rounded, rows_text, search

PEAK = np.array([0.0, 3.0, 0.5, 12.0])
ALL = np.ones(4, dtype=bool)


def hill(settings: FloatArray) -> FloatArray:
    """Highest at `PEAK`, in steps as SARI has them."""
    distance = np.abs(np.log1p(settings) - np.log1p(PEAK)).sum(axis=1)
    return -np.round(distance, 2)


def test_the_search_climbs_to_the_peak_and_keeps_to_its_budget() -> None:
    tried: list[int] = []

    def counted(settings: FloatArray) -> FloatArray:
        tried.append(len(settings))
        return hill(settings)

    found = search(counted, np.ones((1, 4)), free=ALL, settings=3000, seed=1)
    assert sum(tried) == found.tried <= 3000
    assert found.value > -0.2
    np.testing.assert_allclose(found.weights, PEAK, atol=0.1, rtol=0.15)
    assert found.value > hill(np.ones((1, 4)))[0]


def test_the_same_seed_finds_the_same() -> None:
    one, two, other = (search(hill, np.ones((1, 4)), free=ALL, settings=300, seed=s) for s in (5, 5, 6))
    np.testing.assert_array_equal(one.weights, two.weights)
    assert (one.weights != other.weights).any()


def test_held_weights_stay_and_the_highest_is_a_bound() -> None:
    free = np.array([True, False, True, True])
    seen: list[FloatArray] = []

    def objective(settings: FloatArray) -> FloatArray:
        seen.append(settings)
        return hill(settings)

    search(objective, np.array([[1.0, 7.0, 1.0, 1.0], [2.0, 9.0, 2.0, 2.0]]), free=free, settings=500, most=4.0)
    tried = np.vstack(seen)
    assert (tried[:, 1] == 7.0).all()
    assert tried[:, free].max() <= 4.0
    assert (tried >= 0).all()
    np.testing.assert_array_equal(tried, rounded(tried))


def test_with_nothing_free_the_starts_are_compared() -> None:
    found = search(hill, np.array([[1.0, 1, 1, 1]]), free=~ALL, settings=100)
    assert found.tried == 1
    assert found.weights.tolist() == [1, 1, 1, 1]


@pytest.fixture(scope="module")
def arena() -> Arena:
    results = made_up(50, seed=3)
    return Arena(contests(results, references(results, seed=3)))


def examples(arena: Arena) -> list[Example]:
    wanted = references([contest.result for contest in arena.contests], seed=3)
    return [Example(c.result.source, tuple(texts)) for c, texts in zip(arena.contests, wanted, strict=True)]


def test_each_fold_is_scored_with_weights_that_have_not_seen_it(arena: Arena) -> None:
    folds = folds_of(len(arena), 5, 0)
    tuned_on: list[set[str]] = []
    told = np.eye(4)

    def tune(part: Arena) -> Best:
        tuned_on.append({contest.result.source for contest in part.contests})
        # Other weights for each fold, so that the outputs tell which were used.
        return Best(told[(len(tuned_on) - 1) % 4], 50.0, 1)

    found = cross_validated(
        arena,
        examples(arena),
        folds,
        tune,
        fixed_settings={"equal weights": np.ones(4)},
        final=np.ones(4),
        default="equal weights",
        report=lambda line: None,
    )
    sources = [contest.result.source for contest in arena.contests]
    for fold in range(5):
        inside = [i for i in range(len(arena)) if folds[i] == fold]
        assert tuned_on[fold] == {sources[i] for i in range(len(arena)) if folds[i] != fold}
        held_out = arena.subset(inside).texts(told[fold % 4])
        assert [found.outputs[i] for i in inside] == held_out
    assert found.gap == pytest.approx(50 - np.mean([fold["held_out"] for fold in found.folds]))
    assert [row.system for row in found.rows][:3] == [
        "tuned, cross-validated",
        "tuned on all, scored on the same",
        "equal weights",
    ]
    assert found.rows[1].figures == found.rows[2].figures
    assert "drop every third" in rows_text(found.rows)


def cross_validated_with(arena: Arena, told: FloatArray, folds: IntArray, default: FloatArray) -> Validation:
    """Cross-validation in which fold k is chosen for by the weights `told[k]`."""
    waiting = list(told)
    return cross_validated(
        arena,
        examples(arena),
        folds,
        lambda part: Best(waiting.pop(0), 50.0, 1),
        fixed_settings={"default": default},
        final=np.full(4, 9.0),
        default="default",
        samples=200,
        report=lambda line: None,
    )


def test_the_gain_is_that_of_held_out_choices_over_the_default(arena: Arena) -> None:
    folds, told = folds_of(len(arena), 5, 0), np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] * 2)
    default = np.array([0.0, 3.0, 1.0, 0.2])
    held_out = np.zeros((len(arena), 3, 4, 3))
    for fold in range(5):
        inside = np.flatnonzero(folds == fold)
        held_out[inside] = arena.subset(inside.tolist()).statistics(told[fold])
    found = cross_validated_with(arena, told, folds, default)
    tuned, preset = (SARI.aggregate(one, Bootstrap(200, 0)) for one in (held_out, arena.statistics(default)))
    assert found.gain == tuned.less(preset, "sari")[1]
    assert found.gain.low < found.gain.high
    assert found.rows[0].figures["sari"] == pytest.approx(SARI.of(held_out)["sari"])
    nothing = cross_validated_with(arena, np.tile(default, (5, 1)), folds, default).gain
    assert (nothing.low, nothing.high) == (0, 0)


def test_means_are_over_sources_whatever_the_size_of_their_fold(arena: Arena) -> None:
    single = arena.subset([i for i, contest in enumerate(arena.contests) if len(contest.units) == 1])
    folds = np.array([0] + [1] * 5 + [2] * (len(single) - 6))
    told = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    found = cross_validated_with(single, told, folds, np.ones(4))
    each = [single.subset([i]).means(told[fold][np.newaxis])[0] for i, fold in enumerate(folds.tolist())]
    np.testing.assert_allclose(list(found.means.values()), np.mean(each, axis=0), atol=1e-12)
    assert [fold["sources"] for fold in found.folds] == [1, 5, len(single) - 6]


def test_more_folds_than_sources_are_refused(arena: Arena) -> None:
    few = arena.subset(range(3))
    with pytest.raises(BadInput, match="3 sources for 5 folds"):
        cross_validated(
            few,
            examples(few),
            np.array([0, 1, 4]),
            lambda part: Best(np.ones(4), 0.0, 1),
            fixed_settings={"one": np.ones(4)},
            final=np.ones(4),
            default="one",
        )


def test_drop_tail_keeps_two_thirds() -> None:
    assert drop_tail("а б в г д е ё") == "а б в г"


def test_the_preset_file_reads_back_and_holds_zeros(tmp_path: Path) -> None:
    weights = dict(zip(COMPONENTS, [0.0, 1.25, 20.0, 0.05], strict=True))
    write_preset(tmp_path / "new" / "p.yaml", "мой: пресет", weights, ["two\nlines", "x: {y"])
    name, read = load_preset(tmp_path / "new" / "p.yaml")
    assert (name, dict(read)) == ("мой: пресет", weights)
    text = (tmp_path / "new" / "p.yaml").read_text(encoding="utf-8")
    assert text.startswith("# two\n# lines\n# x: {y\n")
