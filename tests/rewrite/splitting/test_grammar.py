"""A part that was cut off gets the subject and the verb that its grammar asks for."""

from __future__ import annotations

import pytest

from rewrite.splitting.grammar import beginnings
from rewrite.splitting.split import render
from tests.rewrite.splitting.marking import words_in


def begun(text: str) -> list[str]:
    """The second sentences that grammar makes of what stands in braces."""
    before, rest = text.split("{")
    inside, after = rest.split("}")
    words = words_in(before + inside + after)
    start, stop = (sum(w.start < place for w in words.tokens) for place in (len(before), len(before + inside)))
    pairs = [render(words, split) for split in beginnings(words, start, stop)]
    return [pair[1] for pair in pairs if pair is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The hotel is a large building{, located in Rome}.", "It is located in Rome."),
        ("They speak two old languages{ known in Rome}.", "They are known in Rome."),
        ("He was a painter{, known for his large pictures}.", "He was known for his large pictures."),
        ("The club is a member of the league{, founded in 1901}.", "It was founded in 1901."),
        ("She left Rome{ and sold the house}.", "She sold the house."),
        ("The two brothers left Rome{ and sold the house}.", "They sold the house."),
        ("The house was built by Tom{ and sold by the city}.", "It was sold by the city."),
        ("The river is long{, flowing through three countries}.", "It flows through three countries."),
        ("The old house burned down{, making way for a park}.", "This made way for a park."),
        ("We will go home{ and swim in the sea}.", "We will swim in the sea."),
        ("Tom left the city{, and she sold the house}.", "She sold the house."),
        ("The 1999 tournament was a success{, held in May in Rome}.", "It was held in May in Rome."),
    ],
)
def test_it_makes_a_sentence_of(text: str, expected: str) -> None:
    assert expected in begun(text)


@pytest.mark.parametrize(
    "text",
    [
        # No verb and no subject that another could lend.
        "He lives in Rome{, in a big old house}.",
        # What somebody was told to do is not what was done.
        "She told him{ to sell the house}.",
        # A past or a participle: the network decides.
        "The team was founded in May{ and qualified for the cup}.",
        "He sold the house{ because it was old}.",
        "He went to Paris{, France}.",
    ],
)
def test_it_leaves_the_rest_to_the_network(text: str) -> None:
    assert begun(text) == []


def test_where_no_pronoun_is_sure_several_are_offered_and_the_phrase_itself() -> None:
    sentences = begun("Kestrel left Rome in May{ and sold the house}.")
    assert {"It sold the house.", "He sold the house.", "She sold the house.", "Kestrel sold the house."} == set(
        sentences
    )
