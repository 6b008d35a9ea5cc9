"""Splits at conjunctions whose sense another word keeps: what is said, and what would be said falsely."""

from __future__ import annotations

import pytest

from rewrite.splitting.connectives import connected
from rewrite.splitting.split import render
from tests.rewrite.splitting.marking import words_in


def split(text: str) -> list[tuple[str, str] | None]:
    """What comes of a sentence by all its conjunctions."""
    words = words_in(text)
    return [render(words, one) for one in connected(words)]


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
