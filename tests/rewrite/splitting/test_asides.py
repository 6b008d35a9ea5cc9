"""An aside about the subject becomes a sentence of its own, before the rest."""

from __future__ import annotations

import pytest

from rewrite.splitting.connectives import asides
from rewrite.splitting.split import render
from tests.rewrite.splitting.marking import words_in


def split(text: str) -> list[str]:
    words = words_in(text)
    found = [render(words, one) for one in asides(words)]
    return [" ".join(pair) for pair in found if pair is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The bridge, which is old and narrow, was closed in May.",
            "The bridge is old and narrow. It was closed in May.",
        ),
        (
            "The Streamline Hotel, located in Daytona Beach, is the birthplace of NASCAR.",
            "The Streamline Hotel is located in Daytona Beach. It is the birthplace of NASCAR.",
        ),
        (
            "The castle, built in 1450, was sold to a rich man.",
            "The castle was built in 1450. It was sold to a rich man.",
        ),
        (
            "The river, flowing through three countries, was important for trade.",
            "The river flowed through three countries. It was important for trade.",
        ),
        ("His brothers, known in Rome, left the city.", "His brothers were known in Rome. They left the city."),
        ("Mary Smith, a nurse from Rome, bought the house.", "Mary Smith was a nurse from Rome. She bought the house."),
    ],
)
def test_an_aside_becomes_the_first_sentence(text: str, expected: str) -> None:
    assert expected in split(text)


@pytest.mark.parametrize(
    "text",
    [
        "The house in Rome, however, was sold in May.",
        "She met the nurse, a woman from Rome, in May.",
        "The house that he bought in Rome was sold in May.",
        "Rome, Italy, is an old city.",
        # The aside of an object says nothing of the subject.
        "He sold the house, which was old, to his brother.",
    ],
)
def test_other_commas_are_left_alone(text: str) -> None:
    assert split(text) == []
