"""How entities are found in texts, and how they are spelt."""

from __future__ import annotations

import pytest

from rewrite.splitting.triples.entity_names import fold, mentions, own_name, words
from rewrite.splitting.triples.slots import Spelling, fill, fuller, place, spelling


@pytest.mark.parametrize(
    ("entity", "text", "mention"),
    [
        ("Alan_Shepard", "then Alan Shepard left", "Alan Shepard"),
        ("AIDS_(journal)", "read AIDS weekly", "AIDS"),
        ("United_States", "in the U.S. today", "U.S."),
        ("United_States", "in the USA today", "USA"),
        ("Anderson,_Indiana", "of Anderson Indiana", "Anderson Indiana"),
        ("Anderson,_Indiana", "of Anderson in Texas", "Anderson"),
        ("English_language", "where English is spoken", "English"),
        ("İzmir", "in Izmir itself", "Izmir"),
        ("Lars_Løkke", "by Lars Lokke", "Lars Lokke"),
        ('"1932-07-27"', "on July 27th, 1932, when", "July 27th, 1932"),
        ("2004-01-22", "on 22 January 2004.", "22 January 2004"),
        ("2004-01-22", "on the 22nd of January, 2004.", "22nd of January, 2004"),
        ("2011-Aug-27", "by 27/8/2011.", "27/8/2011"),
        ("1147.0", "for 1,147 votes", "1,147"),
        ("1850.0 (tonnes)", "weighs 1850 tons", "1850 tons"),
        ("37.16 (kilometrePerSeconds)", "at 37.16 km per sec now", "37.16 km per sec"),
        ("(66391)_1999_KW4", "called (66391) 1999 KW4 has", "(66391) 1999 KW4"),
    ],
)
def test_an_entity_is_found_however_it_is_written(entity: str, text: str, mention: str) -> None:
    assert [text[start:stop] for start, stop in mentions(text, entity)] == [mention]


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("147.0", "for 1147 votes"),
        ("12", "in 12.5 days"),
        ("1850.0 (tonnes)", "1850 metres long"),
        ("2004-01-22", "on 22 June 2004"),
        ("Rome", "by Romero"),
        ("Massachusetts", "in MA"),
    ],
)
def test_what_only_looks_like_an_entity_is_none(entity: str, text: str) -> None:
    assert mentions(text, entity) == []


def test_an_entity_by_its_own_words() -> None:
    names = ("AIDS_(journal)", "2004-01-22", "1850.0 (tonnes)", "3.50", '"Print"', "1955_Dodge", "(66391)_1999_KW4")
    assert [own_name(name) for name in names] == [
        "AIDS",
        "22 January 2004",
        "1850 tonnes",
        "3.5",
        "Print",
        "1955 Dodge",
        "(66391) 1999 KW4",
    ]
    assert len(fold("Bjørn Łódź İzmir")) == len("Bjørn Łódź İzmir")
    assert words("Örebro has 1,147.0 votes") == ["orebro", "has", "1147", "votes"]


def test_longer_names_take_their_words_first() -> None:
    text = "Aarhus University is in Aarhus."
    spans = place(text, ["Aarhus", "Aarhus_University"])
    assert [(text[s.start : s.stop], s.number) for s in spans] == [("Aarhus University", 1), ("Aarhus", 0)]


def test_the_sentence_decides_how_a_name_is_spelt() -> None:
    sentence = "The A-Rosa Luna, built in the U.S., serves dessert."
    assert spelling(sentence, "United_States", {}) == Spelling("U.S.", the=True)
    assert spelling(sentence, "A-Rosa_Luna", {}) == Spelling("A-Rosa Luna", the=True)
    assert spelling(sentence, "Dessert", {}).text == "dessert"
    assert spelling(sentence, "Netherlands", {"Netherlands": "the Netherlands"}) == Spelling("Netherlands", the=True)
    assert spelling(sentence, "Rome", {}) == Spelling("Rome")


def test_a_capital_that_opens_the_sentence_is_not_the_words_own() -> None:
    assert spelling("Beef is in bakso.", "Beef", {"Beef": "beef"}).text == "beef"
    assert spelling("Rome is old.", "Rome", {}).text == "Rome"


def test_a_name_is_full_where_the_sentence_has_more_of_it() -> None:
    sentence = "The Atatürk Monument is in Izmir, Turkey."
    said = {name: spelling(sentence, name, {}) for name in ("Atatürk_Monument_(İzmir)", "Turkey")}
    assert fuller(sentence, said)["Atatürk_Monument_(İzmir)"].text == "Atatürk Monument (İzmir)"
    said["Izmir"] = spelling(sentence, "Izmir", {})
    assert fuller(sentence, said)["Atatürk_Monument_(İzmir)"].text == "Atatürk Monument"


def test_slots_are_filled_with_articles_and_capitals() -> None:
    spellings = [Spelling("solo singer"), Spelling("U.S.", the=True), Spelling("A.S. Roma")]
    assert fill("{0} is from {1}.\n{0} is in the {1} team.", spellings) == (
        "Solo singer is from the U.S.\nSolo singer is in the U.S. team."
    )
    assert fill("He is an {0}.", spellings) == "He is a solo singer."
    assert fill("It is a {0} song.", [Spelling("English")]) == "It is an English song."
    assert fill("{2} plays.", spellings) == "A.S. Roma plays."
    with pytest.raises(IndexError):
        fill("{3} plays.", spellings)


def test_a_plural_of_the_sentence_is_not_repeated() -> None:
    assert spelling("Both are desserts.", "Dessert", {"Dessert": "dessert"}).text == "dessert"
