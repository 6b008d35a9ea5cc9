"""Each rule that puts a price on a cut: one sentence where it does, one where it does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rewrite.generators.edits.risk import RULES, risk_of
from tests.rewrite.edits.conftest import Bench, at

_MUSEUM = "В городе открылся новый красивый музей."
_DOCTOR = "Он обратился к врачу в понедельник."
_PRIZE = "Роман получил премию, которая присуждается каждый год."
_RIVER = "Город стоит на берегу реки."
_LIST = "Офицеры, солдаты и врачи вернулись в лагерь."
CASES = [
    ("degree", "Он почти закончил новую книгу.", "почти", "Отряд быстро вошёл в город.", "быстро"),
    ("restrictive_adjective", "Бывший министр дал интервью.", "Бывший", _MUSEUM, "красивый"),
    ("last_complement", _DOCTOR, "врачу", _DOCTOR, "понедельник"),
    ("verbal_noun_object", "Снижение цен обрадовало людей.", "цен", _RIVER, "реки"),
    ("required_by_head", _DOCTOR, "врачу", _DOCTOR, "понедельник"),
    ("geographic_adjective", "Латиноамериканское общество изменилось.", "Латиноамериканское", _MUSEUM, "красивый"),
    ("vague_noun", "Это событие имеет большое значение.", "большое", _MUSEUM, "красивый"),
    ("frequency_adverb", "Он часто посещал музей.", "часто", "Отряд быстро вошёл в город.", "быстро"),
    (
        "bare_plural_clause",
        "Компании, которые выходят на рынок, платят налоги.",
        "выходят",
        _PRIZE,
        "присуждается",
    ),
    ("usual_complement", _DOCTOR, "врачу", _MUSEUM, "красивый"),
    ("first_complement", _DOCTOR, "врачу", _DOCTOR, "понедельник"),
    (
        "shared_modifier",
        "Закупки и продажи зерна выросли.",
        "продажи",
        _LIST,
        "врачи",
    ),
    ("telling_adjective", "Он изучал химический состав.", "химический", _MUSEUM, "красивый"),
    ("predicate_modifier", "Это событие имеет большое значение.", "большое", _MUSEUM, "красивый"),
    ("genitive_modifier", _RIVER, "реки", "Река с чистой водой течёт быстро.", "водой"),
    ("prepositional_modifier", "Река с чистой водой течёт быстро.", "водой", _RIVER, "реки"),
    (
        "inside_clause",
        "Монеты, найденные в пустыне, хранятся в музее.",
        "пустыне",
        "Монеты, найденные в пустыне, хранятся в музее.",
        "музее",
    ),
    (
        "object_modifier",
        "Он подписал договор с новой компанией.",
        "компанией",
        "Договор с новой компанией вызвал спор.",
        "компанией",
    ),
    ("own", "Он выдвинул свою кандидатуру.", "свою", "Он закончил новую книгу.", "новую"),
    ("later_complement", _DOCTOR, "понедельник", _DOCTOR, "врачу"),
    ("setting_before_verb", _MUSEUM, "городе", "В городе он открыл новый музей.", "городе"),
    ("second_predicate", "Он закончил роман и вернулся домой.", "вернулся", _LIST, "врачи"),
    ("half_of_pair", "Офицер и солдат вернулись в лагерь.", "солдат", _LIST, "врачи"),
    ("clause_of_time", "Когда начнётся дождь, отряд вернётся.", "начнётся", _PRIZE, "присуждается"),
    ("set_off_clause", _PRIZE, "присуждается", "Когда начнётся дождь, отряд вернётся.", "начнётся"),
]


@pytest.mark.parametrize(("name", "source", "priced", "other", "free"), CASES)
def test_rule(name: str, source: str, priced: str, other: str, free: str, bench: Bench) -> None:
    rule = {r.__name__: r for r, _ in RULES}[name]
    assert bench.holds(rule, source, priced)
    assert not bench.holds(rule, other, free)


def test_every_rule_has_a_case_and_a_price() -> None:
    assert {name for name, *_ in CASES} == {rule.__name__ for rule, _ in RULES}
    assert all(price > 0 for _, price in RULES)


@pytest.mark.parametrize(
    ("source", "word", "size"),
    [
        ("Латиноамериканское общество изменилось.", "Латиноамериканское", 0.875),
        ("Город стоит на берегу реки.", "реки", 0.875),
        ("Город стоит на берегу большой реки.", "реки", 1.0),
        ("Роман получил премию, которая присуждается каждый год.", "присуждается", 1.25),
    ],
)
def test_prices_add_up_and_grow_with_the_number_of_words(source: str, word: str, size: float, bench: Bench) -> None:
    tree = bench.tree(source)
    i = at(tree, word)
    firing = [price for rule, price in RULES if rule(tree, i, bench.valency)]
    assert len(firing) > 0
    assert risk_of(tree, i, bench.valency) == pytest.approx(size * sum(firing))


def test_the_page_on_the_generator_has_the_prices() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "edits.md").read_text(encoding="utf-8")
    listed = {name: float(price) for name, price in re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", page, re.MULTILINE)}
    assert listed == {rule.__name__: price for rule, price in RULES}


def test_a_long_cut_is_at_most_twice_as_risky(bench: Bench) -> None:
    tree = bench.tree(
        "Роман получил премию, которая каждый год присуждается в большом городе на берегу моря лучшему писателю страны."
    )
    i = at(tree, "присуждается")
    assert len(tree.words(i)) > 12
    assert risk_of(tree, i, bench.valency) == pytest.approx(
        2.0 * sum(price for rule, price in RULES if rule(tree, i, bench.valency))
    )


def test_an_ornamental_adjective_costs_nothing(bench: Bench) -> None:
    tree = bench.tree(_MUSEUM)
    assert risk_of(tree, at(tree, "красивый"), bench.valency) == 0
