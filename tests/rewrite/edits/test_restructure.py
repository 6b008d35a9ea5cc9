"""Clauses made sentences, and the copula, with the exact outcome."""

from __future__ import annotations

import pytest

from tests.rewrite.edits.conftest import Bench


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Кометы являются малыми телами Солнечной системы.", "Кометы — это малые тела Солнечной системы."),
        ("Москва является крупнейшим городом страны.", "Москва — это крупнейший город страны."),
        ("Пушкин является великим поэтом.", "Пушкин — великий поэт."),
        (
            "Уровень безработицы является одним из важных показателей экономики.",
            "Уровень безработицы — это один из важных показателей экономики.",
        ),
        ("Наиболее крупным городом является Москва.", "Наиболее крупный город — это Москва."),
    ],
)
def test_copula(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "copula") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        "Москва не является большим городом.",
        "Москва являлась большим городом.",
        "Он является великим поэтом.",
        "Завод является в этом году крупным поставщиком.",
        "Город расположен на берегу реки и является крупным портом.",
    ],
)
def test_no_copula(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "copula") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Роман получил премию, которая присуждается каждый год.",
            "Роман получил премию. Эта премия присуждается каждый год.",
        ),
        ("Город, который стоит на берегу моря, вырос.", "Город вырос. Он стоит на берегу моря."),
        (
            "Писатель подарил городу дом, который стоит на берегу моря.",
            "Писатель подарил городу дом. Этот дом стоит на берегу моря.",
        ),
    ],
)
def test_relative_clause(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        # The relative word is the object.
        "Завод, который построили в прошлом веке, выпускает машины.",
        "Завод, который купила компания, выпускает машины.",
        # The clause says which one is meant.
        "Самый известный роман, который вышел в прошлом году, получил премию.",
        "Компании, которые выходят на рынок, платят налоги.",
        "Это тот человек, который вышел из дома утром.",
        # It is too short for a sentence, or not a clause on a noun.
        "Город, который вырос, стоит на берегу.",
        "Врач сказал, что больной скоро поправится и вернётся домой.",
    ],
)
def test_no_relative_clause(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Учёные изучили остров, открытый в прошлом веке.",
            "Учёные изучили остров. Этот остров открыт в прошлом веке.",
        ),
        (
            "Гора, вызывающая у туристов интерес, стоит на берегу озера.",
            "Гора стоит на берегу озера. Она вызывает у туристов интерес.",
        ),
    ],
)
def test_participle(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == [expected]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Отряд занял город, а население покинуло свои дома.",
            "Отряд занял город. Население покинуло свои дома.",
        ),
        (
            "Писатель закончил новый роман, но издатель отказался его печатать.",
            "Писатель закончил новый роман. Но издатель отказался его печатать.",
        ),
        (
            "Писатель окончил университет и переехал в большой город.",
            "Писатель окончил университет. Он переехал в большой город.",
        ),
    ],
)
def test_coordinated_clauses(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        # A pronoun for a subject needs no pronoun again, and two nouns would make it ambiguous.
        "Он окончил университет и переехал в большой город.",
        "Отец и мать окончили университет и переехали в большой город.",
        # The second clause hangs on the first.
        "Если начнётся сильный дождь, отряд вернётся в старый лагерь.",
        "Отряд занял город, потому что враг отступил в лес.",
        # Quoted or bracketed.
        "Он сказал: «Отряд занял город, а население покинуло дома».",
    ],
)
def test_no_coordinated_clauses(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == []
