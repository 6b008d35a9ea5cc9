"""Which pronoun stands for a subject."""

from __future__ import annotations

import pytest

from rewrite.splitting.pronouns import pronoun_of
from tests.rewrite.splitting.marking import number, words_in


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        ("Ann Brown left Rome in May.", "Ann", "she"),
        ("John Brown left Rome in May.", "John", "he"),
        ("Linda left Rome in May.", "Linda", "she"),
        ("Queen Margrethe left Rome in May.", "Margrethe", "she"),
        ("Tom and Ann left Rome in May.", "Tom", "they"),
        ("The brothers left Rome in May.", "brothers", "they"),
        ("The Senate passed the bill in May.", "Senate", "it"),
        ("The Rev. Brown left Rome in May.", "Brown", ""),
        ("Zorblax left Rome in May.", "Zorblax", ""),
        ("Zorblax left Rome with her dog.", "Zorblax", "she"),
        ("The town grew in May.", "town", "it"),
    ],
)
def test_of_names_and_nouns(text: str, subject: str, expected: str) -> None:
    words = words_in(text)
    assert pronoun_of(words, number(words, subject)) == expected
