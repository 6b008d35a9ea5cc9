"""The masked model that an evaluator learns likelihood from, on sentences that people rated."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.masked.base import Row, Word
from rerank.masked.bundled import load
from training.evaluating.teacher import log_probabilities, main


def test_each_token_is_told_with_it_alone_hidden() -> None:
    model = load("ru", threads=1)
    tokens = [token for word in ("она", "ушла", "домой") for token in model.tokens(Word(word))]
    found = log_probabilities("она ушла домой", model)
    assert len(found) == len(tokens)
    for n, token in enumerate(tokens):
        hidden = (*model.prefix, *tokens[:n], model.mask, *tokens[n + 1 :], *model.suffix)
        (logs,) = model.predict([Row(hidden, (len(model.prefix) + n,))])
        assert found[n] == pytest.approx(logs[0, token], abs=1e-3)
    assert len(log_probabilities("слово " * 400, model)) == model.window - len(model.prefix) - len(model.suffix)


def test_sentences_in_order_are_likelier_than_the_same_words_in_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "id,sentence,acceptable\n0,Она ушла домой рано.,1\n1,Домой она рано ушло.,0\n"
    (tmp_path / "own.csv").write_text(rows, encoding="utf-8")
    assert main(["--data", str(tmp_path / "own.csv")]) == 0
    first, *areas = capsys.readouterr().out.splitlines()
    assert first.endswith("2 sentences")
    assert areas == ["sum   1.000", "mean  1.000"]


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", "nowhere.csv"]) == 1
    assert "nowhere.csv" in capsys.readouterr().err
