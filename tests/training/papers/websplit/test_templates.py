"""Texts become templates, and a system of Table 3 writes by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rewrite.splitting.triples.template_book import load_templates
from rewrite.splitting.triples.triple import parse_triple
from tests.training.papers.websplit.small import BORN, CLUB, SEAT
from training.papers.websplit.__main__ import main
from training.papers.websplit.templates import delexicalise, small_words, usual_names

SMALL = small_words(
    ["the a is was born in plays for club of whose ground also known as he in whose of that is also its team s"] * 3
)


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("Ada Bell plays for the A.C. Cork.", "{0} plays for {1}."),
        ('The club of "Ada Bell" is AC Cork', "The club of {0} is {1}."),
        ("Ada Bell's club is A.C. Cork .", "{0}'s club is {1}."),
        ("The club of Ada is A.C. Cork.", None),
        ("Ada Bell, of Dublin, plays for A.C. Cork.", None),
        ("Ada Bell plays for A.C. Cork in 1909.", None),
        ("Ada Bell is known for his club A.C. Cork.", None),
        ("Ada Bell club is A.C. Cork.", None),
        ("Ada Bell plays plays for A.C. Cork.", None),
        ("Ada Bell A.C. Cork.", None),
        ("Ada Bell wubbles for A.C. Cork.", None),
    ],
)
def test_texts_with_other_names_numbers_or_gender_teach_nothing(text: str, template: str | None) -> None:
    assert delexicalise([text], [parse_triple(CLUB)], SMALL) == template


def test_sentences_stand_a_line_each_and_share_their_slots() -> None:
    triples = [parse_triple(CLUB), parse_triple(SEAT)]
    found = delexicalise(["Ada Bell plays for A.C. Cork.", "The ground of AC Cork is Old Park."], triples, SMALL)
    assert found == "{0} plays for {1}.\nThe ground of {1} is {2}."
    assert delexicalise(["Ada Bell plays for A.C. Cork."], triples, SMALL) is None


def test_usual_names_are_those_of_most_texts() -> None:
    triples = [parse_triple("Ada | country | United_States"), parse_triple("Ada | eats | Beef")]
    texts = ["Ada is in the United States.", "Ada is in the United States.", "In the U.S. is Ada.", "Ada eats beef."]
    assert usual_names((text, triples) for text in texts) == {"United_States": "the United States", "Beef": "beef"}


def test_the_command_and_the_system(benchmark_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, book, run = benchmark_folder, tmp_path / "book.json.gz", tmp_path / "split-templates"
    assert main(["templates", "--benchmark", str(folder), "--out", str(book)]) == 0
    first = book.read_bytes()
    assert main(["templates", "--benchmark", str(folder), "--out", str(book)]) == 0
    assert book.read_bytes() == first
    assert "2 of 1" in capsys.readouterr().out
    found = load_templates(book)
    assert {one.text for one in found.templates["club 0-1"]} == {"{0} plays for {1}.", "{1} is the club of {0}."}
    assert [one.text for one in found.templates["birthPlace 0-1"]] == ["{0} was born in {1}."]
    assert BORN.split(" | ")[1] in found.categories
    assert main(["train", "split-templates", "--benchmark", str(folder), "--out", str(run)]) == 0
    for command in ("decode", "evaluate"):
        assert main([command, str(run), "--benchmark", str(folder), "--side", "train"]) == 0
    written = (run / "outputs-paper-train.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line)["text"].count(".") >= 2 for line in written)
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("SPLIT-TEMPLATES"))
    assert row.split()[1] == "100.00"
    assert row.split()[2] == "2.00"
