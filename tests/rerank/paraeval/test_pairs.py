"""Tables of one's own pairs, and texts as words."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.errors import BadInput
from rerank.paraeval.table import PairTable, require_language
from rerank.paraeval.word_keys import read


def test_pairs_hold_in_both_directions_with_the_higher_probability(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("Blowing up\tbombing\t0.5\n\nbombing\tblowing up\t0.25\nвзял всё\tвзял все\n", encoding="utf-8")
    table = PairTable.read(path)
    assert table.of(("bombing",)) == {("blowing", "up"): 0.5}
    assert table.of(("blowing", "up")) == {("bombing",): 0.5}
    # ё is е, so these two are the same.
    assert table.of(("взял", "все")) == {}
    assert table.longest == 2
    assert table.signature() == PairTable([("bombing", "blowing up", 0.5)]).signature()
    assert table.signature() != PairTable([("bombing", "blowing up", 0.4)]).signature()
    assert PairTable(()).longest == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("one", "line 2: 'one' is not"),
        ("a\tb\tc\td", "is not"),
        ("a\tb\tx", "is not"),
        ("a\tb\t0", r"0\.0 is not in \(0, 1\]"),
        ("a\tb\tnan", "nan is not in"),
        ("a\t…", "'…' is no phrase"),
        ("a, b\tc", "'a, b' is no phrase"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(f"good\tfine\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        PairTable.read(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.tsv"):
        PairTable.read(tmp_path / "none.tsv")


def test_words_have_their_places_and_stretches() -> None:
    found = read("Ёж, can't — U.S.\nlong-term kg!", "en")
    assert found.words == ("еж", "can", "t", "u", "s", "long", "term", "kg")
    assert [found.text[a:b] for a, b in found.places] == ["Ёж", "can", "t", "U", "S", "long", "term", "kg"]
    assert found.said(1, 5) == "can't — U.S"
    phrases = [" ".join(phrase) for *_, phrase in found.phrases(2)]
    assert phrases == ["еж", "can", "can t", "t", "u", "u s", "s", "long", "long term", "term", "term kg", "kg"]


def test_russian_words_are_whole() -> None:
    found = read("Из-за 3.5 кг, что-то", "ru")
    assert found.words == ("из-за", "3.5", "кг", "что-то")
    assert found.stretches == (0, 0, 0, 1)


def test_a_table_is_of_the_language_that_was_given() -> None:
    pairs = [("the car", "the automobile", 1.0)]
    assert (PairTable(pairs).language, PairTable(pairs, language="en").language) == ("", "en")
    assert set(PairTable(pairs).phrases) == {("the", "car"), ("the", "automobile")}


def test_a_table_in_another_script_is_refused_and_no_other() -> None:
    russian = PairTable([("взрыв", "подрыв", 0.5)])
    with pytest.raises(BadInput, match="No word of the paraphrases is in the script of the texts, 'en'"):
        require_language(russian, "en")
    for table, language in ((russian, "ru"), (russian, "zh"), (PairTable(()), "en")):
        assert require_language(table, language) is table
