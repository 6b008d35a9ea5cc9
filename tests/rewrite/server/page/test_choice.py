"""The page's choice is `reweight`'s: one table, one setting of weights, one winner, to the last tie."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from rerank.select import rank, select, tie_key
from rerank.types import Candidate, ScoreTable
from rerank.weights import ENGLISH_PRESETS, KNOB, PRESETS, Weights, knob_weights

pytestmark = pytest.mark.browser
TABLES, SETTINGS = 500, 50
# A code point above U+FFFF, and those which UTF-16 would order after it.
LETTERS = ["a", "b", "я", "\ue000", "\ufffd", "\U0001f600", "\U00010000", " "]
NAMES = ("similarity", "lexical", "length", "brevity", "caution")


def random_table(draw: random.Random) -> ScoreTable:
    n, names = draw.randint(0, 12), NAMES[: draw.randint(1, 5)]
    # Half of the tables have few different values, so that totals are equal, and many zeros.
    value = draw.choice([draw.random, lambda: draw.choice([0.0, 0.25, 0.5, 1.0])])
    rows = [[value() for _ in names] for _ in range(n)]
    for i in range(1, n):
        if draw.random() < 0.3:
            rows[i] = rows[draw.randrange(i)]
    candidates = [
        Candidate(
            "".join(draw.choices(LETTERS, k=draw.randint(1, 3))), draw.choice(["edits", "lm", "\ufffd", "\U0001f600"])
        )
        for _ in range(n)
    ]
    blocked = tuple("a number is dropped" if draw.random() < 0.25 else "" for _ in range(n))
    return ScoreTable(
        source="source",
        candidates=tuple(sorted(candidates, key=tie_key)),
        components=names,
        values=np.array(rows, dtype=float).reshape(n, len(names)),
        source_values=np.array([value() for _ in names]),
        blocked=blocked,
    )


def random_weights(draw: random.Random) -> dict[str, float]:
    kind = draw.randrange(4)
    if kind == 0:
        return dict(knob_weights(draw.choice([0, 5, 10, 10 * draw.random()])))
    if kind == 1:
        return {name: float(draw.choice([0, 0, 1, 2])) for name in NAMES}
    return {name: draw.choice([0.0, 15 * draw.random()]) for name in NAMES}


def sent(table: ScoreTable, threshold: float) -> dict[str, Any]:
    rows = zip(table.candidates, table.blocked, strict=True)
    return {
        "components": table.components,
        "candidates": [{"text": c.text, "generator": c.generator, "blocked": blocked} for c, blocked in rows],
        "values": table.values.tolist(),
        "source_values": table.source_values.tolist(),
        "threshold": threshold,
    }


def test_every_choice_is_that_of_python(page: Any) -> None:
    draw = random.Random(33)
    settings = [random_weights(draw) for _ in range(SETTINGS)]
    tables = [(random_table(draw), draw.choice([0.0, 0.8, 1.0])) for _ in range(TABLES)]
    theirs = page.evaluate(
        """async ({ tables, settings }) => {
          const { rank, select } = await import("/static/choose.js");
          return tables.map((table) => settings.map((weights) => {
            const { order, scores, sourceScore } = rank(table, weights);
            return [select(table, weights), order, [...scores, sourceScore]];
          }));
        }""",
        {"tables": [sent(*table) for table in tables], "settings": settings},
    )
    kept = 0
    for (table, threshold), answers in zip(tables, theirs, strict=True):
        for setting, (row, order, scores) in zip(settings, answers, strict=True):
            weights = Weights({name: setting[name] for name in table.components})
            assert row == select(table, weights, threshold=threshold).index, (table, setting)
            ranked = rank(table, weights)
            assert order == list(ranked.order), (table, setting)
            kept += row is None
            if len(setting) == len(table.components):
                rows = [*range(len(table.candidates)), None]
                assert scores == pytest.approx([ranked.score(i) for i in rows], abs=1e-12)
    assert 0.1 < kept / (TABLES * SETTINGS) < 0.9


@pytest.mark.parametrize("presets", [PRESETS, ENGLISH_PRESETS])
def test_the_knob_has_the_same_weights_to_the_last_bit(page: Any, presets: Any) -> None:
    draw = random.Random(5)
    positions = [0, 5, 10, *(10 * draw.random() for _ in range(47))]
    theirs = page.evaluate(
        """async ([positions, presets, knob]) => {
          const { knobWeights } = await import("/static/choose.js");
          return positions.map((at) => knobWeights(at, presets, knob));
        }""",
        [positions, {name: dict(weights) for name, weights in presets.items()}, [list(stop) for stop in KNOB]],
    )
    assert theirs == [dict(knob_weights(at, presets=presets)) for at in positions]


def test_edits_give_the_text_to_the_last_space(page: Any) -> None:
    draw = random.Random(7)
    words = ["слово", "the", "e-mail", "🙂", "№", "5,5", ",", ".", "«", "»", "ok\n", " ", "e\u0301"]
    pairs = [
        ["".join(f"{w}{draw.choice(['', ' '])}" for w in draw.choices(words, k=draw.randint(0, 9))) for _ in "ab"]
        for _ in range(500)
    ]
    made = page.evaluate(
        """async (pairs) => {
          const { apply, findEdits } = await import("/static/edits.js");
          return pairs.map(([source, text]) => {
            const edits = findEdits(source, text);
            return [apply(source, edits), apply(source, edits, edits.map((_, i) => i)), edits];
          });
        }""",
        pairs,
    )
    for (source, text), (applied, undone, edits) in zip(pairs, made, strict=True):
        assert (applied, undone) == (text, source)
        # Places are code points, so Python reads them as they are.
        for edit in reversed(edits):
            source = source[: edit["start"]] + edit["replacement"] + source[edit["end"] :]
        assert source == text
