"""Lines fitted to what the model of verdicts says of texts that it has not learnt from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewrite.acceptance.text_acceptance import TEXT_FEATURES
from rewrite.acceptance.verdict import VerdictModel
from tests.fakes import WordModel
from training import verdict_lines
from training.forests import JudgedTexts
from training.places import Places
from training.verdict_lines import fit_line, read_russian_texts, read_simpler, read_splits, read_texts, unseen_rows

LEARNT, HELD = "Sentence 0 .", "Sentence 10 ."
"""Only the second is, detokenised, among those that measure."""
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def give(monkeypatch: pytest.MonkeyPatch, rows: Rows) -> None:
    """Let files have these rows, by their names, and others none."""
    monkeypatch.setattr(verdict_lines, "packed_rows", lambda path: rows.get(path.name.removesuffix(".jsonl.gz"), []))


def draw(words: str, faults: str | None, *, logprob: float = -4.0) -> dict[str, Any]:
    return {"text": words, "faults": faults, "logprob": logprob, "tokens": 8, "count": 1}


def test_a_line_finds_what_matters_and_which_way() -> None:
    rng = np.random.default_rng(0)
    judged = []
    for _ in range(300):
        features = rng.normal(size=(4, 3)) * [1.0, 50.0, 1.0] + [0.0, 200.0, 0.0]
        log_odds = 2 * features[:, 0] - 0.02 * (features[:, 1] - 200) + 0.5
        judged.append(JudgedTexts(features, rng.random(4) < 1 / (1 + np.exp(-log_odds))))
    line = fit_line(("good", "bad", "idle"), judged)
    assert line.weights["good"] == pytest.approx(2, abs=0.4)
    assert line.weights["bad"] == pytest.approx(-0.02, abs=0.005)
    assert line.weights["idle"] == pytest.approx(0, abs=0.2)
    # It is calibrated: as many pass as it says.
    features, passed = np.vstack([t.features for t in judged]), np.concatenate([t.passed for t in judged])
    assert line.predict(features).mean() == pytest.approx(passed.mean(), abs=0.01)


def test_what_is_learnt_from_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"source": LEARNT, "texts": []}, {"source": HELD, "texts": []}]
    give(monkeypatch, {"text_judgements_en": rows, "split_judgements_2": rows})
    kept = [
        (name, source) for name, source, _ in unseen_rows(["text_judgements_en", "split_judgements_2"], Places(Path()))
    ]
    # Of a file that never teaches all is kept.
    assert kept == [
        ("text_judgements_en", HELD),
        ("split_judgements_2", LEARNT),
        ("split_judgements_2", HELD),
    ]


def test_draws_are_measured_by_what_the_model_says_of_them_and_by_all_that_was_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [draw("One.", ""), draw("Two.", "n"), draw("Three.", "f"), draw("Four.", None)]
    unread = [draw("Five.", None)]
    rows = [
        {"source": HELD, "model": "gemma-en", "texts": texts},
        {"source": HELD, "model": "gemma-en", "texts": unread},
    ]
    give(monkeypatch, {"text_judgements_en": rows})
    engine = WordModel(ends={"Three.": math.log(0.1)})
    monkeypatch.setattr(verdict_lines, "_verdicts", lambda: VerdictModel(engine))
    judged, nothing = read_texts(Places(Path()))
    assert nothing.features.shape == (0, len(TEXT_FEATURES))
    assert judged.passed.tolist() == [True, True, False]
    assert (judged.model, judged.source) == ("text_judgements_en", HELD)
    measured = dict(zip(TEXT_FEATURES, judged.features.T, strict=True))
    assert measured["certainty"] == pytest.approx([math.log(1 / (math.e**0.5 - 1))] * 2 + [-math.log(9)])
    assert measured["share"].tolist() == [0.25] * 3


def test_of_russian_draws_those_of_the_adapter_count_and_no_verdict_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"source": LEARNT, "model": "gemma-ru 420 steps", "texts": [draw("Раз.", ""), draw("Два.", "wf")]},
        {"source": LEARNT, "model": "another", "texts": [draw("Три.", "")]},
    ]
    monkeypatch.setattr(verdict_lines, "judged_rows", lambda file, places: [(row["source"], row) for row in rows])
    (judged,) = read_russian_texts(Places(Path()))
    assert judged.passed.tolist() == [True, False]
    assert not judged.features[:, TEXT_FEATURES.index("certainty")].any()


def test_what_readers_called_no_simpler_is_learnt_of_faultless_texts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [draw("He left.", ""), draw("And he left home.", "n"), draw("Home left.", "wf")]
    rows = [{"source": "He then left home.", "texts": texts}, {"source": LEARNT, "texts": [draw("Torn", "w")]}]
    monkeypatch.setattr(verdict_lines, "judged_rows", lambda file, places: [(row["source"], row) for row in rows])
    for judged in (read_simpler("ru", Places(Path())), read_simpler("en", Places(Path()))[:1]):
        (simpler,) = judged
        assert (simpler.passed.tolist(), simpler.source) == ([True, False], "He then left home.")
        assert simpler.features[:, 0].tolist() == [0.5, 1.0]


def test_every_answer_on_a_split_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    splits = [
        {"text": "He left.\nShe stayed.", "faults": ["", "wf", "n"]},
        {"text": "He.\nLeft.", "faults": ["w"]},
        {"text": "He left she.\nStayed.", "faults": []},
    ]
    give(monkeypatch, {"split_judgements_2": [{"source": "He left, she stayed.", "splits": splits}]})
    engine = WordModel(ends={"He. Left.": math.log(0.1)})
    monkeypatch.setattr(verdict_lines, "_verdicts", lambda: VerdictModel(engine))
    (judged,) = read_splits(Places(Path()))
    assert judged.passed.tolist() == [True, False, True, False]
    assert len({tuple(row) for row in judged.features.tolist()}) == 2
    assert judged.features[:, 1] == pytest.approx([math.log(1 / (math.e**0.5 - 1))] * 3 + [-math.log(9)])
    assert "He left she. Stayed." not in [text for _, text in engine.asked]
