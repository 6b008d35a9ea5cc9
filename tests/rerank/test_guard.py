"""What both fact guards stand on: lists read from files, facts found once, sources remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rerank.guard import Facts, Guard, Violation, roman
from rerank.wordlists import WordLists


@pytest.fixture
def lists(tmp_path: Path) -> WordLists:
    file = tmp_path / "lists.txt"
    file.write_text("# a comment\n\n[marks]\n. , ;\n!\n\n[values]\n1: one single\n2: two\n1: sole\n", encoding="utf-8")
    return WordLists(file)


def test_a_list_is_read_as_rows_words_or_classes(lists: WordLists) -> None:
    assert lists.rows("marks") == [". , ;", "!"]
    assert lists.sequence("marks") == (".", ",", ";", "!")
    assert lists.words("marks") == {".", ",", ";", "!"}
    assert lists.groups("values") == {"1": ["one", "single", "sole"], "2": ["two"]}
    assert lists.classes("values") == {"one": "1", "single": "1", "sole": "1", "two": "2"}
    with pytest.raises(KeyError):
        lists.words("others")


def test_facts_are_found_once_and_copies_pass() -> None:
    asked = []

    def length(words: list[str]) -> int:
        asked.append(words)
        return len(words)

    def twice(facts: Facts[list[str]]) -> int:
        return 2 * facts.of(length)

    def longer(source: Facts[list[str]], candidate: Facts[list[str]]) -> Iterator[Violation]:
        if candidate.derived(twice) > source.derived(twice) and candidate.of(length):
            yield Violation("number", candidate.text, "longer")

    guard = Guard(lambda text: Facts(text, text.split()), (longer, longer), cache_size=1)
    assert guard.check_all("a b", ["a b c", "a b", "a", "a b c"]) == [
        [Violation("number", "a b c", "longer")],
        [],
        [],
        [Violation("number", "a b c", "longer")],
    ]
    assert asked == [["a", "b", "c"], ["a", "b"], ["a"]]
    guard.check("b", "c")
    assert guard._facts.cache_info().currsize == 1


@pytest.mark.parametrize(("text", "value"), [("XIX", 19), ("IV", 4), ("", 0), ("IIX", 0), ("Mix", 0)])
def test_roman_numerals(text: str, value: int) -> None:
    assert roman(text) == value
