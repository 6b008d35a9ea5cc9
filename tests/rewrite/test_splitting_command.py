"""`rewrite evaluate split` and its fellows, as a user runs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

SOURCE = "Crace sang in Rome , and she left in 1990 ."
GOLD = "Crace sang in Rome . She left in 1990 ."


@pytest.fixture
def small(tmp_path: Path) -> Path:
    marked = GOLD.replace(". She", ". <::::> She")
    (tmp_path / "validation.tsv").write_text(f"{SOURCE}\t{marked}\n" * 4, encoding="utf-8")
    (tmp_path / "mine.txt").write_text(f"{GOLD}\n" * 2, encoding="utf-8")
    (tmp_path / "other.tsv").write_text(f"{SOURCE}\t{SOURCE}\n" * 2, encoding="utf-8")
    row = {"complex": SOURCE, "references": [GOLD, GOLD.replace("She", "Then she")]}
    (tmp_path / "web.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return tmp_path


def test_systems_stand_beside_the_source(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(small / "mine.txt"), f"b={small / 'other.tsv'}"]
    options = ["--data", str(small), "--rows", "2:3", "--samples", "20"]
    assert run_command("evaluate", "wikisplit", *files, *options) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "wikisplit validation 2-3: 2 sources, 2 references"
    rows = {line.split()[0]: line.split() for line in lines[4:9]}
    assert list(rows) == ["echo", "halves", "reference", "mine", "b"]
    assert rows["mine"][1] == rows["reference"][1] == "100.00"
    assert rows["echo"][1:] == rows["b"][1:]
    assert lines[2].split()[-2:] == ["facts", "grade"]
    # Nine words of one syllable but for the number, which has none; eight, in two sentences.
    assert [rows[name][-2:] for name in ("echo", "mine")] == [["0.0", "-1.6"], ["0.0", "-3.7"]]
    assert "mine − echo" in out
    assert "mine − b" in out
    assert "\nBLEU nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp\n" in out
    assert "scoring mine" in err
    assert run_command("evaluate", "split", "--set", "wikisplit", *files, *options) == 0
    assert capsys.readouterr().out == out


def test_json_rows_have_every_figure(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--data", str(small / "web.jsonl"), "--format", "jsonl", "--samples", "20"]
    assert run_command("evaluate", "websplit", *arguments) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["kind"] for row in rows] == ["baseline", "baseline", "control"]
    echo = rows[0]
    assert (echo["system"], echo["unchanged"], echo["sentences"]) == ("echo", 100, 1)
    assert set(echo["intervals"]) <= set(echo)
    assert echo["changed_facts"] == 0
    assert echo["grade"] == pytest.approx(0.39 * 9 + 11.8 * 8 / 9 - 15.59)
    assert echo["intervals"]["grade"] == pytest.approx([echo["grade"]] * 2)
    assert echo["intervals"]["bleu"] == pytest.approx([echo["bleu"]] * 2)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["split", "--set", "webplit"], 2, "No set 'webplit'. Known: wikisplit, websplit"),
        (["wikisplit", "--rows", "1-3"], 2, "--rows got '1-3'. Write the first and the last, as in --rows 4001:5000."),
        (["wikisplit", "--rows", "3:5"], 2, "has no rows 3:5. It has rows 1:4."),
        (["wikisplit", "--part", "dev"], 2, "has no part 'dev'"),
        (["wikisplit", "echo=mine.txt"], 2, "The name 'echo'"),
        (["wikisplit", "--limit", "2", "mine.txt", "mine.txt"], 2, "The name 'mine'"),
        (["wikisplit", "none.txt"], 1, "none.txt"),
        (["wikisplit", "mine.txt"], 1, "holds 2 outputs, the set has 4 sources"),
        (["wikisplit", "--limit", "1", "other.tsv"], 1, "holds 2 outputs, the set has 1 sources"),
        (["websplit", "--data", "validation.tsv"], 1, "validation.tsv, line 1, column 1: not JSON"),
    ],
)
def test_the_command_refuses_in_one_line(
    small: Path,
    arguments: list[str],
    code: int,
    message: str,
    run_command: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(small)
    data = [] if "--data" in arguments else ["--data", str(small)]
    assert run_command("evaluate", *arguments, *data) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rewrite: ")
    assert message in line


def test_another_source_is_named_with_its_line(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    path = small / "wrong.tsv"
    path.write_text(f"{SOURCE}\t{GOLD}\nHe left .\t{GOLD}\n", encoding="utf-8")
    assert run_command("evaluate", "wikisplit", str(path), "--data", str(small), "--limit", "2") == 1
    assert "wrong.tsv, line 2: the source 'He left .'" in capsys.readouterr().err
