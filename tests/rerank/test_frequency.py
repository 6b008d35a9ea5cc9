"""Word frequencies against wordfreq itself and against small lists."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import wordfreq

from rerank import frequency
from rerank.errors import BadInput, ModelNotFound
from rerank.frequency import FrequencyFile, Wordfreq, create_frequencies, fold


@pytest.fixture(scope="module")
def listed() -> list[str]:
    words = [word for bucket in wordfreq.get_frequency_list("ru", "large") for word in bucket]
    return words[:2000] + words[2000::97]


@pytest.fixture(scope="module")
def loaded() -> Wordfreq:
    return Wordfreq()


def test_equal_to_wordfreq_but_for_the_folded_letter(loaded: Wordfreq, listed: list[str]) -> None:
    everything = wordfreq.get_frequency_dict("ru", "large")
    ambiguous = {fold(word) for word in everything if "ё" in word}
    plain = [word for word in listed if fold(word) not in ambiguous and not any(c.isdigit() for c in word)]
    assert len(plain) > 8_000
    found = loaded.lookup(plain)
    assert {word: found[word] for word in plain} == {word: wordfreq.word_frequency(word, "ru") for word in plain}


def test_both_spellings_have_the_sum(loaded: Wordfreq) -> None:
    found = loaded.lookup(["ещё", "еще", "ЕЩЁ"])
    total = wordfreq.word_frequency("ещё", "ru") + wordfreq.word_frequency("еще", "ru")
    assert found["ещё"] == found["еще"] == found["ЕЩЁ"] == pytest.approx(total, rel=1e-3)


def test_hyphenated_words_combine_their_parts(loaded: Wordfreq) -> None:
    found = loaded.lookup(["что-то", "северо-восточный", "кошка-ъъъъ"])
    assert found["северо-восточный"] == pytest.approx(wordfreq.word_frequency("северо-восточный", "ru"), rel=5e-3)
    assert found["что-то"] == pytest.approx(wordfreq.word_frequency("что-то", "ru"), rel=5e-3)
    assert found["кошка-ъъъъ"] == 0.0


@pytest.mark.parametrize("word", ["", "ъъъъъ", "123456", "-", "—", "\ud800", "слово" * 100])
def test_unknown_words_have_none(loaded: Wordfreq, word: str) -> None:
    assert loaded.lookup([word])[word] == 0.0


def test_scanning_and_indexing_agree(listed: list[str]) -> None:
    few, many = Wordfreq(), Wordfreq()
    sample = listed[::211]
    scanned = few.lookup(sample)
    for number in range(15):
        many.lookup([f"никакоеслово{number}"])
    assert many.lookup(sample) == scanned


def test_signature_names_the_version(loaded: Wordfreq) -> None:
    assert loaded.signature().startswith("wordfreq-")


def test_a_list_is_shares_of_its_sum(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("что 50\nЁж 20\nеж 10\n\nпо-русски 20\n", encoding="utf-8")
    frequencies = create_frequencies(str(path))
    found = frequencies.lookup(["Что", "ёж", "еж", "по-русски", "кот"])
    assert found == {"Что": 0.5, "ёж": 0.3, "еж": 0.3, "по-русски": 0.2, "кот": 0.0}


def test_signature_follows_the_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "words.txt", tmp_path / "other" / "words.txt"
    two.parent.mkdir()
    one.write_text("да 1\nнет 2\n", encoding="utf-8")
    two.write_text("да 2\nнет 1\n", encoding="utf-8")
    assert FrequencyFile(one).signature() != FrequencyFile(two).signature()


@pytest.mark.parametrize("line", ["слово", "слово много", "слово -3", "7"])
def test_a_malformed_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "words.txt"
    path.write_text(f"да 1\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2"):
        FrequencyFile(path).lookup(["да"])


def test_a_missing_or_empty_list(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match="absent"):
        FrequencyFile(tmp_path / "absent.txt").lookup(["да"])
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no words"):
        FrequencyFile(tmp_path / "empty.txt").lookup(["да"])


def test_a_list_that_threads_share_answers_all_alike() -> None:
    shared, alone = Wordfreq("en"), Wordfreq("en")
    words = [f"{word}{end}" for word in ("town", "bridge", "build", "fire", "house") for end in ("", "s", "ed", "ing")]
    expected = alone.lookup(words)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda word: shared.lookup([word])[word], words * 6))
    assert found == [expected[word] for word in words * 6]


def test_all_of_a_process_read_one_list() -> None:
    assert frequency.shared_wordfreq("en") is frequency.shared_wordfreq("en") is not frequency.shared_wordfreq("ru")


def test_a_child_that_was_forked_while_a_thread_read_can_read() -> None:
    with frequency._reading:
        child = os.fork()
        if not child:
            os._exit(0 if Wordfreq("en").lookup(["house"])["house"] > 0 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_list_can_be_copied() -> None:
    assert pickle.loads(pickle.dumps(Wordfreq("en"))).lookup(["house"])["house"] > 0
