"""The command `python -m training.filter`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rewrite.errors import BadOption
from training import filter as command
from training.command import duration
from training.filter import main, open_filter
from training.filtering.run import run_filter
from training.filtering.thresholds import FilterOptions, Thresholds
from training.pairs import BAD_ROWS, PairFile

ENGLISH = "source\ttarget\nThe old house was built by a family of seven.\tA family built the old house.\n"


def recipe(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_alone_is_filtered_with_the_defaults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(ENGLISH, encoding="utf-8")
    out = tmp_path / "out"
    assert main([str(path), "--language", "en", "--out", str(out), "--jobs", "1"]) == 0
    assert "1 of 1 pairs kept (100.0%)" in capsys.readouterr().out
    assert json.loads((out / "pairs.jsonl").read_text()) == {
        "source": "The old house was built by a family of seven.",
        "target": "A family built the old house.",
    }
    given = open_filter(["a.tsv", "b.csv.gz"], out).recipe
    assert given.filter == FilterOptions.model_validate({"pairs": ["a.tsv", "b.csv.gz"]})
    assert given.language == "ru"


def test_a_recipe_says_what_and_how_and_the_command_how_many_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
name: small
language: en
filter:
  pairs:
    - "{data}/one.tsv"
    - {path: "{out}/two.csv", source: a, target: b}
  max_words: 50
  jobs: 3
"""
    (tmp_path / "out").mkdir()
    (tmp_path / "one.tsv").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "out" / "two.csv").write_text("a,b\nThe mill by the river is old and broken.,The mill is old.\n")
    asked: list[FilterOptions] = []
    monkeypatch.setattr(
        command, "run_filter", lambda run, options, **_: asked.append(options) or run_filter(run, options)
    )
    flags = ["--out", str(tmp_path / "out"), "--data", str(tmp_path), "--jobs", "1", "--bad-rows", "0.5"]
    assert main([recipe(tmp_path, text), *flags]) == 0
    assert "2 of 2 pairs kept (100.0%)" in capsys.readouterr().out
    assert [(options.jobs, options.bad_rows, options.max_words) for options in asked] == [(1, 0.5, 50)]


def test_one_path_needs_no_list(tmp_path: Path) -> None:
    options = open_filter([recipe(tmp_path, "name: a\nfilter: {pairs: one.tsv}\n")], tmp_path).recipe.filter
    assert options is not None
    assert [spec.path for spec in options.pairs] == ["one.tsv"]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("filter: {pairs: a.tsv, copy_limt: 0.9}", r"filter\.copy_limt: unknown key \(did you mean copy_limit\?\)"),
        (
            "filter: {pairs: a, thresholds: {lenght: 1}}",
            r"filter\.thresholds\.lenght: unknown key \(did you mean length\?\)",
        ),
        ("filter: {pairs: [{path: a, sorce: x}]}", r"sorce: unknown key \(did you mean source\?\)"),
        (
            "filter: {pairs: a, thresholds: {length: 2}}",
            r"filter\.thresholds\.length is 2: it should be less than or equal to 1",
        ),
        ("filter: {}", r"filter\.pairs: missing"),
    ],
)
def test_a_broken_recipe_names_the_key(tmp_path: Path, section: str, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        open_filter([recipe(tmp_path, f"name: a\n{section}\n")], tmp_path)


def test_a_recipe_stands_alone(tmp_path: Path) -> None:
    path = recipe(tmp_path, "name: a\nfilter: {pairs: a.tsv}\n")
    with pytest.raises(BadOption, match=r"and 'b\.tsv'"):
        open_filter([path, "b.tsv"], tmp_path)
    with pytest.raises(BadOption, match="and --language"):
        open_filter([path], tmp_path, language="en")


def test_errors_are_one_line_and_an_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.tsv"), "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err == (
        f"filter: Cannot read '{tmp_path}/none.tsv': No such file or directory. Check the path.\n"
    )
    path = tmp_path / "pairs.tsv"
    path.write_text(ENGLISH, encoding="utf-8")
    assert main([recipe(tmp_path, "name: a\n"), "--out", str(tmp_path / "out")]) == 2
    assert "has no section filter" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main([str(path), "--language", "en", "--out", str(tmp_path / "file")]) == 1
    assert "Cannot write" in capsys.readouterr().err


def test_malformed_rows_are_told_of_where_all_goes_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.tsv"
    for bad in (0, 2):
        path.write_text(ENGLISH.splitlines(keepends=True)[1] * 40 + "one field\n" * bad, encoding="utf-8")
        assert main([str(path), "--language", "en", "--out", str(tmp_path / f"out{bad}"), "--jobs", "1"]) == 0
        shown = capsys.readouterr().out
        assert (f"2 of 42 rows are malformed, left out:\n  {path}, line 41: fields: 1, expected 2\n" in shown) == bool(
            bad
        )


def test_control_c_is_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run_filter", interrupted)
    assert main(["a.tsv", "--out", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "filter: stopped\n"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


PAGE = Path(__file__).resolve().parents[2] / "docs" / "filter.md"


def test_the_example_of_the_page_is_what_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (pairs,), (written, dropped), (shown,) = (
        re.findall(rf"^```{kind}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
        for kind in ("text", "json", "markdown")
    )
    monkeypatch.chdir(tmp_path)
    Path("pairs.tsv").write_text(pairs, encoding="utf-8")
    assert main(["pairs.tsv", "--out", "filtered", "--jobs", "1"]) == 0
    assert written in Path("filtered/pairs.jsonl").read_text(encoding="utf-8")
    assert dropped in Path("filtered/dropped.jsonl").read_text(encoding="utf-8")
    report = Path("filtered/filter-report.md").read_text(encoding="utf-8")
    assert report == shown


def test_the_recipe_of_the_page_is_one_and_every_option_is_on_it(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    options = open_filter([recipe(tmp_path, text)], tmp_path).recipe.filter
    assert options is not None
    assert options.thresholds.similarity == 0.4
    for section in (FilterOptions, Thresholds):
        for name in section.model_fields:
            assert re.search(rf"\b{name}\b", page), name
    shared = (PAGE.parent / "training.md").read_text(encoding="utf-8")
    assert [name for name in PairFile.model_fields if f"`{name}`" not in shared] == []
    assert f"`bad_rows` ({BAD_ROWS:g})" in shared
