"""Plainer constructions in the same place, with the exact outcome."""

from __future__ import annotations

import pytest

from tests.rewrite.edits.conftest import Bench


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "В городе работает завод, выпускающий грузовые машины.",
            "В городе работает завод, который выпускает грузовые машины.",
        ),
        ("Учёные описывают остров, лежащий на севере.", "Учёные описывают остров, который лежит на севере."),
        (
            "Учёные изучили остров, открытый в прошлом веке, и новые карты.",
            "Учёные изучили остров, который был открыт в прошлом веке, и новые карты.",
        ),
        ("Завод, выпускающий машины, закрыт.", "Завод, который выпускает машины, закрыт."),
        (
            "Роман, написанный в юности, принёс автору славу.",
            "Роман, который был написан в юности, принёс автору славу.",
        ),
        (
            "Гора, вызывающая у туристов интерес, стоит на берегу озера.",
            "Гора, которая вызывает у туристов интерес, стоит на берегу озера.",
        ),
    ],
)
def test_participial_clause_becomes_a_relative_one(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "clause") == [expected]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Компания выпустила серию построенных в Италии кораблей.",
            "Компания выпустила серию кораблей, которые были построены в Италии.",
        ),
        (
            "Музей показал коллекцию найденных в пустыне монет.",
            "Музей показал коллекцию монет, которые были найдены в пустыне.",
        ),
        (
            "Музей хранит коллекцию найденных в пустыне монет.",
            "Музей хранит коллекцию монет, которые найдены в пустыне.",
        ),
    ],
)
def test_participle_before_its_noun_moves_behind_it(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "clause") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        # A present passive has no safe finite counterpart.
        "Средство, получаемое из плодов, используют врачи.",
        # Nothing hangs on the participle.
        "Построенный дом сгорел.",
        # Coordinated participles.
        "Роман, написанный и изданный в Москве, принёс автору славу.",
        "В стране живёт много народов, живущих вдоль границы и не желающих воевать.",
        "Это город, построенный на реке и считающийся столицей.",
        "Все участники конференций, проходивших в 1860-х годах и приведших к образованию конфедерации, уехали.",
        # An account of the past.
        "Учёные изучали системы частиц, взаимодействующих друг с другом.",
        "Музей показал коллекцию лежащих в пустыне монет.",
        # No plainer: «который создан», two times «который».
        "Музей хранит проект, созданный в прошлом веке.",
        "Отряд занял город, в котором работал завод, построенный в прошлом веке.",
        # It agrees with another noun.
        "Буря шла из Лондона, подхваченная западным ветром.",
    ],
)
def test_no_relative_clause(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "clause") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Москва — столица страны.", "Москва — это столица страны."),
        ("Волга — большая река в Европе.", "Волга — это большая река в Европе."),
    ],
)
def test_this_is(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "copula") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        "Пушкин — великий поэт.",
        "Москва — это столица страны.",
        "Отец ушёл — дом опустел.",
        "Москва — не столица.",
        # Something else than the subject stands before the dash, or no noun is the predicate.
        "В этом районе река — граница города.",
        "По классификации климатов — морской климат.",
    ],
)
def test_no_this_is(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "copula") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Наиболее распространённых болезней немного.", "Самых распространённых болезней немного."),
        ("Это одна из наиболее известных книг.", "Это одна из самых известных книг."),
        ("Он получил наиболее важную премию.", "Он получил самую важную премию."),
    ],
)
def test_superlative(source: str, expected: str, bench: Bench) -> None:
    assert expected in bench.rewrites(source, "word")


def test_an_adverb_keeps_its_superlative(bench: Bench) -> None:
    assert bench.rewrites("Наиболее часто болеют дети.", "word") == []


def test_there_is(bench: Bench) -> None:
    assert "Есть разные виды этого растения." in bench.rewrites("Существуют разные виды этого растения.", "word")
    assert not any("есть" in t for t in bench.rewrites("В лесу существует много растений.", "word"))


def test_participles_that_describe_stay(bench: Bench) -> None:
    source = "Город принял меры, направленные на защиту природы."
    assert not [text for text in bench.rewrites(source, "clause") if "которые" in text]
