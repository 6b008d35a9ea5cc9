"""The fast way to choose from many tables equals the slow one, choice for choice."""

from __future__ import annotations

import numpy as np
import pytest

from rerank.select import select
from rerank.types import FloatArray
from rerank.weights import PRESETS, Weights
from rewrite.errors import BadInput
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.sari import corpus_sari, corpus_statistics
from tests.training.contested import COMPONENTS, made_up, references
from training.weighting.arena import Arena, contests

SENTENCES = [
    "Жители деревни, расположенной на берегу озера, неоднократно обращались в администрацию.",
    "В связи с проведением ремонтных работ, которые начались в понедельник, движение по мосту было временно "
    "приостановлено.",
    "Учёные из Новосибирска, изучавшие ледники Алтая десять лет, установили, что площадь льда уменьшилась.",
]


def settings(count: int, size: int, *, seed: int = 0) -> FloatArray:
    """Random weights, a third of them 0, many of them equal."""
    rng = np.random.default_rng(seed)
    return rng.choice([0.0, 0.0, 0.3, 1.0, 2.0, 7.5], (count, size))


def rows_of(arena: Arena, setting: FloatArray) -> list[int]:
    """The row of its table that is chosen for each sentence, −1 for the source."""
    units = [unit for contest in arena.contests for unit in contest.units]
    return [unit.rows[p] if p >= 0 else -1 for unit, p in zip(units, arena._places(setting).tolist(), strict=True)]


@pytest.mark.parametrize("variant", ["released", "paper"])
def test_choices_equal_those_of_select_with_ties_zeros_and_blocked(variant: str) -> None:
    results = made_up(60, variant=variant)
    arena = Arena(contests(results, references(results)))
    tables = [s.table for r in results for s in r.sentences if s.table is not None]
    seen = set()
    for setting in settings(25, len(COMPONENTS)):
        weights = Weights(dict(zip(COMPONENTS, setting.tolist(), strict=True)))
        slow = [select(table, weights, threshold=Options(variant=variant).source_share).index for table in tables]
        fast = rows_of(arena, setting)
        assert fast == [-1 if index is None else index for index in slow]
        seen |= {row < 0 for row in fast}
        assert arena.texts(setting) == [result.reweight(weights).text for result in results]
    assert seen == {True, False}


def test_the_figures_are_those_of_the_slow_way() -> None:
    results = made_up(60)
    wanted = references(results)
    arena = Arena(contests(results, wanted))
    tried = settings(12, len(COMPONENTS), seed=1)
    corpus = arena.sari(tried)
    for i, setting in enumerate(tried):
        weights = dict(zip(COMPONENTS, setting.tolist(), strict=True))
        outputs = [result.reweight(weights).text for result in results]
        sources = [result.source for result in results]
        assert corpus[i] == pytest.approx(corpus_sari(sources, outputs, wanted)["sari"], abs=1e-9)
        statistics = corpus_statistics(sources, outputs, wanted)
        np.testing.assert_array_equal(arena.statistics(setting), statistics)
    assert len(set(corpus.round(6))) > 5


def test_means_are_those_of_what_is_chosen() -> None:
    results = made_up(40)
    arena = Arena(contests(results, references(results)))
    tables = [s.table for r in results for s in r.sentences if s.table is not None]
    for setting in settings(10, len(COMPONENTS), seed=2):
        rows = rows_of(arena, setting)
        values = [t.source_values if row < 0 else t.values[row] for t, row in zip(tables, rows, strict=True)]
        np.testing.assert_allclose(arena.means(setting[np.newaxis])[0], np.mean(values, axis=0), atol=1e-12)


def test_a_subset_is_scored_as_if_it_were_all() -> None:
    results = made_up(30)
    wanted = references(results)
    arena, some = Arena(contests(results, wanted)), [3, 4, 9, 20]
    alone = Arena(contests([results[i] for i in some], [wanted[i] for i in some]))
    tried = settings(10, len(COMPONENTS))
    np.testing.assert_array_equal(arena.subset(some).sari(tried), alone.sari(tried))


def test_real_tables_of_the_pipeline_with_its_guards() -> None:
    results = Pipeline(Options(best=1)).run(SENTENCES)
    assert any(reason for r in results for s in r.sentences if s.table for reason in s.table.blocked)
    arena = Arena(contests(results, [[text] for text in SENTENCES]))
    rng = np.random.default_rng(0)
    size = len(arena.components)
    random = np.where(rng.random((20, size)) < 0.3, 0.0, np.exp(rng.uniform(-3, 3, (20, size))))
    named = np.array([[preset.get(name, 0.0) for name in arena.components] for preset in PRESETS.values()])
    for setting in np.vstack([named, random]):
        weights = dict(zip(arena.components, setting.tolist(), strict=True))
        assert arena.texts(setting) == [result.reweight(weights).text for result in results]


def test_nothing_to_choose_from_is_said() -> None:
    with pytest.raises(BadInput, match="no sentence to choose for"):
        Arena([])
