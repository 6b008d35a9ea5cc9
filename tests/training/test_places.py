"""Sentences found by their places, and lines of the data folder, packed or not."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from rerank.errors import BadInput
from training.places import Places, detokenised


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, text in (
        ("ru_mono/news_ng.txt.xz", "Первый абзац .\n\n Закон « О связи » принят .\n"),
        ("parallel_enru/tico19.tsv.xz", "One.\tРаз.\n Two. \t Два. "),
        ("wikisplit/validation.tsv", "He left , and she stayed .\tHe left . <::::> She stayed .\n"),
        ("scitldr/train.jsonl", '{"source": ["We show that it works well.", "It is fast enough for us."]}'),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(lzma.compress(text.encode()) if name.endswith(".xz") else text.encode())
    return tmp_path


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("ng:0", "Первый абзац ."),
        ("ng:2", "Закон « О связи » принят ."),
        ("ng:2:6-15", "«О связи»"),
        ("tico:1", "Два."),
        ("tico19:1", "Two."),
        ("wikisplit-validation:0", "He left, and she stayed."),
        ("scitldr:0:1", "It is fast enough for us."),
    ],
)
def test_a_place_names_a_sentence(data: Path, place: str, text: str) -> None:
    assert Places(data).text(place) == text


def test_judged_splits_have_wikisplits_own_spaces(data: Path) -> None:
    assert Places(data, detokenise=False).text("wikisplit-validation:0") == "He left , and she stayed ."


@pytest.mark.parametrize("place", ["attic:3", "ng:3", "tico:x", "scitldr:0:9", "attic:0:1"])
def test_a_place_that_is_not_there_is_named(data: Path, place: str) -> None:
    with pytest.raises(BadInput, match=f"no place '{place}'"):
        Places(data).text(place)


def test_marks_that_stand_apart_are_put_back() -> None:
    assert detokenised("Закон « О связи » ( 2003 ) , статья 4 .") == "Закон «О связи» (2003), статья 4."
