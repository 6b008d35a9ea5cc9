"""Each rule that forbids a cut: one sentence where it does, one where it does not."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.protect import RULES, protected_by
from tests.rewrite.edits.conftest import Bench, at

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
        "clause_without_marker",
        "Он решил уехать.",
        "уехать",
        "Он приехал в Москву, и город ему понравился.",
        "понравился",
    ),
    ("function_word", "Город, в котором он живёт, стоит у моря.", "котором", "Он живёт у моря.", "моря"),
    ("negation", "Он ушёл, не прибегая к помощи врачей.", "прибегая", "Он ушёл, опасаясь бури.", "опасаясь"),
    (
        "negation",
        "Средства с недоказанной эффективностью продаются в аптеках.",
        "эффективностью",
        "Река с чистой водой течёт по равнине.",
        "водой",
    ),
    ("condition", "Если начнётся дождь, отряд вернётся в лагерь.", "начнётся", "Он ушёл, опасаясь бури.", "опасаясь"),
    (
        "attribution",
        "По мнению врачей, вирус опасен.",
        "мнению",
        "По понедельникам врачи принимают больных.",
        "понедельникам",
    ),
    ("attribution", "Согласно закону, город получил новый статус.", "закону", "Река течёт по равнине.", "равнине"),
    (
        "name_part",
        "Закон утвердила Великая хартия вольностей.",
        "вольностей",
        "Город стоит на берегу большой реки.",
        "реки",
    ),
    ("cuts_quotation", "Роман «Война и мир» написан Толстым.", "мир", "Роман «Война и мир» написан Толстым.", "Война"),
    ("contrast", "Он купил не дом, а большую квартиру.", "квартиру", "Он купил дом и большую квартиру.", "квартиру"),
    ("dash_predicate", "Волга — большая река в Европе.", "большая", "Отряд вошёл в большой город.", "большой"),
    (
        "name_apposition",
        "Озеро Виннипегозис расположено в Канаде.",
        "Виннипегозис",
        "Мой брат, врач, живёт в городе.",
        "врач",
    ),
    (
        "counted",
        "Учёные нашли больше доказательств этой теории.",
        "доказательств",
        "Учёные нашли больше доказательств этой теории.",
        "теории",
    ),
    ("topic", "Министр заявил о новой войне.", "войне", "Министр заявил протест в понедельник.", "понедельник"),
    ("partial_head", "Часть жителей покинула город.", "жителей", "Он нуждался в помощи врачей.", "врачей"),
    (
        "adjective_complement",
        "Он был признан виновным в убийстве.",
        "убийстве",
        "Отряд вошёл в очень большой город.",
        "очень",
    ),
    ("quoted_name", "Роман «Война и мир» написан Толстым.", "Война", "Мой брат, врач, живёт в городе.", "врач"),
    (
        "plural_subject",
        "Офицер и солдат вернулись в лагерь.",
        "солдат",
        "Офицеры, солдаты и врачи вернулись в лагерь.",
        "врачи",
    ),
]


@pytest.mark.parametrize(("name", "source", "kept", "other", "free"), CASES)
def test_rule(name: str, source: str, kept: str, other: str, free: str, bench: Bench) -> None:
    rule = {r.__name__: r for r in RULES}[name]
    tree = bench.tree(source)
    assert rule(tree, at(tree, kept), bench.valency)
    tree = bench.tree(other)
    assert not rule(tree, at(tree, free), bench.valency)


def test_every_rule_has_a_case() -> None:
    assert {name for name, *_ in CASES} == {rule.__name__ for rule in RULES}


def test_the_first_rule_is_named_and_nothing_where_a_part_may_go(bench: Bench) -> None:
    tree = bench.tree("Он купил не дом, а красивую квартиру.")
    assert protected_by(tree, at(tree, "квартиру"), bench.valency) == "contrast"
    assert protected_by(tree, at(tree, "красивую"), bench.valency) == ""
