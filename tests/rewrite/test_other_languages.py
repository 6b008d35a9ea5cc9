"""Lines in a language that nothing here knows: passed over, told in one line, and the same exit code in every verb."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rerank.masked.words import guess_language
from rewrite.judging.registry import JudgeOptions

GERMAN = "Die Bundesregierung hat am Dienstag beschlossen, den Mindestlohn nicht zu erhöhen."
UKRAINIAN = "Колись тут було велике місто, яке заснували козаки, але його зруйнували."
BULGARIAN = "Градът, основан през 1703 година, е голямо пристанище."
LINES = ["", GERMAN, UKRAINIAN, GERMAN, BULGARIAN]


@pytest.mark.parametrize(
    ("verb", "reason"),
    [
        ("simplify", "It does not look like Russian or English."),
        ("split", "It does not look like English."),
        ("compress", "No masked language model for the language of this text is bundled"),
    ],
)
def test_lines_are_passed_over_and_told_at_once(
    verb: str, reason: str, tmp_path: Path, run_command: Callable[..., int], capfd: Any
) -> None:
    (tmp_path / "lines").write_text("\n".join([*LINES, ""]), encoding="utf-8")
    assert run_command(verb, "--processes", "1", "-i", str(tmp_path / "lines")) == 3
    out, err = capfd.readouterr()
    assert out.splitlines() == LINES
    assert err.startswith(f"rewrite: 4 lines passed over, the first line 2: {GERMAN[:60]!r}: {reason}")
    assert err.count("\n") == 1
    assert run_command(verb, "--format", "jsonl", BULGARIAN) == 3
    out, err = capfd.readouterr()
    assert json.loads(out)["error"].startswith(reason)
    assert err.startswith(f"rewrite: {BULGARIAN[:60]!r}: {reason}")


def test_so_are_sources_of_candidates(tmp_path: Path, run_command: Callable[..., int], capfd: Any) -> None:
    (tmp_path / "pools").write_text("".join(f"{line}\tТекст.\n" for line in LINES[1:]), encoding="utf-8")
    told = f"4 {{}}s passed over, the first {{}} 1: {GERMAN[:60]!r}: It does not look like Russian or English.\n"
    assert run_command("rerank", "--processes", "1", "-i", str(tmp_path / "pools")) == 3
    assert capfd.readouterr() == ("\n".join([*LINES[1:], ""]), "rewrite: " + told.format("source", "source"))
    assert run_command("score", "--processes", "1", "-i", str(tmp_path / "pools")) == 3
    assert capfd.readouterr() == ("\n\n\n\n", "rewrite: " + told.format("line", "line"))


def test_russian_that_is_told_is_not_guessed(run_command: Callable[..., int], capfd: Any) -> None:
    assert run_command("simplify", "--lang", "ru", UKRAINIAN) == 0
    assert capfd.readouterr().err == ""


def test_a_region_makes_no_difference_to_a_judge() -> None:
    rouge = JudgeOptions(metric="source-rouge1", lang="en-US").create()
    assert rouge.signature() == JudgeOptions(metric="source-rouge1", lang="en").create().signature()


@pytest.mark.parametrize("text", ["Київ — столиця України.", "Беларусь — краіна ва Усходняй Еўропе."])
def test_a_short_line_of_names_with_letters_of_a_neighbour_is_not_russian(text: str) -> None:
    assert guess_language(text) == "other"
    assert guess_language("Газета «Українська правда» и город Бахмут ещё не названы.") == "ru"


def test_a_word_to_keep_that_is_in_no_line_is_told_beside_lines_in_another_language(
    tmp_path: Path, run_command: Callable[..., int], capfd: Any
) -> None:
    (tmp_path / "lines").write_text(f"Дом, который построил Джек, стоит у реки.\n{GERMAN}\n", encoding="utf-8")
    assert run_command("simplify", "--generator", "edits", "--keep", "слон", "-i", str(tmp_path / "lines")) == 2
    assert "--keep слон" in capfd.readouterr().err


def test_an_address_alone_is_in_no_language(run_command: Callable[..., int], capfd: Any) -> None:
    address = "https://example.com/a/b/c/d/e/f"
    assert run_command("simplify", "--generator", "edits", address) == 0
    assert capfd.readouterr() == (f"{address}\n", "")
