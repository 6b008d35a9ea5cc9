"""The command that compares what every command answers with what it answered."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests import goldens

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.mark.parametrize(
    ("old", "new", "differs"),
    [
        ({"text": "a", "score": 0.5}, {"text": "a", "score": 0.505}, False),
        ({"text": "a", "score": 0.5}, {"text": "a", "score": 0.52}, True),
        ({"text": "a"}, {"text": "b"}, True),
        ({"text": "a"}, {"text": "a", "skipped": "no words"}, True),
        ({"candidates": [["a", 0.5], ["b", None]]}, {"candidates": [["a", 0.501], ["b", None]]}, False),
        ({"candidates": [["a", 0.5]]}, {"candidates": []}, True),
    ],
)
def test_numbers_may_differ_a_little_and_nothing_else(old: Any, new: Any, differs: bool) -> None:
    assert goldens.differences(old, new) is differs


def test_a_stored_answer_is_of_the_case_whose_name_it_has() -> None:
    stored = sorted(goldens.FOLDER.glob("*.jsonl.gz"))
    assert stored
    for path in stored:
        head, *rows = gzip.decompress(path.read_bytes()).decode().splitlines()
        case = goldens.CASES[path.name.removesuffix(".jsonl.gz")]
        assert json.loads(head)["command"] == " ".join(case.words)
        assert len(rows) == case.lines


@pytest.mark.skipif(not (DATA / "rsse").is_dir(), reason="needs the data folder")
def test_a_change_is_told_with_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)
    monkeypatch.setitem(goldens.CASES, "bleu", goldens.Case(("judge", "--metric", "bleu"), "en-references", 3))
    assert goldens.main(["write", "bleu", "--data", str(DATA)]) == 0
    assert goldens.main(["compare", "bleu", "--data", str(DATA)]) == 0
    path = tmp_path / "bleu.jsonl.gz"
    head, first, *rest = gzip.decompress(path.read_bytes()).decode().splitlines()
    other = json.dumps(json.loads(first) | {"score": 0.999})
    path.write_bytes(gzip.compress("\n".join((head, other, *rest)).encode()))
    capsys.readouterr()
    assert goldens.main(["compare", "bleu", "--data", str(DATA)]) == 1
    told = capsys.readouterr().out
    assert "1 of 3 answers differ" in told
    assert "line 1" in told
