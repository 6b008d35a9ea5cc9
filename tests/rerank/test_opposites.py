"""Words that stand against each other: by their forms, and in a text and its source."""

from __future__ import annotations

from pathlib import Path

import pytest
from wordfreq import zipf_frequency

from rerank import opposites
from rerank.opposites import opposed, sides_of
from rerank.opposites.english import opposites_of

FOLDER = Path(opposites.__file__).parent


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("forgetting", {"remembering"}),
        ("Biggest", {"smallest"}),
        ("Monday", {"Thursday"}),
        ("carried", set()),
    ],
)
def test_an_opposite_has_the_form_of_the_word(word: str, wanted: set[str]) -> None:
    assert set(opposites_of(word)) == wanted


@pytest.mark.parametrize(
    ("word", "before", "wanted"),
    [
        ("repaired", "was", {"broken", "damaged"}),
        ("repaired", "it", {"broke", "damaged"}),
        ("received", "has", {"given", "sent"}),
        ("fire", "the", set()),
        ("fire", "to", {"appoint", "hire", "employ", "recruit"}),
        ("open", "fully", set()),
        ("dying", "is", {"living", "surviving"}),
        ("hidden", "has", {"revealed"}),
    ],
)
def test_the_word_before_tells_what_form_a_word_is(word: str, before: str, wanted: set[str]) -> None:
    assert set(opposites_of(word, before)) == wanted


@pytest.mark.parametrize("word", ["надо", "прав", "данных", "ум"])
def test_an_unlikely_reading_has_no_opposite(word: str) -> None:
    assert sides_of(word) == frozenset()


def test_all_forms_of_opposites_are_words() -> None:
    lines = (FOLDER / "en.txt").read_text(encoding="utf-8").splitlines()
    sides = [side for line in lines if not line.startswith("#") for side in line.split()[1:]]
    bases = {word.split("/")[0] for side in sides for word in side.split(",")}
    forms = {other for base in bases for before in ("", "to", "was") for other in opposites_of(base, before)}
    assert len(forms) > 200
    # A form that is wrong is still typed by somebody (*acquited* 1.0).
    assert not {form for form in forms if zipf_frequency(form, "en") < 1.5}


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
        ("He was acquitted in May.", "He was convicted in May.", ["convicted"]),
        ("The young man won.", "The old man won.", ["old"]),
        ("Препарат безопасен для детей.", "Препарат опасен для детей.", ["опасен"]),
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
        ("The war began in 1914 and finished in 1918.", "The war ended in 1918."),
        ("He was appointed in 1990 and sacked in 1995.", "He was dismissed in 1995."),
        ("Завод построили в 1900 году, а в 1950 ликвидировали.", "Завод разрушили в 1950 году."),
        ("His coach, Young, set records.", "He set old records."),
        ("The young man, aged 20, won.", "The 20-year-old man won."),
        ("The hill is low and rises 20 m.", "The hill is 20 m high."),
        ("Young people aged sixteen came.", "Sixteen years old people came."),
        ("John is Mary's brother.", "Mary is John's sister."),
        ("Ты прав во всём.", "Левый берег крут."),
    ],
)
def test_what_may_mean_the_same_is_not(source: str, text: str) -> None:
    assert opposed(source, text) == []
