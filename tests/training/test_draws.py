"""What is told of readers' verdicts on draws."""

from __future__ import annotations

import pytest

from training.draws import main
from training.text_acceptance import text_judgements


def test_every_verdict_names_known_faults() -> None:
    texts = [text for row in text_judgements() for text in row["texts"] if text["faults"] is not None]
    assert len(texts) > 2000
    assert {letter for text in texts for letter in text["faults"]} == set("wfpn")


def test_readings_are_told_by_model_and_style(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'rewrite-rerank[train]'")
    main(["readings"])
    told = capsys.readouterr().out
    assert "ru-small, all: 1299 texts, 13.4% passed" in told
    assert "drawn at random and repaired: 2860 texts, 11.0% passed" in told
    assert "beside one another, shipped: 220 texts, 13.6% passed, 6.4% and were simpler" in told
    assert "beside one another, preference: 185 texts, 30.3% passed, 5.4% and were simpler" in told
    styles = {line.partition(":")[0].rpartition(", ")[2] for line in told.splitlines()}
    assert styles >= {"all", "light", "plain", "short", "split"}
