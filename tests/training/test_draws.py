"""Readers' verdicts on what the adapter draws."""

from __future__ import annotations

import hashlib

import pytest

from training.draws import main, read_judgements


def test_every_verdict_is_of_a_text_that_is_there() -> None:
    texts = read_judgements()
    assert len(texts) > 700
    assert all(hashlib.sha256(text["text"].encode()).hexdigest().startswith(text["sha256"]) for text in texts)
    assert {letter for text in texts for letter in text["faults"]} == set("wfpn")


def test_readings_are_told_by_style(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'rewrite-rerank[train]'")
    main(["readings"])
    told = capsys.readouterr().out
    assert "all: 783 texts, 11.1% passed" in told
    assert {line.partition(":")[0] for line in told.splitlines()} >= {"all", "light", "plain", "short", "split"}
    assert "AUC 0.91" in told
