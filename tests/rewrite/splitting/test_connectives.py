"""Splits at conjunctions whose sense another word keeps and at asides: what is said, and what would be said falsely."""

from __future__ import annotations

import pytest

from rewrite.splitting.grammar import asides, connected
from rewrite.splitting.split import render
from tests.rewrite.splitting.marking import words_in


def split(text: str) -> list[tuple[str, str] | None]:
    """What comes of a sentence by all its conjunctions."""
    words = words_in(text)
    return [render(words, cut) for cut in connected(words)]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (
            "He left the house because it was dark.",
            "He left the house.",
            "This was because it was dark.",
        ),
        ("He is tired because he works at night.", "He is tired.", "This is because he works at night."),
        ("He left the house early because it was dark.", "He left the house early.", "This was because it was dark."),
        (
            "He wrote many books, though they were not popular.",
            "He wrote many books.",
            "However, they were not popular.",
        ),
        ("He sings well, whereas she dances the waltz.", "He sings well.", "However, she dances the waltz."),
        ("Although it was dark, he left the house.", "It was dark.", "However, he left the house."),
        ("Because Tom was ill, he left the house.", "Tom was ill.", "So he left the house."),
        ("Since Tom was ill, he left the house.", "Tom was ill.", "So he left the house."),
        ("While the north is cold, the south is warm.", "The north is cold.", "However, the south is warm."),
        ("He had three sons, two of whom died in Rome.", "He had three sons.", "Two of them died in Rome."),
        ("They have houses, some of which are old.", "They have houses.", "Some of them are old."),
    ],
)
def test_the_sense_of_the_conjunction_is_kept(text: str, first: str, second: str) -> None:
    assert split(text) == [(first, second)]


@pytest.mark.parametrize(
    "text",
    [
        # The reason is denied, or is one of several.
        "He left the house not because it was dark.",
        "He left the house only because it was dark.",
        "He did not leave the house because it was dark.",
        # Somebody else gives it.
        "He said that he left the house because it was dark.",
        # It is no contrast.
        "While he was in Rome, he wrote a book.",
        "While they are in Rome, they live in a hotel.",
        "While he is working in Rome, she lives in Paris.",
        "He stayed in Rome even though it was dark.",
        # The pronoun would stand before its noun.
        "Because he was ill, Tom left the house.",
        # It tells since when.
        "Since 1990 was a good year, he left the house.",
        "He left because of the rain.",
        "He left the house and she stayed.",
    ],
)
def test_where_it_would_be_lost_there_is_no_split(text: str) -> None:
    assert split(text) == []


def by_asides(text: str) -> list[str]:
    words = words_in(text)
    pairs = [render(words, aside) for aside in asides(words)]
    return [" ".join(pair) for pair in pairs if pair is not None]


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
    assert expected in by_asides(text)


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
    assert by_asides(text) == []
