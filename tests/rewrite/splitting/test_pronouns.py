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
        ("The 15th Senate passed the bill in May.", "Senate", "it"),
        ("The young Brown left Rome with her dog.", "Brown", "she"),
        ("The Blue Jackets passed the bill in May.", "Jackets", "they"),
        ("The Rev. Brown left Rome in May.", "Brown", ""),
        ("Zorblax left Rome in May.", "Zorblax", ""),
        ("Zorblax left Rome with her dog.", "Zorblax", "she"),
        ("The town grew in May.", "town", "it"),
        ("The committee met in May.", "committee", "it"),
        ("Rome grew fast in May.", "Rome", "it"),
        ("New York grew fast in May.", "York", "it"),
        ("Hurricane Katrina hit the city in May.", "Katrina", "it"),
        ("Operation Overlord began in May.", "Overlord", "it"),
        ("Davidson University grew fast in May.", "University", "it"),
        ("Anna Church left Rome in May.", "Church", "she"),
        ("Princess Cruises grew fast in May.", "Cruises", "they"),
        ("Brooklyn became a model like her mother.", "Brooklyn", "she"),
        ("Brooklyn was born in May.", "Brooklyn", ""),
        ("The crew, who were all old, left Rome in May.", "crew", "they"),
        ("The chair was sold in May.", "chair", ""),
        ("The poor lived in huts in May.", "poor", ""),
        ("The officer sold the house of his brother.", "officer", "he"),
    ],
)
def test_of_names_and_nouns(text: str, subject: str, expected: str) -> None:
    words = words_in(text)
    assert pronoun_of(words, number(words, subject)) == expected
