"""Which pronouns may stand for a subject."""

from __future__ import annotations

import pytest

from rewrite.splitting.pronouns import pronouns_of
from tests.rewrite.splitting.marking import number, words_in


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        ("Ann Brown left Rome in May.", "Ann", ("she",)),
        ("John Brown left Rome in May.", "John", ("he",)),
        ("Linda left Rome in May.", "Linda", ("she",)),
        ("Tom and Ann left Rome in May.", "Tom", ("they",)),
        ("The brothers left Rome in May.", "brothers", ("they",)),
        ("The Nationals are a team.", "Nationals", ("they",)),
        ("She left Rome in May.", "She", ("she",)),
        ("The Senate passed the bill in May.", "Senate", ("it",)),
        ("Zorblax left Rome in May.", "Zorblax", ("it", "he", "she")),
        ("The town grew in May.", "town", ("it",)),
        ("The committee met in May.", "committee", ("it",)),
        ("Rome grew fast in May.", "Rome", ("it",)),
        ("New York grew fast in May.", "York", ("it",)),
        ("The chair was sold in May.", "chair", ("it", "he", "she")),
        ("The officer sold the house of his brother.", "officer", ("he", "she")),
    ],
)
def test_of_names_and_nouns(text: str, subject: str, expected: tuple[str, ...]) -> None:
    words = words_in(text)
    assert pronouns_of(words, number(words, subject)) == expected
