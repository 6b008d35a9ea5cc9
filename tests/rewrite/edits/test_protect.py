"""Each rule that forbids a cut for the sake of the grammar: one sentence where it does, one where it does not."""

from __future__ import annotations

import pytest

from rewrite.generators.base import Sampling
from rewrite.generators.edits import meaning
from rewrite.generators.edits.protect import RULES, protected_by
from tests.rewrite.edits.conftest import Bench, at

_ADDRESS = "Подробный отчёт опубликован на странице https://www.gks.ru/otchet/2023?page=2 в январе."

CASES = [
    ("structural", "Часть жителей покинула город.", "город", "Отряд быстро вошёл в город.", "быстро"),
    (
        "torn_punctuation",
        "Город стоит на берегу реки (притока Волги) с древних времён.",
        "Волги",
        "Город стоит на берегу реки (притока Волги) с древних времён.",
        "притока",
    ),
    (
        "torn_punctuation",
        'Он победил на выборах главы партии "Кадима".',
        "партии",
        'Он победил на выборах главы партии "Кадима".',
        "Кадима",
    ),
    (
        "clause_without_marker",
        "Он решил уехать.",
        "уехать",
        "Он приехал в Москву, и город ему понравился.",
        "понравился",
    ),
    ("function_word", "Город, в котором он живёт, стоит у моря.", "котором", "Он живёт у моря.", "моря"),
    (
        "name_part",
        "Закон утвердила Великая хартия вольностей.",
        "вольностей",
        "Город стоит на берегу большой реки.",
        "реки",
    ),
    ("cuts_quotation", "Роман «Война и мир» написан Толстым.", "мир", "Роман «Война и мир» написан Толстым.", "Война"),
    ("dash_predicate", "Волга — большая река в Европе.", "большая", "Отряд вошёл в большой город.", "большой"),
    (
        "name_apposition",
        "Озеро Виннипегозис расположено в Канаде.",
        "Виннипегозис",
        "Мой брат, врач, живёт в городе.",
        "врач",
    ),
    (
        "name_apposition",
        "Озеро Виннипегозис расположено в Канаде.",
        "Виннипегозис",
        "Дом Толстого стоит в деревне.",
        "Толстого",
    ),
    (
        "first_clause",
        "Захваченная врагом крепость стояла на берегу реки.",
        "Захваченная",
        "Монеты, найденные в пустыне, хранятся в музее.",
        "найденные",
    ),
    ("connector", "Он родился в городе, позже переехал в деревню.", "позже", "Позже он переехал в деревню.", "Позже"),
    (
        "colon",
        "В двух городах: Москве и Киеве, он открыл новые музеи.",
        "городах",
        "В двух городах — Москве и Киеве — он открыл новые музеи.",
        "городах",
    ),
    ("bare_object", "Команда дала игре 9 баллов.", "игре", "Он обратился к врачу в понедельник.", "врачу"),
    ("colon", "Он знал три города: Москву, Киев, и вернулся домой.", "Москву", "Он знал Москву, Киев и Минск.", "Киев"),
    ("postposed", "Он посетил Москву, древний Киев и Минск.", "древний", "Он посетил древний Киев.", "древний"),
    (
        "postposed",
        "Они взяли земли, расположенные вдоль реки.",
        "расположенные",
        "Они взяли соседние земли.",
        "соседние",
    ),
    ("quoted_name", "Роман «Война и мир» написан Толстым.", "Война", "Мой брат, врач, живёт в городе.", "врач"),
    (
        "glued",
        "Учёные/врачи, изучавшие вирус, получили премию.",
        "врачи",
        "Учёные/врачи, изучавшие вирус, получили премию.",
        "изучавшие",
    ),
    ("glued", _ADDRESS, "otchet", _ADDRESS, "январе"),
    (
        "abbreviation",
        "Пожар на ул. Ленина потушили утром.",
        "ул",
        "Дом стоит на улице Ленина в центре города.",
        "улице",
    ),
    (
        "open_clause",
        "В городе, где раньше жили 20 тысяч человек, осталось лишь 3 тысячи.",
        "городе",
        "Монеты, найденные в пустыне, хранятся в музее.",
        "найденные",
    ),
    (
        "open_clause",
        "Монеты, найденные в пустыне хранятся в музее.",
        "найденные",
        "Монеты, найденные в пустыне хранятся в музее.",
        "пустыне",
    ),
    (
        "opens_clause",
        "Ввиду того что подрядчик сорвал сроки, город расторг договор.",
        "того",
        "Он часто болел, потому что жил у моря.",
        "часто",
    ),
]


@pytest.mark.parametrize(("name", "source", "kept", "other", "free"), CASES)
def test_rule(name: str, source: str, kept: str, other: str, free: str, bench: Bench) -> None:
    rule = {r.__name__: r for r in RULES}[name]
    assert bench.holds(rule, source, kept)
    assert not bench.holds(rule, other, free)


def test_every_rule_has_a_case() -> None:
    assert {name for name, *_ in CASES} == {rule.__name__ for rule in RULES} - {r.__name__ for r in meaning.RULES}


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("Он работал в театре вплоть до своей смерти в 1940 году.", "своей 1940"),
        ("В городе, где раньше жили 20 тысяч человек, осталось лишь 3 тысячи.", "городе жили человек лишь"),
        ("Не менее 30 человек, включая троих иностранцев, погибли в аварии.", "Не человек включая троих иностранцев"),
        ("Прибыль оказалась вдвое меньше, чем годом ранее.", "вдвое годом ранее"),
        ("Ввиду того что подрядчик сорвал сроки, город расторг договор.", "того"),
        ("Ремонт дороги на ул. Ленина завершили в мае.", "ул"),
        ("Суд отложил дело на неопределённый срок.", "неопределённый срок"),
        ("В тот вечер он вернулся домой.", "тот"),
        ("Учёные/врачи, изучавшие вирус, получили премию.", "врачи"),
        ("Учился ли он хорошо?", "ли хорошо"),
    ],
)
def test_what_readers_missed_stays(source: str, kept: str, bench: Bench) -> None:
    options = bench.options(source)
    assert [word for word in kept.split() if at(options.tree, word) in options.cuts] == []


def test_an_address_stays_whole(bench: Bench) -> None:
    (candidates,) = bench.generator.generate([_ADDRESS], Sampling(n=20))
    texts = [candidate.text for candidate in candidates]
    assert texts
    assert [text for text in texts if "https://www.gks.ru/otchet/2023?page=2" not in text] == []


def test_rules_of_sense_are_in_force() -> None:
    assert RULES[-len(meaning.RULES) :] == meaning.RULES


def test_the_first_rule_is_named_and_nothing_where_a_part_may_go(bench: Bench) -> None:
    tree = bench.tree("Он купил не дом, а красивую квартиру.")
    assert protected_by(tree, at(tree, "квартиру"), bench.valency) == "contrast"
    assert protected_by(tree, at(tree, "красивую"), bench.valency) == ""
