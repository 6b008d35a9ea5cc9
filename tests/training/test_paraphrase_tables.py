"""Tables of paraphrases: the file, and what was judged of it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from rerank.errors import BadModel, ModelNotFound, UnknownName
from rerank.paraeval.table import FORMAT, HEAD, ParaphraseTable, bundled
from rewrite.errors import BadInput
from training.paraphrases.writing import packed, write_table

PAIRS = {("big house", "large home"): 0.5, ("large home", "big house"): 0.25, ("big house", "villa"): 0.125}
NOUNS = ["dog", "cat", "house", "tree", "book", "table", "river", "road"]
RUSSIAN_NOUNS = ["собака", "кошка", "дом", "дерево", "книга", "стол", "река", "дорога"]


def test_a_table_says_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "table.bin"
    write_table(path, PAIRS, "en")
    table = ParaphraseTable.open(path, language="en")
    assert table.of(("big", "house")) == pytest.approx({("large", "home"): 0.5, ("villa",): 0.125}, abs=1e-5)
    assert table.of(("large", "home")) == pytest.approx({("big", "house"): 0.25}, abs=1e-5)
    assert table.of(("villa",)) == table.of(("house",)) == table.of(()) == {}
    assert (len(table), table.pairs, table.longest, table.language) == (3, 3, 2, "en")
    assert packed(dict(reversed(PAIRS.items())), "en") == path.read_bytes()
    other = tmp_path / "other.bin"
    write_table(other, {**PAIRS, ("big house", "villa"): 0.5}, "en")
    assert ParaphraseTable.open(other).signature() != table.signature()


def test_every_phrase_of_a_larger_table_is_found(tmp_path: Path) -> None:
    pairs = {(f"слово {n}", f"слово {n + 1}"): (n + 1) / 1000 for n in range(999)}
    write_table(tmp_path / "table.bin", pairs, "ru")
    table = ParaphraseTable.open(tmp_path / "table.bin")
    for (phrase, other), probability in pairs.items():
        assert table.of(tuple(phrase.split())) == pytest.approx({tuple(other.split()): probability}, abs=1e-5)
    assert table.of(("слово",)) == {}


def test_tiny_probabilities_stay_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    write_table(tmp_path / "table.bin", {("a", "b"): 1e-9}, "en")
    assert 0 < ParaphraseTable.open(tmp_path / "table.bin").of(("a",))[("b",)] < 1e-4
    with pytest.raises(BadInput, match=r"1\.5"):
        packed({("a", "b"): 1.5}, "en")
    write_table(tmp_path / "empty.bin", {}, "en")
    empty = ParaphraseTable.open(tmp_path / "empty.bin")
    assert (len(empty), empty.longest, empty.of(("a",))) == (0, 0, {})


def test_a_table_of_another_language_is_refused(tmp_path: Path) -> None:
    write_table(tmp_path / "table.bin", PAIRS, "en")
    with pytest.raises(BadInput, match=r"'en'.*'ru'"):
        ParaphraseTable.open(tmp_path / "table.bin", language="ru")
    with pytest.raises(UnknownName, match="'zh'"):
        bundled("zh")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "empty"),
        (lambda data: b"PK\x03\x04" + data, "no table"),
        (lambda data: data[:20], "no table"),
        (lambda data: data[:-1], "bytes and should have"),
        (lambda data: data + b"\0", "bytes and should have"),
        (lambda data: _changed(data, len(data) - 3), "damaged"),
        (lambda data: _changed(data, HEAD.size + 2), "damaged"),
        (lambda data: data[:8] + struct.pack("<H", FORMAT + 1) + data[10:], f"of format {FORMAT + 1}"),
    ],
)
def test_broken_and_foreign_files_are_refused(damage, message: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "table.bin"
    path.write_bytes(damage(packed(PAIRS, "en")))
    with pytest.raises(BadModel, match=message) as caught:
        ParaphraseTable.open(path)
    assert str(path) in str(caught.value)
    assert caught.value.hint


def test_a_missing_table_is_told() -> None:
    with pytest.raises(ModelNotFound, match="no such table"):
        ParaphraseTable.open(Path("nowhere") / "table.bin")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_bundled_tables_have_paraphrases_both_ways(language: str) -> None:
    table = bundled(language)
    assert table.language == language
    assert len(table) > 1000
    for number in range(0, len(table), 97):
        phrase = table.phrase(number)
        for other, probability in table.of(phrase).items():
            assert 0 < probability <= 1
            assert phrase in table.of(other)
            assert len(phrase) <= table.longest


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_was_judged_is_in_the_bundled_table(language: str) -> None:
    path = Path(__file__).parents[2] / "training" / "paraphrases" / f"judged_{language}.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    table = bundled(language)
    assert len(rows) == 200
    assert all(tuple(other.split()) in table.of(tuple(one.split())) for one, other, *_ in rows)
    for reading in range(2, len(rows[0])):
        assert sum(row[reading] == "yes" for row in rows) >= 0.7 * len(rows)


def _changed(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
