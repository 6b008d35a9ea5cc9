"""Pairs by hand: what is printed of them is what the evaluator says."""

from __future__ import annotations

import numpy as np
import pytest

from rewrite.judging.learned import Learned
from rewrite.judging.types import Row
from training.evaluating.contrasts import contrasts, main


@pytest.mark.parametrize("language", ["en", "ru"])
def test_pairs_are_whole_and_there_once(language: str) -> None:
    pairs = contrasts(language)
    assert len(pairs) == len(set(pairs)) > 50
    assert all(text.strip() == text and text for one in pairs for text in (one.kind, one.source, one.good, one.bad))
    assert all(one.good != one.bad != one.source != one.good for one in pairs)


@pytest.mark.parametrize("facts", [True, False])
def test_the_table_counts_pairs_in_the_right_order(facts: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "--rows", *([] if facts else ["--no-facts"])]) == 0
    head, columns, *lines = capsys.readouterr().out.splitlines()
    pairs = contrasts("en")
    assert f"{len(pairs)} pairs by hand" in head
    rows = {line.split()[0]: line.split()[1:] for line in lines[: len({one.kind for one in pairs}) + 1]}
    told = Learned(language="en", facts=facts).score(
        [Row(one.source, text) for one in pairs for text in (one.good, one.bad)]
    )
    scores = np.array([one.score for one in told])
    good, bad = scores[::2], scores[1::2]
    assert columns.split()[:3] == ["pairs", "score", "quality"]
    assert rows["all"][:2] == [str(len(pairs)), f"{(good > bad).mean():.2f}"]
    assert (rows["all"][1] == rows["all"][2]) >= (not facts)
    assert rows["all"][-2:] == [str((good > 0.5).sum()), str((bad > 0.5).sum())]
    assert f"  {good[0]:.2f}  {pairs[0].good}" in lines


def test_a_model_of_another_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "--model", "bundled:rewrites-ru"]) != 0
    assert "is of 'ru', --lang of 'en'" in capsys.readouterr().err
