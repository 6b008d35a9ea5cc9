"""What nouns mean, read from files as WordNet has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.errors import BadInput
from training.splitting.genders import noun_kinds

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
