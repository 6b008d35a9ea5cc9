"""Which pronoun goes with a name, and what nouns mean: counted in texts, and read from files as WordNet has them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rewrite.errors import BadInput
from training.splitting.genders import count_names, count_nouns, joined, names_by_pronoun, noun_kinds, ordinary, persons


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


# The place of a synset, the file of its sense (06 things, 14 groups, 15 places, 18 persons), its words, what it is of.
NOUNS = """  1 The licence stands here.
00000001 18 n 02 singer 0 vocalist 0 001 @ 00000000 n 0000 | a person who sings
00000002 06 n 01 boat 0 001 @ 00000000 n 0000 | a vessel
00000003 14 n 01 team 0 001 @ 00000014 n 0000 | a group
00000004 18 n 01 star 0 001 @ 00000000 n 0000 | an actor
00000005 17 n 01 star 1 001 @ 00000000 n 0000 | a body in the sky
00000006 15 n 02 Rome 0 New_York 0 001 @i 00000000 n 0000 | a city
00000007 15 n 01 Lincoln 0 001 @i 00000000 n 0000 | a city
00000008 18 n 01 Lincoln 1 001 @i 00000000 n 0000 | a president
00000009 03 n 01 person 0 001 @ 00000000 n 0000 | a human being
00000010 08 n 01 person 1 001 @ 00000000 n 0000 | a human body
00000011 15 n 01 active_site 0 001 @ 00000000 n 0000 | a part of an enzyme
00000012 18 n 01 judge 0 001 @ 00000000 n 0000 | an official
00000013 04 n 01 judge 1 001 @ 00000000 n 0000 | an act
00000014 14 n 01 social_group 0 001 @ 00000000 n 0000 | people
00000015 14 n 01 forest 0 001 @ 00000000 n 0000 | a group of trees
00000016 14 n 01 poor 0 001 @ 00000014 n 0000 | people without money
00000017 05 n 01 horse 0 001 @ 00000000 n 0000 | an animal
"""
ADJECTIVES = "00000001 00 a 01 poor 0 000 | without money\n"
USES = "judge%1:18:00:: 1 40\nperson%1:03:00:: 1 90\njudge%2:31:00:: 1 90\n"
SEEN = set("singer boat team star rome new york lincoln person active site judge forest poor horse".split())


def folder(path: Path, nouns: str = NOUNS) -> Path:
    (path / "data.noun").write_text(nouns, encoding="utf-8")
    (path / "data.adj").write_text(ADJECTIVES, encoding="utf-8")
    (path / "cntlist.rev").write_text(USES, encoding="utf-8")
    return path


def test_nouns_by_what_all_their_senses_are(tmp_path: Path) -> None:
    found = noun_kinds(folder(tmp_path), SEEN)
    assert found["person"] == ["judge", "person", "singer"]
    assert found["group"] == ["team"]
    assert found["it"] == ["boat", "forest"]
    assert found["place"] == ["new york", "rome"]


def test_persons_of_texts_are_added_unless_wordnet_knows_better(tmp_path: Path) -> None:
    found = noun_kinds(folder(tmp_path), SEEN, ["midfielder", "star", "boat"])
    assert found["person"] == ["judge", "midfielder", "person", "singer", "star"]


def test_words_that_no_text_has_are_left_out(tmp_path: Path) -> None:
    assert noun_kinds(folder(tmp_path), {"boat"}) == {"person": [], "group": [], "place": [], "it": ["boat"]}


def test_a_line_of_another_kind_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"data.noun: line 2 "):
        noun_kinds(folder(tmp_path, "  1 The licence\nnothing\n"), SEEN)


def test_a_folder_without_wordnet_says_where_it_is(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="wordnet-base"):
        noun_kinds(tmp_path, SEEN)
