"""Good texts written in other ways stay good texts of their sources."""

from __future__ import annotations

import random

import pytest

from training.evaluating.variants import denied, extended, spelled, unmarked
from training.negatives.sampling import Positive

OTHERS = ["It closed again after two years."]


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
        # Another denial, another clause, an adverb that it would have to stand before.
        (both("Nobody was hurt.", "Nobody was hurt."), "en", None),
        (both("Anna is old and Boris is young.", "Boris is young."), "en", None),
        (both("Он тяжело заболел.", "Он тяжело заболел."), "ru", None),
    ],
)
def test_the_same_verb_is_denied_in_both(one: Positive, language: str, wanted: Positive | None) -> None:
    assert denied(one, random.Random(0), language, OTHERS) == wanted


def test_numbers_of_one_side_are_written_the_other_way() -> None:
    one = both("It cost 5 million pounds.", "The price was 5 million pounds.")
    found = {spelled(one, random.Random(seed), "en", OTHERS) for seed in range(20)}
    assert found == {
        both("It cost five million pounds.", one.text),
        both(one.source, "The price was five million pounds."),
    }
    assert spelled(both("He has two sons.", "He has sons."), random.Random(0), "en", OTHERS) == both(
        "He has 2 sons.", "He has sons."
    )
    assert spelled(both("Он видел 7 машин.", "Он видел машины."), random.Random(0), "ru", OTHERS) == both(
        "Он видел семь машин.", "Он видел машины."
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("He left on 5 May.", "en"),
        ("He paid $ 5 million.", "en"),
        ("It has 15-20 rooms.", "en"),
        ("He played Killzone 2 again.", "en"),
        ("В возрасте 17 лет он уехал.", "ru"),
        ("Из 12 команд осталась одна.", "ru"),
        ("Более 10 лет он молчал.", "ru"),
        ("Прошло двадцать пять лет.", "ru"),
        ("К двадцать пятому дню он уехал.", "ru"),
    ],
)
def test_numbers_of_uncertain_form_stay(text: str, language: str) -> None:
    assert spelled(both(text, text), random.Random(0), language, OTHERS) is None


def test_the_mark_at_the_end_goes_from_one_sentence_alone() -> None:
    one = both("He left Rome.", "He left.")
    assert {unmarked(one, random.Random(seed), "en", OTHERS) for seed in range(20)} == {
        both("He left Rome.", "He left"),
        both("He left Rome", "He left"),
    }
    assert unmarked(both("a", "He left. She stayed."), random.Random(0), "en", OTHERS) is None
    assert unmarked(both("a", "He left"), random.Random(0), "en", OTHERS) is None


def test_a_source_may_say_more_than_it_did() -> None:
    one = both("He left Rome.", "He left.")
    found = {extended(one, random.Random(seed), "en", OTHERS) for seed in range(40)}
    assert found == {
        both("He left Rome after two years.", "He left."),
        both("He left Rome. It closed again after two years.", "He left."),
        both("He left Rome after two years. It closed again after two years.", "He left."),
    }
    # Where no other text has an adjunct there is a sentence.
    assert extended(one, random.Random(0), "en", ["It rained."]) == both("He left Rome. It rained.", "He left.")
