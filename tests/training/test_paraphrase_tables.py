"""Tables of paraphrases: the file, what is drawn of it to be judged, and how far it reaches."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from rerank.errors import BadModel, ModelNotFound, UnknownName
from rerank.paraeval.table import FORMAT, HEAD, ParaphraseTable, bundled
from rewrite.datasets import Example
from rewrite.errors import BadInput
from training.paraphrases.grammar import list_grammar
from training.paraphrases.reach import reach
from training.paraphrases.sample import drawn, summary
from training.paraphrases.sample import main as sample
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


def test_samples_are_drawn_by_seed_and_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(tmp_path / "table.bin", {pair: 0.5 for a, b in PAIRS for pair in [(a, b), (b, a)]}, "en")
    assert sorted(drawn(ParaphraseTable.open(tmp_path / "table.bin"), 9, 1)) == [
        ("big house", "large home"), ("big house", "villa"),
    ]  # fmt: skip
    assert sample([str(tmp_path), "--count", "1", "--seed", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    rows = [["a b", "c", "yes", "no"], ["a", "b", "yes", "yes"], ["d", "e", "no", "no"]]
    assert list(summary(rows)) == [
        "all, reading 1: 2 of 3, 66.7%",
        "all, reading 2: 1 of 3, 33.3%",
        "single words, reading 1: 1 of 2, 50.0%",
        "single words, reading 2: 1 of 2, 50.0%",
        "others, reading 1: 1 of 1, 100.0%",
        "others, reading 2: 0 of 1, 0.0%",
        "the readings agree on 2 of 3",
    ]
    with pytest.raises(BadInput, match="Line 3"):
        list(summary([*rows[:1], ["a", "b", "perhaps", "no"]]))


def test_reach_counts_words_that_the_source_has_not(tmp_path: Path) -> None:
    write_table(tmp_path / "table.bin", {("big house", "villa"): 0.5, ("villa", "big house"): 0.5}, "en")
    table = ParaphraseTable.open(tmp_path / "table.bin")
    examples = [Example("The villa was sold.", ("A big house was bought.", "The villas burnt."))]
    # Of big, house, bought, villas and burnt all but villas are new to the source; big house is found.
    assert reach(table, examples, list_grammar(), lambda word: word.removesuffix("s")) == (5, 4, 2)


@pytest.mark.parametrize(("language", "seed"), [("en", 41), ("ru", 42)])
def test_what_was_judged_is_in_the_bundled_table(language: str, seed: int) -> None:
    path = Path(__file__).parents[2] / "training" / "paraphrases" / f"judged_{language}.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert [(one, other) for one, other, *_ in rows] == drawn(bundled(language), 200, seed)
    for reading in range(2, len(rows[0])):
        assert sum(row[reading] == "yes" for row in rows) >= 0.7 * len(rows)


def _changed(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
