"""The benchmarks of the learned evaluator and of ParaEval run, and tell their ratios."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks import evaluator, paraeval


def ratios(said: str) -> list[float]:
    """The last column of the two rows below the heading."""
    (heading,) = [n for n, line in enumerate(said.splitlines()) if line.endswith("ratio")]
    return [float(line.split()[-1]) for line in said.splitlines()[heading + 1 : heading + 3]]


def test_the_evaluator_is_timed_against_one_pair_after_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rsse").mkdir()
    rows = "".join(f'{n},"Завод {n}, построенный давно.",Завод {n} построен.\n' for n in range(9))
    (tmp_path / "rsse" / "dev_sents.csv").write_text(f",INPUT:source,OUTPUT:output\n{rows}", encoding="utf-8")
    arguments = ["--data", str(tmp_path), "--pairs", "8", "--naive", "3", "--repeats", "1"]
    # The bar is for a thousand pairs on two cores.
    monkeypatch.setattr(evaluator, "FASTEST", 0.0)
    assert evaluator.main(arguments) == 0
    said = capsys.readouterr().out
    assert said.startswith("8 pairs of 7 words in the mean")
    one, batched = ratios(said)
    assert one == 1.0
    assert batched > 0
    assert re.search(r"largest difference 0\.0[01]\d\d", said)
    monkeypatch.setattr(evaluator, "FASTEST", 1e9)
    assert evaluator.main(arguments) == 1


def test_paraeval_is_timed_against_every_phrase_with_every_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "metaeval_newsroom_qags" / "Newsroom"
    folder.mkdir(parents=True)
    words = ["the", "river", "council", "opened", "seven", "bridges", "yesterday", "morning"]
    text = " ".join(words[(n * n + n // 7) % len(words)] for n in range(460))
    (folder / "data.json").write_text(json.dumps({"one": {"src": text}}), encoding="utf-8")
    arguments = ["--data", str(tmp_path), "--pairs", "2", "--naive", "1", "--repeats", "1"]
    monkeypatch.setattr(paraeval, "FASTEST", 0.0)
    assert paraeval.main(arguments) == 0
    said = capsys.readouterr().out
    assert said.startswith("2 summaries of 100 words")
    every, ours = ratios(said)
    assert (every, ours > 0) == (1.0, True)
    assert said.endswith("0 of 1 figures differ\n")
    monkeypatch.setattr(paraeval, "FASTEST", 1e9)
    assert paraeval.main(arguments) == 1
