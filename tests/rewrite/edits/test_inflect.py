"""Forms of words taken over from tokens of real sentences."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.inflect import match_case
from tests.rewrite.edits.conftest import Bench, at


@pytest.mark.parametrize(
    ("source", "word", "lemma", "expected"),
    [
        ("Он гордился сражениями прошлых лет.", "сражениями", "битва", "битвами"),
        ("Сражение закончилось.", "Сражение", "битва", "Битва"),
        ("Он вошёл в обширный зал.", "обширный", "большой", "большой"),
        ("Он встретил знатного гостя.", "знатного", "богатый", "богатого"),
        ("Они возвели храм.", "возвели", "построить", "построили"),
        ("Дома возводятся быстро.", "возводятся", "строиться", "строятся"),
        ("Храм возведён.", "возведён", "построить", "построен"),
        ("Он жил в возведённом доме.", "возведённом", "построить", "построенном"),
        ("Он ушёл, покинув дом.", "покинув", "оставить", "оставив"),
        ("Он решил возвести дом.", "возвести", "построить", "построить"),
        ("Этот дом обширнее.", "обширнее", "большой", "больше"),
        ("Учёные исследуют море.", "исследуют", "изучать", "изучают"),
    ],
)
def test_like(source: str, word: str, lemma: str, expected: str, bench: Bench) -> None:
    tree = bench.tree(source)
    assert bench.inflector.like(tree.tokens[at(tree, word)], lemma) == expected


@pytest.mark.parametrize(("word", "expected"), [("Высшим", None), ("Высоким", "Высокий"), ("Новым", "Новый")])
def test_to_case_keeps_the_degree(word: str, expected: str | None, bench: Bench) -> None:
    tree = bench.tree(f"{word} органом является собрание.")
    assert bench.inflector.to_case(tree.tokens[0], "Nom", gender="masc") == expected


@pytest.mark.parametrize(
    ("source", "word", "noun", "expected"),
    [
        ("Он живёт в доме, построенном в прошлом веке.", "построенном", "доме", True),
        ("Буря шла из Лондона, подхваченная западным ветром.", "подхваченная", "Лондона", False),
    ],
)
def test_agrees(source: str, word: str, noun: str, expected: bool, bench: Bench) -> None:
    tree = bench.tree(source)
    assert bench.inflector.agrees(tree.tokens[at(tree, word)], tree.tokens[at(tree, noun)]) is expected


def test_like_refuses_another_part_of_speech(bench: Bench) -> None:
    tree = bench.tree("Они возвели храм.")
    assert bench.inflector.like(tree.tokens[at(tree, "возвели")], "храм") is None


@pytest.mark.parametrize(
    ("source", "word", "gender", "expected"),
    [
        ("Большое сражение закончилось.", "Большое", "masc", "Большой"),
        ("Большое сражение закончилось.", "закончилось", "femn", "закончилась"),
        ("Он видел большое сражение.", "большое", "femn", "большую"),
        ("Он видел большое сражение.", "большое", "masc", "большой"),
        ("Сражение было проиграно.", "проиграно", "femn", "проиграна"),
        ("Сражение закончилось.", "Сражение", "femn", None),
    ],
)
def test_regender(source: str, word: str, gender: str, expected: str | None, bench: Bench) -> None:
    tree = bench.tree(source)
    assert bench.inflector.regender(tree.tokens[at(tree, word)], gender) == expected


@pytest.mark.parametrize(
    ("source", "noun", "before", "after", "expected"),
    [
        ("Он гордился новой игрой.", "игрой", "Ins", "Nom", "новая игра"),
        ("Он гордился новыми играми и книгами.", "играми", "Ins", "Acc", "новые игры книги"),
        ("Он поддержал молодых художников.", "художников", "Acc", "Dat", "молодым художникам"),
        ("Он был самой большой бедой.", "бедой", "Ins", "Nom", "самая большая беда"),
    ],
)
def test_recase_phrase(source: str, noun: str, before: str, after: str, expected: str, bench: Bench) -> None:
    tree = bench.tree(source)
    changes = bench.inflector.recase_phrase(tree, at(tree, noun), before, after)
    assert changes is not None
    assert " ".join(changes[i] for i in sorted(changes)) == expected


@pytest.mark.parametrize(
    ("source", "noun", "before"),
    [
        ("Он гордился двумя книгами.", "книгами", "Ins"),
        ("Он гордился новой игрой.", "игрой", "Gen"),
    ],
)
def test_recase_phrase_refuses_numbers_and_other_cases(source: str, noun: str, before: str, bench: Bench) -> None:
    tree = bench.tree(source)
    assert bench.inflector.recase_phrase(tree, at(tree, noun), before, "Nom") is None


@pytest.mark.parametrize(
    ("source", "word", "gender", "expected"),
    [
        ("Это завод, выпускающий машины.", "выпускающий", "masc", "выпускает"),
        ("Это заводы, выпускающие машины.", "выпускающие", "plur", "выпускают"),
        ("Это книга, вышедшая в Москве.", "вышедшая", "femn", "вышла"),
        ("Это книга, изданная в Москве.", "изданная", "femn", "издана"),
        ("Это метод, используемый в медицине.", "используемый", "masc", None),
        ("Это книга, изданная в Москве.", "книга", "femn", None),
    ],
)
def test_finite(source: str, word: str, gender: str, expected: str | None, bench: Bench) -> None:
    tree = bench.tree(source)
    assert bench.inflector.finite(tree.tokens[at(tree, word)], gender) == expected


def test_lemma_parse_wants_the_dictionary_form_of_a_class(bench: Bench) -> None:
    assert bench.inflector.lemma_parse("дом", ["NOUN"]).normal_form == "дом"
    assert bench.inflector.lemma_parse("дома", ["NOUN"]) is None
    assert bench.inflector.lemma_parse("дом", ["INFN"]) is None


def test_gender(bench: Bench) -> None:
    assert [bench.inflector.gender(w) for w in ("дом", "битва", "озеро", "идти")] == ["masc", "femn", "neut", None]


@pytest.mark.parametrize(
    ("text", "like", "expected"),
    [("дом", "Лес", "Дом"), ("дом", "лес", "дом"), ("дом", "ЛЕС", "ДОМ"), ("дом", "Я", "Дом"), ("сша", "лес", "сша")],
)
def test_match_case(text: str, like: str, expected: str) -> None:
    assert match_case(text, like) == expected
