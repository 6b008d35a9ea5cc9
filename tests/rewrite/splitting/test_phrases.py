"""Noun phrases that may be said again, and in which forms."""

from __future__ import annotations

import pytest

from rewrite.splitting.openers import FORMS, phrase, phrases
from tests.rewrite.splitting.marking import number, words_in


def forms(text: str, noun: str) -> dict[str, str]:
    """The phrase of a noun in all forms that it has."""
    words = words_in(text)
    found = {form: phrase(words, number(words, noun), form) for form in FORMS}
    return {
        form: ("the " if one.the else "") + words.join(one.numbers) for form, one in found.items() if one is not None
    }


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        (
            "A young woman wrote it.",
            "woman",
            {"full": "A young woman", "definite": "the young woman", "short": "the woman"},
        ),
        (
            "An engineer called Tom.",
            "engineer",
            {"full": "An engineer", "definite": "the engineer", "short": "the engineer"},
        ),
        ("He asked the old city council.", "council", {"full": "the old city council", "short": "the city council"}),
        ("Two old men left.", "men", {"full": "Two old men", "short": "the men"}),
        ("He met the mayor of Paris.", "mayor", {"full": "the mayor of Paris", "short": "the mayor"}),
    ],
)
def test_common_nouns(text: str, noun: str, expected: dict[str, str]) -> None:
    assert forms(text, noun) == expected


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        ("Alan Shepard was born in 1923.", "Alan", {"full": "Alan Shepard", "last": "Shepard"}),
        ("John F. Kennedy was a president.", "John", {"full": "John F. Kennedy", "last": "Kennedy"}),
        ("He was born in New Hampshire.", "Hampshire", {"full": "New Hampshire"}),
        ("Rome fell.", "Rome", {"full": "Rome"}),
    ],
)
def test_names_may_be_said_by_their_last_part_but_places_may_not(
    text: str, noun: str, expected: dict[str, str]
) -> None:
    # *Hampshire* is not *New Hampshire*.
    assert forms(text, noun) == expected


@pytest.mark.parametrize("text", ["King Henry VIII married.", "Sammy Davis Jr. sang.", "Malcolm X spoke."])
def test_numbers_and_marks_of_descent_are_no_surnames(text: str) -> None:
    words = words_in(text)
    said = [forms(text, words[head].text).get("last") for head in phrases(words)]
    assert not {"VIII", "Jr.", "X"} & set(said)


class TestWhatIsLeftOut:
    @pytest.mark.parametrize(
        ("text", "noun", "full"),
        [
            ("He saw the film that won.", "film", "the film"),
            ("He met a farmer, a friend of Tom, in May.", "farmer", "a farmer"),
            ("The bank (ABC) failed.", "bank", "The bank"),
            ("An engineer and a doctor left.", "engineer", "An engineer"),
            ("Barack Obama's sister left.", "Barack", "Barack Obama"),
            ('The film "Star Wars" made money.', "Wars", "Star Wars"),
        ],
    )
    def test_clauses_asides_and_the_rest_of_a_list(self, text: str, noun: str, full: str) -> None:
        assert forms(text, noun)["full"] == full

    def test_the_owner_stays_in_the_phrase_of_what_is_owned(self) -> None:
        assert forms("Barack Obama's younger sister left.", "sister")["full"] == "Barack Obama's younger sister"

    def test_what_somebody_owns_is_not_said_as_if_it_were_known(self) -> None:
        assert forms("His old red car broke down.", "car") == {"full": "His old red car"}


@pytest.mark.parametrize(
    "text",
    [
        "The tall chief executive officer (CEO) of the old bank (a small one) left.",
        "The “old” bank “(new)” of the town [a city] failed.",
        "The head of the ( former ) council of New York saw `` Star Wars '' twice .",
    ],
)
def test_no_bracket_and_no_quotation_is_open_in_any_phrase(text: str) -> None:
    words = words_in(text)
    for head in phrases(words):
        for said in forms(text, words[head].text).values():
            for opens, closes in ("()", "[]", "“”", ("``", "''")):
                assert said.count(opens) == said.count(closes), said


def test_parts_of_names_and_terms_have_no_phrase_of_their_own() -> None:
    words = words_in("Tom Brown left the Astronaut Office.")
    assert [words[head].text for head in phrases(words)] == ["Tom", "Office"]
