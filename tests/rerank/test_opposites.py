"""Words that stand against each other: by their forms, and in a text and its source."""

from __future__ import annotations

from pathlib import Path

import pytest
from wordfreq import zipf_frequency

from rerank import opposites
from rerank.opposites.check import opposed
from rerank.opposites.lexicon import opposites_of, sides_of

FOLDER = Path(opposites.__file__).parent


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("stopping", {"starting", "continuing"}),
        ("Biggest", {"smallest"}),
        ("Monday", {"Thursday"}),
        ("carried", set()),
        ("потеряли", {"купили", "заработали", "нашли", "сохранили"}),
        ("больших", {"маленьких"}),
        ("закрыт", {"открыт"}),
        ("женщинами", {"мужчинами"}),
        ("ему", {"ей"}),
        ("стол", set()),
    ],
)
def test_an_opposite_has_the_form_of_the_word(word: str, wanted: set[str]) -> None:
    assert set(opposites_of(word)) == wanted


@pytest.mark.parametrize(
    ("word", "before", "wanted"),
    [
        ("ended", "was", {"begun"}),
        ("ended", "it", {"began"}),
        ("received", "has", {"given", "sent"}),
        ("fire", "the", set()),
        ("fire", "to", {"hire", "employ", "recruit"}),
        ("open", "fully", set()),
        ("dying", "is", {"living", "surviving"}),
        ("hidden", "has", {"revealed"}),
    ],
)
def test_the_word_before_tells_what_form_a_word_is(word: str, before: str, wanted: set[str]) -> None:
    assert set(opposites_of(word, before)) == wanted


@pytest.mark.parametrize("word", ["надо", "прав", "данных", "ум"])
def test_an_unlikely_reading_has_no_opposite(word: str) -> None:
    assert opposites_of(word) == ()


def test_all_forms_of_opposites_are_words() -> None:
    lines = (FOLDER / "en.txt").read_text(encoding="utf-8").splitlines()
    sides = [side for line in lines if not line.startswith("#") for side in line.split()[1:]]
    bases = {word.split("/")[0] for side in sides for word in side.split(",")}
    forms = {other for base in bases for before in ("", "to", "was") for other in opposites_of(base, before)}
    assert len(forms) > 200
    assert not {form for form in forms if not zipf_frequency(form, "en")}


def test_words_on_one_side_of_a_line_are_no_opposites() -> None:
    assert sides_of("rose") & sides_of("climbed")
    assert {side.other for side in sides_of("rose")} & sides_of("dropping")
    assert {side.other for side in sides_of("вырос")} & sides_of("сократились")


@pytest.mark.parametrize("word", ["bought", "colder", "coldest", "weeks", "купил", "теплее", "table", "стол"])
def test_what_may_be_said_from_the_other_side_stands_against_nothing(word: str) -> None:
    assert sides_of(word) == frozenset()


@pytest.mark.parametrize(
    ("source", "text", "words"),
    [
        ("Prices rose sharply in May.", "Prices fell in May.", ["fell"]),
        ("Prices have risen since May.", "Prices are dropping.", ["dropping"]),
        ("The lake is deep.", "The lake is shallow.", ["shallow"]),
        ("Цены выросли в мае.", "Цены в мае снизились.", ["снизились"]),
        ("Город построили заново.", "Город снесли.", ["снесли"]),
    ],
)
def test_the_opposite_of_what_the_source_says_is_found(source: str, text: str, words: list[str]) -> None:
    found = opposed(source, text)
    assert [one.text for one in found] == words
    assert {one.kind for one in found} == {"opposite"}
    assert "the source says the opposite" in found[0].message


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Prices rose sharply in May.", "Prices climbed in May."),
        ("Prices rose and then fell.", "Prices fell."),
        ("Prices, which had risen, are dropping.", "Prices are falling."),
        ("The shop did not close.", "The shop opened."),
        ("The shop is closed.", "The shop isn't open."),
        ("Anna sold it to Ben.", "Ben bought it from Anna."),
        ("In the north it is colder.", "In the south it is warmer."),
        ("Магазин не закрыли.", "Магазин открыт."),
        ("Анна продала дом Ивану.", "Иван купил дом у Анны."),
        ("", "Prices fell."),
    ],
)
def test_what_may_mean_the_same_is_not(source: str, text: str) -> None:
    assert opposed(source, text) == []
