"""Each sign that a cut may hurt: one sentence that shows it, one that does not."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.signs import SIGNS
from tests.rewrite.edits.conftest import Bench

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


@pytest.mark.parametrize(("name", "source", "shown", "other", "free"), CASES)
def test_rule(name: str, source: str, shown: str, other: str, free: str, bench: Bench) -> None:
    assert bench.holds(SIGNS[name], source, shown)
    assert not bench.holds(SIGNS[name], other, free)


def test_every_rule_has_a_case() -> None:
    assert {name for name, *_ in CASES} == set(SIGNS)
