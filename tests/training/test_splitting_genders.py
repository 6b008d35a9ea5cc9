"""Which pronoun goes with a name, and which noun means a person, counted in texts."""

from __future__ import annotations

from collections import Counter

import pytest

from training.splitting.genders import count_names, count_nouns, joined, names_by_pronoun, ordinary, persons


@pytest.mark.parametrize(
    ("first", "second", "name", "expected"),
    [
        ("Ann lost her book.", "", "Ann", {"she": 1}),
        ("Tom Sawyer met Ann.", "He ran.", "Tom", {"he": 1}),
        ("Tom lost his book.", "She ran.", "Tom", {"she": 1}),
        ("Ann told him about her book.", "", "Ann", {}),
        ("In May, Wendy Smith lost her book.", "", "Wendy", {"she": 1}),
        ("In May, Wendy Smith and Ann Brown lost her book.", "", "Wendy", {}),
        ("He met his sister Nancy.", "", "Nancy", {"she": 2}),
        ("This was about King Henry.", "", "Henry", {"he": 2}),
        ("It was Rita Moreno's husband.", "", "Rita", {"she": 2}),
        ("It was Karl's late wife.", "", "Karl", {"he": 2}),
        ("The town grew.", "", "The", {}),
    ],
)
def test_what_tells_of_a_name(first: str, second: str, name: str, expected: dict[str, int]) -> None:
    assert count_names([(first, second)]).get(name, Counter()) == Counter(expected)


def test_few_pronouns_must_agree_more_than_many_and_he_more_than_she() -> None:
    counts = {
        "Ann": Counter(she=7, he=3),
        "Eve": Counter(she=2, he=1),
        "Tom": Counter(he=8, she=2),
        "Tim": Counter(he=4, she=1),
        "Kim": Counter(he=1),
        "Rome": Counter(he=9),
    }
    assert names_by_pronoun(counts, frozenset({"rome"})) == {"he": ["tom"], "she": ["ann"]}


def test_ordinary_words_are_written_small_or_stand_behind_prepositions() -> None:
    texts = [("He saw Ann and met Rose in Rome.", ""), ("There a bird saw Ann near a rose in Rome.", "")]
    words = ordinary(texts)
    assert "ann" not in words
    assert {"rose", "rome", "bird"} <= words


def test_nouns_by_the_pronoun_of_the_next_sentence() -> None:
    texts = [
        ("Ann is a singer from Rome.", "She sang."),
        ("Tom was a singer.", "He sang."),
        ("Rome is a town in Italy.", "It grew."),
        ("Pisa is a town.", "It grew."),
        ("Pisa is a town.", "She sang."),
    ]
    assert persons(count_nouns(texts[:4])) == ["singer"]
    assert persons(count_nouns([*texts, ("Tom was a singer.", "It grew.")])) == []


def test_a_place_is_no_first_name_and_a_first_name_no_thing() -> None:
    kinds = {"place": ["ohio"], "it": ["bob", "boat"], "person": [], "group": []}
    assert joined({"he": ["bob", "ohio", "as"], "she": ["ann"]}, kinds) == {
        "he": ["bob"],
        "she": ["ann"],
        "place": ["ohio"],
        "it": ["boat"],
        "person": [],
        "group": [],
    }
