"""Plainer constructions in the same place, with the exact outcome."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.plain import roman_centuries
from rewrite.generators.edits.render import render
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
        # The subject has another verb; the superlative would come out as «высочайший».
        "Туризм является важной отраслью и присоединяется к экономике.",
        "Высшим органом является собрание акционеров.",
        # A participle would keep the instrumental.
        "Машиностроение является системообразующей отраслью промышленности города Тверь, приносящей наибольшие доходы.",
    ],
)
def test_no_copula(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "copula") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Мост был построен в 1903 году.", "Мост построили в 1903 году."),
        ("Новая дорога была построена в прошлом веке.", "Новую дорогу построили в прошлом веке."),
        ("Вода используется в промышленности.", "Воду используют в промышленности."),
        ("Этот метод широко используется в медицине.", "Этот метод широко используют в медицине."),
        (
            "Столица была поделена на пять частей, а президент встал и велел ждать.",
            "Столицу поделили на пять частей, а президент встал и велел ждать.",
        ),
        ("Наиболее известная картина была написана в Париже.", "Наиболее известную картину написали в Париже."),
    ],
)
def test_active(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "voice") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        # The doer is named.
        "Здание было разрушено рабочими в 1903 году.",
        # There is no auxiliary in the past: a state.
        "Мост построен в 1903 году.",
        # No passive in meaning.
        "Город находится на берегу моря.",
        "Численность населения увеличивается каждый год.",
        # A person or a name in the nominative.
        "Писатель был похоронен в Москве.",
        # Two participles share the auxiliary.
        "Песня была написана и записана в Москве.",
        "По книге был снят фильм и выпущена игра.",
        # The subject is needed later on.
        "Лагерь был создан в 1941 году и находился в лесу.",
        "Пластинка была изъята из продажи и не издавалась.",
        # The doer, where the tagger takes it for something else, or somebody with him.
        "Теория была разработана в конце века Ньютоном и Лейбницем.",
        "Роман был написан в соавторстве с братом.",
        "Роман был написан совместно с братом.",
        # The active verb takes the genitive.
        "Был достигнут ряд соглашений.",
        "Дом был построен не сразу.",
        "Дом не был построен в срок.",
        # A participle would keep the nominative.
        "Железная скоба была поставлена на стену, уменьшающая нагрузку.",
        "Рост цен наблюдается в стране.",
        "Рост цен отмечается в стране.",
        "Песня записывается в Москве.",
    ],
)
def test_no_active(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "voice") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("В XIX веке город вырос.", ["В 19 веке город вырос."]),
        ("Во II веке город вырос.", ["Во 2 веке город вырос."]),
        ("В XIX и XX веках город вырос.", ["В 19 и 20 веках город вырос."]),
        ("Собор построен в конце XVIII — начале XIX века.", ["Собор построен в конце 18 — начале 19 века."]),
        ("При Петре I и в XVIII веке город вырос.", ["При Петре I и в 18 веке город вырос."]),
        ("При Петре I город вырос.", []),
        ("В XII веке город вырос, а в XIII веке он сгорел.", ["В 12 веке город вырос, а в 13 веке он сгорел."]),
        ("В XII веке город вырос, а в XIII столетии он сгорел.", []),
        ("В XII веке город вырос, а в XIII в. он сгорел.", []),
        ("В XII веке он рос, а в XIII и XIV вв. он горел.", ["В 12 веке он рос, а в 13 и 14 вв. он горел."]),
        ("В XII веке город вырос, а в XIII—XIV веках он горел.", []),
        ("Церковь построена в XVII—XVIII веках.", []),
    ],
)
def test_roman_centuries(source: str, expected: list[str], bench: Bench) -> None:
    tree = bench.tree(source)
    assert [render(tree, [edit]) for edit in roman_centuries(tree, bench.valency)] == expected


@pytest.mark.parametrize(("roman", "number"), [("IV", 4), ("IX", 9), ("XIV", 14), ("XXI", 21), ("XVIII", 18)])
def test_numerals(roman: str, number: int, bench: Bench) -> None:
    tree = bench.tree(f"Город основан в {roman} веке.")
    assert [render(tree, [edit]) for edit in roman_centuries(tree, bench.valency)] == [
        f"Город основан в {number} веке."
    ]
