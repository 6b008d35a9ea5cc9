"""Loaders of split-and-rephrase sets: the formats, and where a broken file is broken."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rewrite.datasets import Example
from rewrite.errors import BadInput, BadOption, RewriteError, UnknownName
from rewrite.evaluate import sets
from rewrite.evaluate.splitting_corpora import SETS, by_stops, load_websplit, load_wikisplit
from tests.paths import need_data

load_set = partial(sets.load_set, SETS)


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "part", "sources", "first"),
    [
        ("wikisplit", "validation", 5000, 2),
        ("wikisplit", "tune", 5000, 2),
        ("minwiki", "train", 18746, 2),
        ("desse", "valid", 43, 0),
        ("desse", "train", 13200, 0),
        ("bisect", "valid", 9079, 2),
    ],
)
def test_the_published_files_can_be_read(name: str, part: str, sources: int, first: int) -> None:
    data = load_set(name, need_data("wikisplit").parent, part=part)
    assert len(data.examples) == sources
    assert data.examples[0].sentences == first
    assert data.name == f"{name} {part}"
    texts = [text for example in data.examples for text in (example.source, *example.references)]
    assert not [text for text in texts if not text or "<::::>" in text or "<SEP>" in text or "\t" in text]


def test_sentences_of_minwiki_end_where_a_mark_stands_alone() -> None:
    data = load_set("minwiki", need_data("desse_minwiki").parent, limit=2)
    assert data.examples[1] == Example(
        "Baruchel tries to help David Krumholtz escape the sinkhole but he fails and also runs back to the house.",
        ("Baruchel tries to help David Krumholtz escape the sinkhole . He fails . He also runs back to the house .",),
        sentences=3,
    )
    assert by_stops("He met Mr. Hill in the U.S. Army . Was it so ? Yes ..") == [
        "He met Mr. Hill in the U.S. Army .",
        "Was it so ?",
        "Yes .",
    ]


def test_rows_are_counted_from_one_and_both_ends_belong(tmp_path: Path) -> None:
    rows = "".join(f"C {number} .\tA {number} . <::::> B {number} .\n" for number in range(1, 8))
    _write(tmp_path / "wikisplit" / "validation.tsv", rows)
    data = load_set("wikisplit", tmp_path, rows=(3, 5))
    assert data.name == "wikisplit validation 3-5"
    assert [example.source for example in data.examples] == ["C 3 .", "C 4 .", "C 5 ."]
    assert data.examples[0] == Example("C 3 .", ("A 3 . B 3 .",), sentences=2)
    assert load_set("wikisplit", tmp_path / "wikisplit", rows=(3, 5), limit=1).examples == data.examples[:1]
    assert load_set("wikisplit", tmp_path / "wikisplit" / "validation.tsv").name == "wikisplit"


def test_aligned_files_are_found_by_one_of_them(tmp_path: Path) -> None:
    source = _write(tmp_path / "bisect" / "test.src", "A b , and c .\nD .\n")
    _write(tmp_path / "bisect" / "test.dst", "A b . <SEP> C d . <SEP> E .\nD .")
    expected = (
        Example("A b , and c .", ("A b . C d . E .",), sentences=3),
        Example("D .", ("D .",), sentences=1),
    )
    assert load_set("bisect", tmp_path, part="test").examples == expected
    assert load_set("bisect", source).examples == expected


def test_a_reference_of_websplit_is_a_text_or_its_sentences(tmp_path: Path) -> None:
    rows = (
        '{"complex": "A b, c.", "references": ["A b. C."]}\n\n{"complex": "D.", "references": [["D.", "E."], "F."]}\n'
    )
    path = _write(tmp_path / "websplit" / "test.jsonl", rows)
    expected = (Example("A b, c.", ("A b. C.",)), Example("D.", ("D. E.", "F."), sentences=2))
    assert load_set("websplit", tmp_path).examples == load_set("websplit", path).examples == expected


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("A b .", "line 2: 0 tabs"),
        ("A b .\tA .\tB .", "line 2: 2 tabs"),
        ("A b .\tA . <::::> ", "line 2: an empty sentence in the pair 'A b .'"),
        ("\tA . <::::> B .", "line 2: an empty sentence"),
    ],
)
def test_a_broken_row_of_wikisplit_is_named(tmp_path: Path, row: str, message: str) -> None:
    path = _write(tmp_path / "tune.tsv", f"A b .\tA . <::::> B .\n{row}\n")
    with pytest.raises(BadInput) as caught:
        load_wikisplit(path)
    assert f"{path}, {message}" in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[]", "line 2: '[]' is not a JSON object"),
        ("{}", "line 2: no text under 'complex'"),
        ('{"complex": "A", "references": [}', "line 2, column 33"),
        ('{"complex": "A", "references": []}', "line 2: no list of texts"),
        ('{"complex": "A", "references": ["B", ""]}', "line 2: the reference '' is no text"),
        ('{"complex": "A", "references": [["B", 3]]}', "line 2: the reference \"['B', 3]\" is no text"),
    ],
)
def test_a_broken_row_of_websplit_is_named(tmp_path: Path, row: str, message: str) -> None:
    path = _write(tmp_path / "w.jsonl", f'{{"complex": "A", "references": ["B"]}}\n{row}\n')
    with pytest.raises(BadInput) as caught:
        list(load_websplit(path))
    assert f"{path}, {message}" in str(caught.value)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"valid.complex": "A\nB\n", "valid.simple": "A\n"}, "valid.simple has 1 lines"),
        ({"valid.complex": "A\nB\n", "valid.simple": "A\n\n"}, "valid.simple, line 2: an empty sentence"),
        ({"valid.complex": "A\n"}, "valid.simple"),
        ({"a.valid.complex": "A\n", "b.valid.complex": "A\n"}, "there is a.valid.complex, b.valid.complex"),
        ({"train.complex": "A\n"}, "should hold one file named *valid.complex, there is none"),
    ],
)
def test_files_that_are_not_aligned_are_named(tmp_path: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        _write(tmp_path / name, text)
    with pytest.raises(BadInput) as caught:
        load_set("desse", tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("web", {}, UnknownName, "No set 'web'"),
        ("wikisplit", {"part": "dev"}, BadOption, "no part 'dev'"),
        ("wikisplit", {"rows": (1, 3)}, BadOption, "no rows 1:3. It has rows 1:2"),
        ("wikisplit", {"rows": (0, 1)}, BadOption, "no rows 0:1"),
        ("wikisplit", {"rows": (2, 1)}, BadOption, "no rows 2:1"),
        ("wikisplit", {"part": "tune"}, BadInput, "should hold one file named *tune.tsv"),
    ],
)
def test_what_there_is_not_is_refused(
    tmp_path: Path, name: str, options: dict[str, object], error: type[RewriteError], message: str
) -> None:
    _write(tmp_path / "validation.tsv", "A b .\tA . <::::> B .\n" * 2)
    with pytest.raises(error) as caught:
        load_set(name, tmp_path, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
    _write(tmp_path / "empty.tsv", "")
    with pytest.raises(BadInput, match="holds no example"):
        load_set("wikisplit", tmp_path / "empty.tsv")
    with pytest.raises(BadOption, match="there is no part"):
        load_set("wikisplit", tmp_path / "validation.tsv", part="validation")
