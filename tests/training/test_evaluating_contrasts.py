"""Pairs by hand: what is printed of them is what the evaluator says."""

from __future__ import annotations

import pytest

from rerank.evaluator.registry import create_evaluator
from training.evaluating.contrasts import contrasts, main


@pytest.mark.parametrize("language", ["en", "ru"])
def test_pairs_are_whole_and_there_once(language: str) -> None:
    pairs = contrasts(language)
    assert len(pairs) == len(set(pairs)) > 50
    assert all(text.strip() == text and text for one in pairs for text in (one.kind, one.source, one.good, one.bad))
    assert all(one.good != one.bad != one.source != one.good for one in pairs)


def test_the_table_counts_pairs_in_the_right_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "--rows"]) == 0
    head, columns, *lines = capsys.readouterr().out.splitlines()
    pairs = contrasts("en")
    assert f"{len(pairs)} pairs by hand" in head
    rows = {line.split()[0]: line.split()[1:] for line in lines[: len({one.kind for one in pairs}) + 1]}
    told = create_evaluator("bundled", language="en").judge(
        [(one.source, text) for one in pairs for text in (one.good, one.bad)]
    )[:, 0]
    good, bad = told[::2], told[1::2]
    assert columns.split()[:2] == ["pairs", "quality"]
    assert rows["all"][:2] == [str(len(pairs)), f"{(good > bad).mean():.2f}"]
    assert rows["all"][-2:] == [str((good > 0.5).sum()), str((bad > 0.5).sum())]
    assert f"  {good[0]:.2f}  {pairs[0].good}" in lines


def test_a_model_of_another_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "--model", "bundled:rewrites-ru"]) != 0
    assert "is of 'ru', --lang of 'en'" in capsys.readouterr().err
