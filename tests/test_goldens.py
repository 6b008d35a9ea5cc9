"""The command that compares what every command answers with what it answered."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
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


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[dict[str, Any]]]:
    """What a command that is made up answers, in turn, to the two lines of a case `made-up`, half of which may vary."""
    answers: list[list[dict[str, Any]]] = []
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)
    monkeypatch.setattr(goldens, "inputs", lambda data: {"two": ["one", "two"]})
    monkeypatch.setattr(goldens, "CASES", {"made-up": goldens.Case(("simplify",), "two", 2, varies=0.5)})
    monkeypatch.setattr(goldens, "_answers", lambda case, lines: answers.pop(0))
    return answers


@pytest.mark.parametrize(
    ("texts", "processor", "code"), [("AB", "", 0), ("AC", "", 1), ("AC", "another", 0), ("CC", "another", 1)]
)
def test_so_many_answers_may_be_others_on_another_processor(
    made_up: list[list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    texts: str,
    processor: str,
    code: int,
) -> None:
    made_up += [[{"text": text} for text in row] for row in ("AB", texts)]
    assert goldens.main(["write", "--data", str(tmp_path)]) == 0
    monkeypatch.setattr(goldens, "INSTRUCTIONS", processor or goldens.INSTRUCTIONS)
    assert goldens.main(["compare", "--data", str(tmp_path)]) == code


def test_candidates_come_from_a_recording_just_made_or_from_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []

    def run(words: Sequence[str], lines: Sequence[str], recording: Path) -> str:
        seen.append((words[0], recording.read_text(encoding="utf-8") if recording.exists() else ""))
        if words[0] == "recording":
            recording.write_text("recorded", encoding="utf-8")
        return '{"source": "one", "candidates": []}\n'

    monkeypatch.setattr(goldens, "FOLDER", tmp_path)
    monkeypatch.setattr(goldens, "_run", run)
    monkeypatch.setattr(goldens, "inputs", lambda data: {"one": ["one"]})
    cases = {
        "drawn": goldens.Case(("generate",), "one", 1),
        "recorded": goldens.Case(("replaying",), "one", 1, records=("recording",)),
        "stored": goldens.Case(("replaying",), "one", 1, plays="drawn"),
    }
    monkeypatch.setattr(goldens, "CASES", cases)
    assert goldens.main(["write", "--data", str(tmp_path)]) == 0
    drawn = '{"source": "one", "candidates": []}'
    assert seen == [("generate", ""), ("recording", ""), ("replaying", "recorded"), ("replaying", drawn)]


def test_every_case_is_stored() -> None:
    stored = {path.name.removesuffix(".jsonl.gz") for path in goldens.FOLDER.glob("*.jsonl.gz")}
    assert set(goldens.CASES) <= stored


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
