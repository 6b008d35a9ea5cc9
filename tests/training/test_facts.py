"""The command that measures the fact guards, on a file of a few rewrites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rerank.english.facts import EnglishFactGuard
from training.facts import MUTATIONS, check, main

ROWS = [
    ("In 1950 Anna Smith left the town of Leeds for London.", "Anna Smith was in Leeds till 1950."),
    ("Three brothers from Warsaw were heard in the hall on Monday.", "Three brothers were heard in Warsaw."),
    ("The plan of Mr Carter was accepted in 1960 by the council.", "The council took the plan of Carter in 1960."),
    ("The bridge over the Danube was built by Romans in 105.", "The bridge there was built by Swedes in 105."),
]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return _write(tmp_path / "rows.jsonl", ROWS)


def _write(path: Path, pairs: list[tuple[str, str]]) -> Path:
    path.write_text("".join(json.dumps({"source": source, "text": text}) + "\n" for source, text in pairs))
    return path


def test_the_tables_are_printed_and_the_same_again(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--set", str(rows), "--planted", str(rows), "--fired", "5", "--misses", "5"]
    told = []
    for _ in range(2):
        assert main(arguments) == 0
        told.append(capsys.readouterr().out)
    lines = told[0].splitlines()
    kinds = "number date unit entity negation quotation opposite"
    assert " ".join(lines[0].split()) == f"human rewrites texts blocked {kinds}"
    assert lines[2].split() == [str(rows), "4", "25.00%", *["0.00%"] * 3, "25.00%", "0.00%", "0.00%", "0"]
    assert "   ! [entity] Swedes: the source does not name Swedes" in lines
    planted = {row.split()[0]: row.split()[1:] for row in lines if row.split()[:1] and row.split()[0] in MUTATIONS}
    assert planted.keys() == MUTATIONS.keys()
    assert all(int(row[0]) > 0 for row in planted.values())
    assert told[0] == told[1]


def test_nothing_is_planted_in_what_is_blocked_anyway(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--set", str(rows), "--planted", str(rows)]) == 0
    planted = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("names"))
    assert planted.split()[1] == "3"


@pytest.mark.parametrize(
    ("language", "pairs", "blocked"),
    [
        ("en", [("Prices rose.", "Prices fell in that year."), ("He met Ann.", "He met Ann then.")], "0.00%"),
        (
            "ru",
            [
                ("Цены выросли.", "Цены тогда сильно упали."),
                ("Ждали 5 дней.", "Ждали там 6 дней."),
                ("Она ночью не спит.", "Она не спит ночью."),
            ],
            "33.33%",
        ),
    ],
)
def test_opposites_are_counted(
    tmp_path: Path, language: str, pairs: list[tuple[str, str]], blocked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _write(tmp_path / "rows.jsonl", pairs)
    assert main(["--lang", language, "--set", str(path), "--planted", str(path), "--fired", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[-1] == "opposite"
    assert lines[2].split()[1:3] == [str(len(pairs)), blocked]
    assert lines[2].split()[-1] == "1"
    assert f"{path}: opposite, 1 of 1" in lines


def test_facts_are_planted_in_no_other_copy_of_the_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rsse").mkdir()
    (tmp_path / "rsse" / "dev_sents.csv").write_text("INPUT:source,OUTPUT:output\nПришли гости.,Гости тут.\n", "utf-8")
    own = _write(tmp_path / "rows.jsonl", [("Ждали 5 дней.", "Ждали 5 дней.")])
    assert main(["--lang", "ru", "--set", str(own), "--data", str(tmp_path)]) == 1
    assert "These 1 sources are not those of RSSE dev" in capsys.readouterr().err


def test_an_unknown_set_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--set", "nothing"]) != 0
    assert "nothing" in capsys.readouterr().err


def test_checked_texts_keep_their_order() -> None:
    found = check(EnglishFactGuard(), ROWS)
    assert [(one.source, one.text) for one in found] == ROWS
    assert [one.kinds for one in found] == [set(), set(), set(), {"entity"}]
