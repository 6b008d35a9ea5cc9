"""The simulated person of `benchmarks.weights person` chooses by taste and chance, among what may be chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.weights import Pool, choices, pool_of, pools_of
from rerank.weights import PRESETS
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from training.weighting.preferences import LEAST

SOURCE = "В связи с проведением ремонтных работ, которые начались в понедельник, движение по мосту было приостановлено."


def test_the_odds_are_those_of_the_scores() -> None:
    pool = Pool("s", ("good", "bad"), np.log([3.0, 1.0]))
    rows = choices([pool], 4000, seed=0)
    assert np.mean([row["preferred"] == "good" for row in rows]) == pytest.approx(0.75, abs=0.02)
    assert all(row["preferred"] != row["other"] and row["source"] == "s" for row in rows)
    assert choices([pool], 10, seed=0) == rows[:10]


def test_only_what_may_be_chosen_is_shown_with_its_score() -> None:
    (result,) = Pipeline(Options(best=1)).run([SOURCE])
    table = result.sentences[0].table
    assert table is not None
    blocked = ("a fact", *[""] * (len(table.candidates) - 1))
    pool = pool_of(replace(table, blocked=blocked))
    assert pool.texts == tuple(candidate.text for candidate in table.candidates[1:])
    taste = PRESETS["accurate"]
    logs = np.log(np.maximum(table.values[1:], LEAST))
    np.testing.assert_allclose(pool.totals, logs @ [taste[name] for name in table.components])


def test_texts_of_several_sentences_and_single_candidates_are_not_shown() -> None:
    one, two = Pipeline(Options(best=1)).run([SOURCE, f"{SOURCE} Рядом растёт высокий старый дуб."])
    assert [pool.source for pool in pools_of([two, one])] == [SOURCE]
    table = one.sentences[0].table
    assert table is not None
    alone = replace(table, blocked=("", *["a fact"] * (len(table.candidates) - 1)))
    assert pools_of([replace(one, sentences=(replace(one.sentences[0], table=alone),))]) == []
