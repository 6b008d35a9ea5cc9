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
from training.filter import main, make_job
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
    job = make_job(["a.tsv", "b.csv.gz"], out)
    assert job.options == FilterOptions.model_validate({"pairs": ["a.tsv", "b.csv.gz"]})
    assert (job.name, job.language) == ("a.tsv and 1 more", "ru")


def test_a_recipe_says_what_and_how(tmp_path: Path) -> None:
    text = """
name: small
language: en
seed: 5
filter:
  pairs:
    - "{data}/one.tsv"
    - {path: "{out}/two.csv", source: a, target: b}
  max_words: 50
  jobs: 3
"""
    job = make_job([recipe(tmp_path, text)], tmp_path / "out", data=str(tmp_path))
    assert (job.name, job.language, job.seed) == ("small", "en", 5)
    assert [job.locate(spec.path) for spec in job.options.pairs] == [tmp_path / "one.tsv", tmp_path / "out" / "two.csv"]
    assert (job.options.max_words, job.options.jobs) == (50, 3)
    assert make_job([recipe(tmp_path, text)], tmp_path / "out", jobs=1).options.jobs == 1


def test_one_path_needs_no_list(tmp_path: Path) -> None:
    job = make_job([recipe(tmp_path, "name: a\nfilter: {pairs: one.tsv}\n")], tmp_path)
    assert [spec.path for spec in job.options.pairs] == ["one.tsv"]


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
        ("seed: 1", "has no section filter"),
    ],
)
def test_a_broken_recipe_names_the_key(tmp_path: Path, section: str, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        make_job([recipe(tmp_path, f"name: a\n{section}\n")], tmp_path)


def test_a_recipe_stands_alone(tmp_path: Path) -> None:
    path = recipe(tmp_path, "name: a\nfilter: {pairs: a.tsv}\n")
    with pytest.raises(BadOption, match=r"and 'b\.tsv'"):
        make_job([path, "b.tsv"], tmp_path)
    with pytest.raises(BadOption, match="and --language"):
        make_job([path], tmp_path, language="en")


def test_errors_are_one_line_and_an_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.tsv"), "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err == (
        f"filter: Cannot read '{tmp_path}/none.tsv': No such file or directory. Check the path.\n"
    )
    path = tmp_path / "pairs.tsv"
    path.write_text(ENGLISH, encoding="utf-8")
    assert main([str(path), str(path), "--language", "en", "--out", str(tmp_path / "out")]) == 2
    assert "is given twice" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main([str(path), "--language", "en", "--out", str(tmp_path / "file")]) == 1
    assert "Cannot write" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "told"),
    [(0, ""), (1, "1 malformed row left out: {}, line 41"), (2, "2 malformed rows left out, first: {}, line 41")],
)
def test_malformed_rows_are_told_of_where_all_goes_well(
    rows: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(ENGLISH.splitlines(keepends=True)[1] * 40 + "one field\n" * rows, encoding="utf-8")
    assert main([str(path), "--language", "en", "--out", str(tmp_path / "out"), "--jobs", "1"]) == 0
    shown = capsys.readouterr().out
    assert told.format(path) in shown
    assert ("left out" in shown) == bool(rows)


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
    pairs, written, shown = (
        re.findall(rf"^```{kind}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)[0]
        for kind in ("text", "json", "markdown")
    )
    monkeypatch.chdir(tmp_path)
    Path("pairs.tsv").write_text(pairs, encoding="utf-8")
    assert main(["pairs.tsv", "--out", "filtered", "--jobs", "1"]) == 0
    assert written in Path("filtered/pairs.jsonl").read_text(encoding="utf-8")
    report = Path("filtered/filter-report.md").read_text(encoding="utf-8")
    assert report[: report.index("\n## ")] == shown


def test_the_recipe_of_the_page_is_one_and_every_option_is_on_it(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    assert make_job([recipe(tmp_path, text)], tmp_path).options.thresholds.similarity == 0.4
    for section in (FilterOptions, Thresholds):
        for name in section.model_fields:
            assert re.search(rf"\b{name}\b", page), name
    shared = (PAGE.parent / "training.md").read_text(encoding="utf-8")
    assert [name for name in PairFile.model_fields if f"`{name}`" not in shared] == []
    assert f"`bad_rows` ({BAD_ROWS:g})" in shared
