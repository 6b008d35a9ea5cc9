"""Tables of paraphrases: the file, and what was judged of it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rerank.errors import BadModel, ModelNotFound, UnknownName
from rerank.paraeval.table import TABLE, PairTable, bundled, open_paraphrases, read_table, require_language
from rewrite.errors import BadInput
from training.paraphrases.writing import write_table

PAIRS = {("big house", "large home"): 0.5, ("large home", "big house"): 0.25, ("big house", "villa"): 0.125}


def test_a_table_says_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / TABLE
    write_table(path, PAIRS, "en")
    table = open_paraphrases(tmp_path)
    assert isinstance(table, PairTable)
    assert table.of(("big", "house")) == {("large", "home"): 0.5, ("villa",): 0.125}
    assert table.of(("large", "home")) == {("big", "house"): 0.25}
    assert table.of(("villa",)) == table.of(("house",)) == table.of(()) == {}
    assert (len(table.phrases), table.longest, table.language) == (2, 2, "en")
    other = tmp_path / "other.gz"
    write_table(other, dict(reversed(PAIRS.items())), "en")
    assert other.read_bytes() == path.read_bytes()
    write_table(other, {**PAIRS, ("big house", "villa"): 0.5}, "en")
    assert read_table(other).signature() != table.signature() == read_table(path).signature()


def test_the_longest_phrase_may_be_a_paraphrase_alone(tmp_path: Path) -> None:
    write_table(tmp_path / TABLE, {("villa", "a big old house"): 0.5}, "en")
    assert read_table(tmp_path / TABLE).longest == 4


def test_tiny_probabilities_stay_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / TABLE
    write_table(path, {("a", "b"): 1e-9, ("b", "a"): 1 + 1e-12}, "en")
    assert read_table(path).of(("a",)) == {("b",): 1e-9}
    assert read_table(path).of(("b",)) == {("a",): 1}
    with pytest.raises(BadInput, match=r"1\.5"):
        write_table(path, {("a", "b"): 1.5}, "en")
    write_table(path, {}, "en")
    empty = read_table(path)
    assert (len(empty.phrases), empty.longest, empty.of(("a",))) == (0, 0, {})


def test_a_table_of_another_language_is_refused(tmp_path: Path) -> None:
    write_table(tmp_path / TABLE, PAIRS, "en")
    with pytest.raises(BadInput, match=r"'en'.*'ru'"):
        require_language(read_table(tmp_path / TABLE), "ru")
    with pytest.raises(UnknownName, match="'zh'"):
        bundled("zh")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "no language"),
        (lambda data: b"PK\x03\x04" + data, "gzip"),
        (lambda data: data[:-1], "ended"),
        (lambda data: data + b"!", "gzip"),
        (lambda data: _changed(data, len(data) - 7), "CRC"),
        (lambda data: gzip.compress(b"one\ttwo\t1"), "no language"),
        (lambda data: gzip.compress(b"en\none\ttwo"), "unpack"),
        (lambda data: gzip.compress(b"en\none\ttwo\tx"), "float"),
        (lambda data: gzip.compress(b"en\none\ttwo\t2"), r"2\.0 is not in \(0, 1\]"),
        (lambda data: gzip.compress(b"\xff"), "utf-8"),
    ],
)
def test_broken_and_foreign_files_are_refused(damage, message: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / TABLE
    write_table(path, PAIRS, "en")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BadModel, match=message) as caught:
        read_table(path)
    assert str(path) in str(caught.value)
    assert caught.value.hint


def test_a_missing_table_is_told() -> None:
    with pytest.raises(ModelNotFound, match="no such table"):
        read_table(Path("nowhere") / TABLE)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_bundled_tables_have_paraphrases_both_ways(language: str) -> None:
    table = bundled(language)
    assert table.language == language
    assert len(table.phrases) > 1000
    for phrase in sorted(table.phrases)[::97]:
        assert len(phrase) <= table.longest
        for other, probability in table.of(phrase).items():
            assert 0 < probability <= 1
            assert phrase in table.of(other)


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
