"""Good texts written in other ways stay good texts of their sources."""

from __future__ import annotations

import random

import pytest

from training.evaluating.variants import denied, shortened, spelled, unmarked
from training.negatives.sampling import Positive


def both(source: str, text: str) -> Positive:
    return Positive(source, text)


@pytest.mark.parametrize(
    ("one", "language", "wanted"),
    [
        (
            both("It was sold and is closed.", "It was sold."),
            "en",
            both("It was not sold and is closed.", "It was not sold."),
        ),
        (both("Он пришёл домой.", "Он пришёл."), "ru", both("Он не пришёл домой.", "Он не пришёл.")),
        # Denied already, said twice, or not in both.
        (both("It was not sold.", "It was not sold."), "en", None),
        (both("It was sold and was closed.", "It was sold."), "en", None),
        (both("Он пришёл домой.", "Он вернулся."), "ru", None),
    ],
)
def test_the_same_verb_is_denied_in_both(one: Positive, language: str, wanted: Positive | None) -> None:
    assert denied(one, random.Random(0), language) == wanted


def test_numbers_of_one_side_are_written_the_other_way() -> None:
    one = both("It cost 5 million pounds.", "The price was 5 million pounds.")
    found = {spelled(one, random.Random(seed), "en") for seed in range(20)}
    assert found == {
        both("It cost five million pounds.", one.text),
        both(one.source, "The price was five million pounds."),
    }
    assert spelled(both("He has two sons.", "He has sons."), random.Random(0), "en") == both(
        "He has 2 sons.", "He has sons."
    )
    assert spelled(both("Он видел 7 машин.", "Он видел машины."), random.Random(0), "ru") == both(
        "Он видел семь машин.", "Он видел машины."
    )
    assert spelled(both("He left on 5 May.", "He left."), random.Random(0), "en") is None


def test_the_mark_at_the_end_goes_from_one_sentence_alone() -> None:
    one = both("He left Rome.", "He left.")
    assert {unmarked(one, random.Random(seed), "en") for seed in range(20)} == {
        both("He left Rome.", "He left"),
        both("He left Rome", "He left"),
    }
    assert unmarked(both("a", "He left. She stayed."), random.Random(0), "en") is None
    assert unmarked(both("a", "He left"), random.Random(0), "en") is None


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        ("A flood forced him to leave his home in 1997.", "en", "A flood forced him to leave his home."),
        ("Он дошёл до полуфинала турнира в Сиднее", "ru", "Он дошёл до полуфинала турнира"),
        # Too little would be left, a comma is before it, there are two sentences, or no adjunct.
        ("He left home in 1997.", "en", None),
        ("Forced by a flood, he left his home in 1997.", "en", None),
        ("He left his old home. He came back to it in 1997.", "en", None),
        ("A flood forced him to leave.", "en", None),
    ],
)
def test_a_text_may_be_shorter_by_its_last_adjunct(text: str, language: str, wanted: str | None) -> None:
    made = shortened(both("source", text), random.Random(0), language)
    assert made == (both("source", wanted) if wanted else None)
