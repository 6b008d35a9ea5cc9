"""What editors put in the place of a connective, and the model of which cut they pass."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from rerank.morphology import Morphology
from rewrite.gain.break_judge import FEATURES
from rewrite.generators.edits.breaks import load_connectives
from training import breaks as counting
from training.break_acceptance import JudgedCuts, _forest, train_break_acceptance

PAIRS = [
    ("Дождь кончился, поэтому дети вышли гулять.", "Дождь кончился. Поэтому дети вышли гулять."),
    ("Дождь кончился, и дети вышли гулять.", "Дождь кончился. Дети вышли гулять."),
    ("Ветер утих, и лодки вернулись.", "Ветер утих. Лодки вернулись."),
    ("Ветер утих, который дул три дня.", "Ветер утих. Он дул три дня."),
    ("Ветер утих, вернулись лодки рыбаков.", "Ветер утих. Рыбаки вернулись домой."),
]


def test_only_function_words_are_counted_and_what_both_sides_share_is_left_out() -> None:
    counts = counting.count_breaks(iter(PAIRS), Morphology())
    assert counts[", и", ""] == 2
    assert counts[", который", "он"] == 1
    assert not any("рыбаки" in lead for _, lead in counts)
    assert counts[",", ""] == 1


def test_the_table_is_written_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"source": s, "target": t, "controls": "3825"} for s, t in PAIRS]
    rows.append({"source": "Ветер утих, а лодки вернулись.", "target": "Ветер утих. Лодки.", "controls": "0815"})
    (tmp_path / "written_ru.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out = tmp_path / "breaks.tsv"
    monkeypatch.setattr(sys, "argv", ["breaks", "--pairs", str(tmp_path), "--out", str(out)])
    counting.main()
    assert load_connectives(out) == {(",", "и"): ("",)}


def judged(rng: np.random.Generator, n: int) -> list[JudgedCuts]:
    """Sentences with three cuts each; a cut passes where its first feature is above 0.5."""
    found = []
    for _ in range(n):
        features = rng.random((3, len(FEATURES)))
        found.append(JudgedCuts(features, features[:, 0] > 0.5))
    return found


def test_the_stored_forest_says_what_the_grown_one_says() -> None:
    from sklearn.ensemble import ExtraTreesClassifier

    data = judged(np.random.default_rng(0), 40)
    features = np.vstack([one.features for one in data])
    grown = ExtraTreesClassifier(150, min_samples_leaf=3, random_state=0)
    grown.fit(features.astype(np.float32), np.concatenate([one.passed for one in data]))
    assert _forest(data).predict(features) == pytest.approx(grown.predict_proba(features)[:, 1], abs=1e-4)


def test_what_readers_pass_is_learnt() -> None:
    model = train_break_acceptance(judged(np.random.default_rng(1), 120))
    unseen = judged(np.random.default_rng(2), 60)
    chances = np.concatenate([model.predict(one.features) for one in unseen])
    passed = np.concatenate([one.passed for one in unseen])
    assert chances[passed].mean() > chances[~passed].mean() + 0.2
